import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { ListsFileQuery } from '#contracts/lists/reading-lists.js';
import { csvLine } from '#platform/csv/csv-line.js';
import { quotedFormula } from '#platform/csv/formula-cells.js';
import type { Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { listNotFound } from './kept-lists.js';

const fileRow = z.object({
  list: z.string(),
  about: z.string(),
  /** Null where the list is empty. */
  title: z.string().nullable(),
  authors: z.string().nullable(),
  isbn: z.string().nullable(),
  publicationDate: z.string().nullable(),
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
    b.isbn, to_char(b.publication_date, 'YYYY-MM-DD') as "publicationDate", b.copies_total as copies, b.id as "bookId",
    lb.added_at as "addedAt"
  from reading_list l
  left join reading_list_book lb on lb.list_id = l.id left join book b on b.id = lb.book_id`;
const IN_ORDER = `order by l.standing desc nulls last, l.name collate "pl-x-icu", l.id, lb.place, lb.book_id`;

const OWN_HEADER = ['list', 'title', 'author', 'isbn', 'publication_date', 'added'];
const LIBRARY_HEADER = ['place', 'title', 'author', 'isbn', 'publication_date', 'copies', 'book'];

const nameRow = z.object({ name: z.string() });

/** Lists as files, in UTF-8. No cell is a formula to a spreadsheet. */
@Injectable()
export class ListsFile {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** All that a reader keeps in lists, for himself to take along; lists on which there was never a book are none. */
  async own(accountId: string, { format }: ListsFileQuery): Promise<Buffer> {
    const rows = await queryRows(this.database, fileRow, `${ROWS} where l.account_id = $1 ${IN_ORDER}`, [
      accountId,
    ]);
    return Buffer.from(format === 'json' ? asJson(rows) : asCsv(rows));
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
    const rows = await queryRows(this.database, fileRow, `${ROWS} where l.id = $1 ${IN_ORDER}`, [id]);
    const lines = rows
      .filter(({ bookId }) => bookId !== null)
      .map(({ title, authors, isbn, publicationDate, copies, bookId }, at) =>
        line([at + 1, title, authors, isbn, publicationDate, copies, bookId]),
      );
    return Buffer.from([csvLine(LIBRARY_HEADER), ...lines].join(''));
  }
}

function asCsv(rows: readonly FileRow[]): string {
  const lines = rows.map(({ list, title, authors, isbn, publicationDate, addedAt }) =>
    line([list, title, authors, isbn, publicationDate, addedAt]),
  );
  return [csvLine(OWN_HEADER), ...lines].join('');
}

function asJson(rows: readonly FileRow[]): string {
  const lists = new Map<string, { name: string; description: string; books: object[] }>();
  for (const { list: name, about, title, authors, isbn, publicationDate, addedAt } of rows) {
    const list = lists.get(name) ?? { name, description: about, books: [] };
    lists.set(name, list);
    if (title !== null) list.books.push({ title, authors, isbn, publicationDate, addedAt });
  }
  return `${JSON.stringify({ lists: [...lists.values()] }, null, 2)}\n`;
}

const line = (cells: (string | number | null)[]) =>
  csvLine(cells.map((cell) => quotedFormula(String(cell ?? ''))));
