import * as m from '#words/messages.js';
import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { z } from 'zod';
import { copyCode, type CopyOfBook } from '#contracts/catalogue/copy-code.js';
import { COPY_CONDITIONS } from '#contracts/copies/copy-events.js';
import { HOLDERS_SHOWN, type Holder, type ScannedBook } from '#contracts/desk/scan.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { DATABASE } from '#platform/tokens.js';
import { QueryWith } from '../../messages.js';
import { BookCards } from '../book-cards.js';
import { canonicalIsbn } from '../isbn.js';
import { survivingByIsbn } from '../merged-books.js';
import { copyGone } from './copy-codes.queries.js';
import { COPIES_OF_BOOK, isIssued } from './copy-rows.js';

/** A book as the desk sees it that scanned the label of a copy, or an ISBN of ten or thirteen digits. */
export class FindScannedBook extends QueryWith<
  ScannedBook,
  {
    named: CopyOfBook | { isbn: string };
    /** The account of the reader who stands there */
    readerId?: string | undefined;
  }
> {}

const time = z.date().transform((at) => at.toISOString());
const copyRow = z.object({
  condition: z.enum(COPY_CONDITIONS),
  shelf_mark: z.string().nullable(),
  note: z.string().nullable(),
});
const outRow = z.object({
  borrow_id: z.string(),
  user_id: z.string(),
  fullname: z.string().nullable(),
  /** It is this copy, or is presumed to be. */
  same_copy: z.boolean(),
  scanned: z.boolean(),
  issued: z.boolean(),
  due_date: time.nullable(),
  collect_by: time.nullable(),
  of_reader: z.boolean(),
});
type Out = z.output<typeof outRow>;

/**
 * What is out of a title, as far as it may concern the desk: what is with the reader there, this very copy, and those
 * whose labels nobody has scanned. Another copy whose label was scanned is certainly not this one.
 * @param schema of the read model
 */
const outOfTitle = (schema: string) => `
  select a.borrow_id, coalesce(p.id, a.reader_id) as user_id, p.fullname, a.scanned,
    coalesce(a.copy = $2, false) as same_copy, coalesce(p.id = $3, false) as of_reader,
    ${isIssued('r', 'a.book_id')} as issued, r.due_date, r.collect_by
  from copy_allocation a
  join ${schema}.borrow r on r.borrow_id = a.borrow_id
  left join account p on p.pseudonym = a.reader_id
  where a.book_id = $1 and a.state <> 'released'
    and ($2::integer is null or a.copy = $2 or not a.scanned or p.id = $3)
  order by (a.scanned and a.copy = $2) desc nulls last, p.id = $3 desc nulls last, a.copy = $2 desc nulls last,
    r.due_date nulls last, a.borrow_id
  limit ${HOLDERS_SHOWN * 2}`;

const lostRow = z.object({ borrow_id: z.string(), user_id: z.string(), fullname: z.string().nullable() });

/**
 * Who is charged for a copy, or any copy of a title, that is lost.
 * @param schema of the read model
 */
const lostOfTitle = (schema: string) => `
  select r.borrow_id, coalesce(p.id, r.reader_id) as user_id, p.fullname
  from copy c
  join ${schema}.borrow r on r.borrow_id = c.lost_in
  left join account p on p.pseudonym = r.reader_id
  where c.book_id = $1 and c.condition = 'lost' and ($2::integer is null or c.copy = $2)
  order by c.copy limit ${HOLDERS_SHOWN}`;

