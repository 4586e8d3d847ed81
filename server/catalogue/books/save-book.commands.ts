import * as m from '#words/messages.js';
import { Injectable } from '@nestjs/common';
import { IsNull, Not, type EntityManager } from 'typeorm';
import { lackableSchema, type BookBody, type SavedBook } from '#contracts/catalogue/book-save.js';
import { firstDay } from '#contracts/catalogue/book-facts.js';
import { changedFields } from '#contracts/stored-fields.js';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import { BookEntity } from '#platform/database/entities/catalogue.entity.js';
import { CatalogueChanges, refuseStale, violatedUniqueness } from '../catalogue-changes.js';
import { UploadedPictures } from '../../http/uploaded-pictures.js';
import { COVER, putCover, removeCover } from '../covers/stored-cover.js';
import { validationMessage } from '#platform/validation-messages.js';
import { RequestInvalid } from '../../http/validation.js';
import { CopyChanges } from '../copies/copy-changes.js';
import { changeNumberOfCopies } from '../copies/copy-numbers.js';
import type { CopyContext } from '../copies/copy-writer.js';
import { holdLinks, linksOf, presentLinks, writeLinks } from './book-links.js';
import { bookNumber, readNumber } from './book-number.js';
import { checkCopies, checkPublished, copiesAfter } from './book-rules.js';

@Injectable()
export class SaveBookCommands {
  constructor(
    private readonly changes: CatalogueChanges,
    private readonly pictures: UploadedPictures,
    private readonly clock: Clock,
    private readonly copies: CopyChanges,
  ) {}

  /**
   * Adds a book.
   * @param cover The uploaded file
   * @throws RequestInvalid naming the fields
   * @throws DomainError IsbnTaken, IsbnDoubtful
   */
  async addBook(body: BookBody, cover: Buffer | undefined): Promise<SavedBook> {
    checkPublished(body.publicationDate, this.clock.now());
    checkCopies(body.copiesAvailable);
    const isbn = bookNumber(body.isbn, body.isbnConfirmed);
    const picture = cover && (await this.pictures.make(cover, COVER));
    const links = linksOf(body);
    return this.changes.run(async (manager) => {
      await requireLinks(manager, links);
      await searchRowsLater(manager);
      const book = manager.create(BookEntity, {
        ...columnsOf(body, isbn),
        copiesTotal: body.copiesAvailable,
        copiesAvailable: body.copiesAvailable,
      });
      const { id, version } = await withFreeNumber(manager, isbn, undefined, () => manager.save(book));
      await writeLinks(manager, id, links);
      if (picture) await putCover(manager, id, picture);
      await writeSearchRow(manager, id);
      return { id, version };
    }, thisBook);
  }

  /**
   * Changes a book. Another number of copies adds some, or withdraws those on the shelf with the last numbers.
   * @throws RequestInvalid naming the fields
   * @throws DomainError BookNotFound, EditedMeanwhile, IsbnTaken, IsbnDoubtful
   */
  async changeBook(
    id: number,
    given: BookBody,
    cover: Buffer | undefined,
    context: CopyContext,
  ): Promise<SavedBook> {
    const typed = readNumber(given.isbn);
    const picture = cover && (await this.pictures.make(cover, COVER));
    return this.copies.run(id, async (manager, connection) => {
      const present = await lockBook(manager, id);
      refuseStale('book', given.version, present.version);
      const body = await withWhatIsLacking(manager, given, present);
      const links = linksOf(body);
      // Unchanged values were accepted when they were stored, possibly by an import.
      const isbn = typed.number === present.isbn ? present.isbn : bookNumber(body.isbn, body.isbnConfirmed);
      const now = this.clock.now();
      if (body.publicationDate !== present.published) checkPublished(body.publicationDate, now);
      const owned = { available: present.copiesAvailable, total: present.copiesTotal };
      const more = copiesAfter(owned, body).total - owned.total;
      await requireLinks(manager, links);
      await searchRowsLater(manager);
      await withFreeNumber(manager, isbn, id, () =>
        manager.update(BookEntity, { id }, columnsOf(body, isbn)),
      );
      await writeLinks(manager, id, links);
      if (picture) await putCover(manager, id, picture);
      else if (body.removeCover) await removeCover(manager, id);
      await writeSearchRow(manager, id);
      const copies = await changeNumberOfCopies(connection, id, more, context, now);
      return { result: { id, version: present.version + 1 }, copies };
    });
  }
}

