import { INTERNAL_PREFIX } from '#contracts/catalogue/book-facts.js';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { csvLine, quotedFormula } from '#contracts/csv-cells.js';
import type { ListsFileQuery } from '#contracts/lists/reading-lists.js';
import type { Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { inSnapshot } from '#platform/database/snapshot.js';
import { DATABASE } from '#platform/tokens.js';
import { listNotFound } from './owned-lists.js';

const fileRow = z.object({
  list: z.string(),
  about: z.string(),
  /** Null where the list is empty. */
  title: z.string().nullable(),
  authors: z.string().nullable(),
  isbn: z.string().nullable(),
  published: z.string().nullable(),
  copies: z.int().nullable(),
  bookId: z.int().nullable(),
  addedAt: z
    .date()
    .transform((at) => at.toISOString())
    .nullable(),
});
type FileRow = z.output<typeof fileRow>;

const ROWS = `
  select l.name as list, l.description as about, b.title,
    case when b.id is not null then coalesce((
      select string_agg(btrim(a.firstname || ' ' || a.lastname), '; ' order by ba.place, a.id)
      from book_author ba join author a on a.id = ba.author_id where ba.book_id = b.id), '') end as authors,
    case when b.isbn not like '${INTERNAL_PREFIX}___________' then b.isbn end as isbn, b.published, b.copies_total as copies, b.id as "bookId",
    lb.added_at as "addedAt"
  from reading_list l
  left join reading_list_book lb on lb.list_id = l.id left join book b on b.id = lb.book_id
  where l.id = $1 order by lb.place, lb.book_id`;
const OWN_LISTS = `
  select id from reading_list where account_id = $1 order by standing desc nulls last, name collate "pl-x-icu", id`;

const OWN_HEADER = ['list', 'title', 'author', 'isbn', 'publication_date', 'added'];
const LIBRARY_HEADER = ['place', 'title', 'author', 'isbn', 'publication_date', 'copies', 'book'];

const idRow = z.object({ id: z.uuid() });
const nameRow = z.object({ name: z.string() });

/** Lists as files, in UTF-8. No cell is a formula to a spreadsheet. */
@Injectable()
export class ListsFile {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** All that a reader keeps in lists, for themselves to take along; lists on which there was never a book are none. */
  own(accountId: string, { format }: ListsFileQuery): Promise<Buffer> {
    const isJson = format === 'json';
    return inSnapshot(this.database, async (connection) => {
      const parts: Buffer[] = [];
      // One after the other: all of them may have a hundred thousand books, and others go on meanwhile.
      for (const { id } of await queryRows(connection, idRow, OWN_LISTS, [accountId])) {
        const rows = await queryRows(connection, fileRow, ROWS, [id]);
        parts.push(Buffer.from(isJson ? `${parts.length === 0 ? '' : ',\n'}${asJson(rows)}` : asCsv(rows)));
      }
      return isJson
        ? Buffer.concat([Buffer.from('{"lists": ['), ...parts, Buffer.from(']}\n')])
        : Buffer.concat([Buffer.from(csvLine(OWN_HEADER)), ...parts]);
    });
  }

  /** A list of the library. @throws DomainError ListNotFound */
  async ofLibrary(id: string): Promise<Buffer> {
    const list = await queryRow(
      this.database,
      nameRow,
      'select name from reading_list where id = $1 and account_id is null',
      [id],
    );
    if (!list) throw listNotFound();
    const rows = await queryRows(this.database, fileRow, ROWS, [id]);
    const lines = rows
      .filter(({ bookId }) => bookId !== null)
      .map(({ title, authors, isbn, published, copies, bookId }, at) =>
        line([at + 1, title, authors, isbn, published, copies, bookId]),
      );
    return Buffer.from([csvLine(LIBRARY_HEADER), ...lines].join(''));
  }
}

function asCsv(rows: readonly FileRow[]): string {
  const lines = rows.map(({ list, title, authors, isbn, published, addedAt }) =>
    line([list, title, authors, isbn, published, addedAt]),
  );
  return lines.join('');
}

/** One list. */
function asJson(rows: readonly FileRow[]): string {
  const books = rows
    .filter(({ title }) => title !== null)
    .map(({ title, authors, isbn, published, addedAt }) => ({
      ...{ title, authors, isbn, published, addedAt },
    }));
  return JSON.stringify({ name: rows[0]?.list, description: rows[0]?.about, books }, null, 2);
}

const line = (cells: (string | number | null)[]) =>
  csvLine(cells.map((cell) => quotedFormula(String(cell ?? ''))));