@QueryHandler(FindScannedBook)
export class FindScannedBookHandler implements IQueryHandler<FindScannedBook> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
    private readonly cards: BookCards,
  ) {}

  /** @throws DomainError CopyNotFound, BookNotFound */
  async execute({ named, readerId }: FindScannedBook): Promise<ScannedBook> {
    const copy = 'isbn' in named ? undefined : named;
    const bookId = 'isbn' in named ? await this.bookOfIsbn(named.isbn) : named.bookId;
    const schema = await this.readModel.toRead();
    const [row, [book], out, lost] = await Promise.all([
      copy && this.copyOf(copy),
      this.cards.read([bookId]),
      queryRows(this.database, outRow, {
        name: `out-of-title-${schema}`,
        text: outOfTitle(schema),
        values: [bookId, copy?.copy ?? null, readerId ?? null],
      }),
      queryRows(this.database, lostRow, {
        name: `lost-of-title-${schema}`,
        text: lostOfTitle(schema),
        values: [bookId, copy?.copy ?? null],
      }),
    ]);
    if (copy && !row) throw await copyGone(this.database, copy);
    if (!book) throw new DomainError('BookNotFound', m.catalogue_book_not_there());
    const kept = out.find((each) => !each.issued && each.same_copy) ?? out.find((each) => !each.issued);
    const ofReader = out.find((each) => each.of_reader);
    return {
      kind: 'book',
      book: {
        id: book.id,
        isbn: book.isbn,
        title: book.title,
        authors: book.authors.map(({ firstname, lastname }) => `${firstname} ${lastname}`.trim()),
        kind: book.kind,
      },
      copy: row && copy ? { code: copyCode(copy), ...shown(row) } : null,
      ...holdersIn(out, copy !== undefined),
      lostBy: lost.map((each) => ({ borrowId: each.borrow_id, user: personOf(each), dueDate: null })),
      keptFor:
        kept?.collect_by === null || kept === undefined
          ? null
          : {
              ...{ borrowId: kept.borrow_id, user: personOf(kept), collectBy: kept.collect_by },
              isThisCopy: kept.same_copy,
            },
      ofReader: ofReader
        ? {
            borrowId: ofReader.borrow_id,
            state: ofReader.issued ? 'lent' : 'reserved',
            dueDate: ofReader.issued ? ofReader.due_date : null,
          }
        : null,
    };
  }

  private copyOf({ bookId, copy }: CopyOfBook): Promise<z.output<typeof copyRow> | undefined> {
    return queryRow(this.database, copyRow, {
      name: 'scanned-copy',
      text: `select coalesce(c.condition, 'present') as condition, c.shelf_mark, c.note
        from book b ${COPIES_OF_BOOK} where b.id = $1::bigint and n.copy = $2`,
      values: [bookId, copy],
    });
  }

  private async bookOfIsbn(isbn: string): Promise<number> {
    const row = await queryRow(this.database, z.object({ id: z.int() }), {
      name: 'scanned-isbn',
      text: `select id from book where isbn = any(select substr(marked, 2) from unnest(search_isbn($1)) marked)
        order by id limit 1`,
      values: [isbn],
    });
    if (row) return row.id;
    const canonical = canonicalIsbn(isbn);
    const kept = (await survivingByIsbn(this.database, [isbn, ...(canonical ? [canonical] : [])]))
      .values()
      .next();
    if (!kept.done) return kept.value;
    throw new DomainError('BookNotFound', m.catalogue_isbn_not_found({ isbn }));
  }
}

/** This copy's reader, where its label was scanned when it was handed over; else all who may have it. */
function holdersIn(out: readonly Out[], isCopy: boolean): Pick<ScannedBook, 'holders' | 'isKnown'> {
  const lent = out.filter(({ issued }) => issued);
  const known = lent.find(({ same_copy, scanned }) => same_copy && scanned);
  const may = known ? [known] : lent.filter(({ scanned }) => !isCopy || !scanned);
  return {
    isKnown: known !== undefined,
    holders: may
      .slice(0, HOLDERS_SHOWN)
      .map((each) => ({ borrowId: each.borrow_id, user: personOf(each), dueDate: each.due_date })),
  };
}

function personOf({ user_id, fullname }: Pick<Out, 'user_id' | 'fullname'>): Holder['user'] {
  return { id: user_id, fullname: fullname ?? m.account_removed() };
}

function shown({ condition, shelf_mark: shelfMark, note }: z.output<typeof copyRow>) {
  return { condition, shelfMark, note };
}