const thisBook = ({ id }: SavedBook) => ({ books: [id] });

/** The same lock as a rent's: the copies do not change until the transaction ends. */
async function lockBook(manager: EntityManager, id: number): Promise<BookEntity> {
  const book = await manager
    .createQueryBuilder(BookEntity, 'book')
    .where('book.id = :id::bigint', { id })
    .setLock('for_no_key_update')
    .getOne();
  if (!book) throw new DomainError('BookNotFound', m.catalogue_book_gone());
  return book;
}

/**
 * What the book lacks, as an import may have left it, may be lacking still; what it has may not be emptied. The first day of
 * what is known of its publication, as this book's own answer says it, is no more than that.
 * @throws RequestInvalid
 */
async function withWhatIsLacking(
  manager: EntityManager,
  given: BookBody,
  { id, description, published, publisherId }: BookEntity,
): Promise<BookBody> {
  const { authors, genres } = await presentLinks(manager, id);
  const refs = (ids: readonly number[]) => ids.map((of) => ({ id: of }));
  const stored = {
    ...{ description, publicationDate: published, authors: refs(authors), genres: refs(genres) },
    publisher: publisherId === null ? null : { id: publisherId },
  };
  const { fields, errors } = changedFields(lackableSchema, given, stored, validationMessage);
  if (Object.keys(errors).length > 0) throw new RequestInvalid(errors);
  const isFirstDay = published !== null && fields.publicationDate === firstDay(published);
  return isFirstDay ? { ...fields, publicationDate: published } : fields;
}

/** The columns that come directly from the form; the update increments the version itself. */
function columnsOf(body: BookBody, isbn: string) {
  const {
    title,
    description,
    publicationDate,
    price,
    kind,
    series,
    volume,
    language,
    originalTitle,
    otherTitles,
  } = body;
  return {
    ...{ isbn, title, description, published: publicationDate, publisherId: linksOf(body).publisher },
    ...(originalTitle !== undefined && { originalTitle }),
    ...(otherTitles !== undefined && { otherTitles }),
    ...(price !== undefined && { price }),
    ...(kind !== undefined && { kind }),
    ...(language !== undefined && { language }),
    ...(series !== undefined && { series }),
    // A book of no series is no volume.
    ...(series === null ? { volume: null } : volume !== undefined && { volume }),
  };
}

async function requireLinks(manager: EntityManager, links: ReturnType<typeof linksOf>): Promise<void> {
  const errors = await holdLinks(manager, links);
  if (Object.keys(errors).length > 0) throw new RequestInvalid(errors);
}

/**
 * Runs a statement that sets a book's number. The unique index decides between concurrent ones.
 * @throws DomainError IsbnTaken, naming the book that has it
 */
async function withFreeNumber<Result>(
  manager: EntityManager,
  isbn: string,
  id: number | undefined,
  write: () => Promise<Result>,
): Promise<Result> {
  const other = await manager.findOneBy(BookEntity, { isbn, id: Not(id ?? IsNull()) });
  if (other) throw isbnTaken(m.catalogue_isbn_taken_by({ isbn, title: other.title }));
  try {
    return await write();
  } catch (error) {
    if (violatedUniqueness(error) === 'book_isbn_key') throw isbnTaken(m.catalogue_isbn_taken({ isbn }));
    throw error;
  }
}

const isbnTaken = (message: string) => new DomainError('IsbnTaken', message);

/** The search row is built once, after all that it depends on. */
async function searchRowsLater(manager: EntityManager): Promise<void> {
  await manager.query("select set_config('lectern.search_later', 'on', true)");
}

async function writeSearchRow(manager: EntityManager, id: number): Promise<void> {
  await manager.query('select refresh_book_search(array[$1::integer])', [id]);
}
