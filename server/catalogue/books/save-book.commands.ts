import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { BookBody, SavedBook } from '#contracts/catalogue/book-save.js';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import type { Connection } from '#platform/database/database.js';
import { CatalogueChanges, refuseStale, violatedUniqueness } from '../catalogue-changes.js';
import { CoverPictures } from '../covers/cover-pictures.js';
import { putCover, removeCover } from '../covers/cover-rows.js';
import { RequestInvalid } from '../../http/validation.js';
import { holdLinks, linksOf, writeLinks } from './book-links.js';
import { bookNumber, readNumber } from './book-number.js';
import { checkCopies, checkDay, copiesAfter } from './book-rules.js';

/** Adds a book. */
export class AddBook extends Command<SavedBook> {
  /** @param cover the file, as it came */
  constructor(
    readonly body: BookBody,
    readonly cover: Buffer | undefined,
  ) {
    super();
  }
}

/** Changes a book. */
export class ChangeBook extends Command<SavedBook> {
  constructor(
    readonly id: number,
    readonly body: BookBody,
    readonly cover: Buffer | undefined,
  ) {
    super();
  }
}

@CommandHandler(AddBook)
export class AddBookHandler implements ICommandHandler<AddBook> {
  constructor(
    private readonly changes: CatalogueChanges,
    private readonly pictures: CoverPictures,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws RequestInvalid naming the fields
   * @throws DomainError IsbnTaken, IsbnDoubtful
   */
  async execute({ body, cover }: AddBook): Promise<SavedBook> {
    checkDay(body.publicationDate, this.clock.now());
    checkCopies(body.copiesAvailable);
    const isbn = bookNumber(body.isbn, body.isbnConfirmed);
    const picture = cover && (await this.pictures.make(cover));
    const links = linksOf(body);
    return this.changes.run(async (connection) => {
      await requireLinks(connection, links);
      await searchRowsLater(connection);
      const { rows } = await withFreeNumber(connection, isbn, null, () =>
        connection.query<SavedBook>(
          `insert into book
             (isbn, title, description, publisher_id, publication_date, copies_total, copies_available)
           values ($1, $2, $3, $4, $5, $6, $6) returning id, version`,
          [isbn, body.title, body.description, links.publisher, body.publicationDate, body.copiesAvailable],
        ),
      );
      const [book] = rows;
      if (!book) throw new Error('A book was inserted and is not there.');
      await writeLinks(connection, book.id, links);
      if (picture) await putCover(connection, book.id, picture);
      await writeSearchRow(connection, book.id);
      return book;
    });
  }
}

interface PresentBook {
  isbn: string;
  publicationDate: string;
  available: number;
  total: number;
  version: number;
}

@CommandHandler(ChangeBook)
export class ChangeBookHandler implements ICommandHandler<ChangeBook> {
  constructor(
    private readonly changes: CatalogueChanges,
    private readonly pictures: CoverPictures,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws RequestInvalid naming the fields
   * @throws DomainError BookNotFound, EditedMeanwhile, IsbnTaken, IsbnDoubtful
   */
  async execute({ id, body, cover }: ChangeBook): Promise<SavedBook> {
    const typed = readNumber(body.isbn);
    const picture = cover && (await this.pictures.make(cover));
    const links = linksOf(body);
    return this.changes.run(async (connection) => {
      const present = await lockBook(connection, id);
      refuseStale('book', body.version, present.version);
      // What the book has already was accepted when it came, be it by an import.
      const isbn = typed.number === present.isbn ? present.isbn : bookNumber(body.isbn, body.isbnConfirmed);
      if (body.publicationDate !== present.publicationDate) checkDay(body.publicationDate, this.clock.now());
      const copies = copiesAfter(present, body);
      await requireLinks(connection, links);
      await searchRowsLater(connection);
      const { rows } = await withFreeNumber(connection, isbn, id, () =>
        connection.query<SavedBook>(
          `update book set isbn = $2, title = $3, description = $4, publisher_id = $5, publication_date = $6,
             copies_total = $7, copies_available = $8, version = version + 1
           where id = $1 returning id, version`,
          [
            id,
            isbn,
            body.title,
            body.description,
            links.publisher,
            body.publicationDate,
            copies.total,
            copies.available,
          ],
        ),
      );
      await writeLinks(connection, id, links);
      if (picture) await putCover(connection, id, picture);
      else if (body.removeCover) await removeCover(connection, id);
      await writeSearchRow(connection, id);
      return rows[0] as SavedBook;
    });
  }
}

/** The same lock that a rent takes: the copies stay as they are read until the transaction ends. */
async function lockBook(connection: Connection, id: number): Promise<PresentBook> {
  const { rows } = await connection.query<PresentBook>(
    `select isbn, to_char(publication_date, 'YYYY-MM-DD') as "publicationDate", copies_available as available,
       copies_total as total, version
     from book where id = $1::bigint for no key update`,
    [id],
  );
  const [book] = rows;
  if (!book) throw new DomainError('BookNotFound', 'This book is no longer in the catalogue.');
  return book;
}

async function requireLinks(connection: Connection, links: ReturnType<typeof linksOf>): Promise<void> {
  const errors = await holdLinks(connection, links);
  if (Object.keys(errors).length > 0) throw new RequestInvalid(errors);
}

/**
 * Runs a statement that gives a book its number. Of two at once the unique index lets one through.
 * @throws DomainError IsbnTaken, naming the book that has it
 */
async function withFreeNumber<Result>(
  connection: Connection,
  isbn: string,
  id: number | null,
  write: () => Promise<Result>,
): Promise<Result> {
  const { rows } = await connection.query<{ title: string }>(
    'select title from book where isbn = $1 and id is distinct from $2::integer',
    [isbn, id],
  );
  if (rows[0]) throw isbnTaken(isbn, ` It belongs to “${rows[0].title}”.`);
  try {
    return await write();
  } catch (error) {
    if (violatedUniqueness(error) === 'book_isbn_key') throw isbnTaken(isbn, '');
    throw error;
  }
}

function isbnTaken(isbn: string, whose: string): DomainError {
  return new DomainError('IsbnTaken', `The ISBN ${isbn} is in the catalogue already.${whose}`);
}

/** The search row is made once, when all that a book is found by is there. */
async function searchRowsLater(connection: Connection): Promise<void> {
  await connection.query("select set_config('lectern.search_later', 'on', true)");
}

async function writeSearchRow(connection: Connection, id: number): Promise<void> {
  await connection.query('select refresh_book_search(array[$1::integer])', [id]);
}
