import { z } from 'zod';
import type { Queryable } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import type { CopyOut } from '#circulation/hold/hold-estimate.js';

const time = z.date().transform((at) => at.toISOString());
const outRow = z.object({ bookId: z.int(), collectBy: time, due: time.nullable() });

/** The copies of titles that are out, by title. @param schema of the read model */
export async function copiesOut(
  connection: Queryable,
  schema: string,
  bookIds: readonly number[],
): Promise<Map<number, CopyOut[]>> {
  const found = new Map<number, CopyOut[]>();
  if (bookIds.length === 0) return found;
  const rows = await queryRows(connection, outRow, {
    name: `copies-out-${schema}`,
    text: `select c.book_id as "bookId", b.collect_by as "collectBy",
             case when book ->> 'issuedAt' is not null then b.due_date end as due
           from copy_allocation c
           join ${schema}.borrow b on b.borrow_id = c.borrow_id
           cross join lateral jsonb_array_elements(b.books) book
           where c.book_id = any($1::integer[]) and c.state <> 'released' and (book ->> 'bookId')::integer = c.book_id`,
    values: [[...new Set(bookIds)]],
  });
  for (const { bookId, due, collectBy } of rows) {
    const copies = found.get(bookId) ?? [];
    copies.push({ until: due ?? collectBy, isKept: due === null });
    found.set(bookId, copies);
  }
  return found;
}
