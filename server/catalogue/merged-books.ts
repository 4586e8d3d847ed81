import { z } from 'zod';
import { copyCode, type CopyOfBook } from '#contracts/catalogue/copy-code.js';
import type { Queryable } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';

const storedRow = z.object({ id: z.int(), kept_id: z.int() });
const wentRow = z.object({ book_id: z.int(), copy: z.int() });

/** For those that were merged: the books that stand for them now. */
export async function survivingBooks(
  database: Queryable,
  ids: readonly number[],
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await queryRows(
    database,
    storedRow,
    'select id, kept_id from merged_book where id = any($1::bigint[])',
    [ids],
  );
  return new Map(rows.map(({ id, kept_id }) => [id, kept_id]));
}

/** The code that a copy has since its book was merged, where it was; its label still has the old one. */
export async function currentCopyCode(
  database: Queryable,
  { bookId, copy }: CopyOfBook,
): Promise<string | undefined> {
  const row = await queryRow(
    database,
    wentRow,
    `with recursive went as (
       select $1::integer as book_id, $2::integer as copy, 0 as step
       union all
       select m.kept_id, (x ->> 'to')::integer, went.step + 1
       from went join merged_record r on r.id = went.book_id
       join catalogue_merge m on m.id = r.merge_id and m.kind = 'book' and m.undone_at is null
       cross join jsonb_array_elements(r.record -> 'moved') x
       where (x ->> 'from')::integer = went.copy)
     select book_id, copy from went where step > 0 order by step desc limit 1`,
    [bookId, copy],
  );
  return row && copyCode({ bookId: row.book_id, copy: row.copy });
}

/** Books that were merged, with what was kept of each. */
const MERGED = `merged_book b join merged_record r on r.id = b.id
  join catalogue_merge m on m.id = r.merge_id and m.kind = 'book' and m.undone_at is null`;

/** By which numbers their records are known, each with the book that stands now for its own. */
export const MERGED_RECORDS = `(select b.kept_id as book_id, x.control, x.agency from ${MERGED}
  cross join jsonb_populate_recordset(null::marc_record, r.record -> 'records') x)`;

const numberRow = z.object({ isbn: z.string(), kept_id: z.int() });

/**
 * The books that stand now for merged ones of these ISBNs, by their numbers: readers and shelves still have the old ones.
 * @param isbns as the catalogue keeps them
 */
export async function survivingByIsbn(
  database: Queryable,
  isbns: readonly string[],
): Promise<Map<string, number>> {
  if (isbns.length === 0) return new Map();
  const rows = await queryRows(
    database,
    numberRow,
    `select r.record -> 'book' ->> 'isbn' as isbn, b.kept_id from ${MERGED}
     where r.record -> 'book' ->> 'isbn' = any($1::text[])`,
    [isbns],
  );
  return new Map(rows.map(({ isbn, kept_id }) => [isbn, kept_id]));
}
