import { z } from 'zod';
import { COPY_CONDITIONS } from '#contracts/copies/copy-events.js';
import { copyCode, type CopyOfBook } from '#contracts/catalogue/copy-code.js';
import type { CopyAtHand } from '#copies/copy.decider.js';
import type { Queryable } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';

const countersRow = z.object({ copies_total: z.int(), copies_available: z.int() });
const outOfServiceRow = z.object({ copies: z.int() });

export interface BookOfCopies extends z.output<typeof countersRow> {
  /** The highest number of a copy that it ever had. */
  numbered: number;
}

/**
 * The counters of a book, locked as a rent locks them: until the transaction ends no copy of it is taken or comes back.
 */
export async function lockCounters(connection: Queryable, bookId: number): Promise<BookOfCopies | undefined> {
  const counters = await queryRow(
    connection,
    countersRow,
    'select copies_total, copies_available from book where id = $1::bigint for no key update',
    [bookId],
  );
  if (!counters) return undefined;
  // A statement of its own: one that waited for the lock sees other tables as they were before it waited.
  const outOfService = await queryRow(
    connection,
    outOfServiceRow,
    `select count(*)::integer as copies from copy where book_id = $1::bigint and condition <> 'present'`,
    [bookId],
  );
  return { ...counters, numbered: counters.copies_total + (outOfService?.copies ?? 0) };
}

/**
 * The copies of the book `b`, `n.copy` each, with what is known of them (`c`) and what they are out for (`a`). Most have
 * neither.
 */
export const COPIES_OF_BOOK = `
  cross join lateral generate_series(1, b.copies_total + (
    select count(*)::integer from copy x where x.book_id = b.id and x.condition <> 'present')) as n (copy)
  left join copy c on c.book_id = b.id and c.copy = n.copy
  left join copy_allocation a on a.book_id = b.id and a.copy = n.copy and a.state <> 'released'`;

/**
 * Whether a book of a borrow was handed over, and not only rented: a borrow is issued in parts.
 * @param borrow of the read model, a name of ours
 */
export const isIssued = (borrow: string, bookId: string) => `
  exists (select from jsonb_to_recordset(${borrow}.books) as k ("bookId" integer, "issuedAt" text)
    where k."bookId" = ${bookId} and k."issuedAt" is not null)`;

const copyRow = z.object({
  copy: z.int(),
  condition: z.enum(COPY_CONDITIONS),
  shelf_mark: z.string().nullable(),
  revision: z.coerce.number(),
  is_pending: z.boolean(),
  borrow_id: z.string().nullable(),
  scanned: z.boolean(),
  lost_in: z.string().nullable(),
});
export type CopyRow = z.output<typeof copyRow>;

const COPY_ROW = `
  select n.copy, coalesce(c.condition, 'present') as condition, c.shelf_mark, coalesce(c.revision, -1) as revision,
    c.pending is not null as is_pending, a.borrow_id, coalesce(a.scanned, false) as scanned, c.lost_in
  from book b ${COPIES_OF_BOOK}`;

/** One copy of a locked book. */
export function copyRowOf(connection: Queryable, { bookId, copy }: CopyOfBook): Promise<CopyRow | undefined> {
  return queryRow(connection, copyRow, `${COPY_ROW} where b.id = $1::bigint and n.copy = $2`, [bookId, copy]);
}

/** The copies of a locked book that stand on the shelf, the last ones first. */
export function copiesOnShelf(connection: Queryable, bookId: number, count: number): Promise<CopyRow[]> {
  return queryRows(
    connection,
    copyRow,
    `${COPY_ROW}
     where b.id = $1::bigint and a.borrow_id is null and coalesce(c.condition, 'present') = 'present'
     order by n.copy desc limit $2`,
    [bookId, count],
  );
}

/** A copy as its rules see it. */
export function atHand(
  id: CopyOfBook,
  row: CopyRow,
  heldFor: CopyAtHand['heldFor'],
  lostBy?: string,
): CopyAtHand {
  const state = { condition: row.condition, shelfMark: row.shelf_mark };
  return { ...id, code: copyCode(id), state, heldFor, lostBy };
}
