import { z } from 'zod';
import { startOfDay } from '#contracts/local-day.js';
import type { Queryable } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import type { LabelSheet } from '../label-sheet.js';

/** A book in the inventory. */
const inventoryBook = z.object({
  id: z.int(),
  isbn: z.string(),
  title: z.string(),
  authors: z.array(z.string()),
  genres: z.array(z.string()),
  publisher: z.string().nullable(),
  published: z.string().nullable(),
  copiesTotal: z.int(),
  copiesAvailable: z.int(),
  /** Of the copies that get labels; none in an inventory. */
  numbers: z.array(z.int()).default([]),
});
export type InventoryBook = z.output<typeof inventoryBook>;

const BOOKS = `
  select b.id, b.isbn, b.title, p.name as publisher, b.published,
    b.copies_total as "copiesTotal", b.copies_available as "copiesAvailable",
    array(
      select concat_ws(' ', nullif(a.firstname, ''), nullif(a.lastname, '')) from book_author ba join author a on a.id = ba.author_id
      where ba.book_id = b.id order by ba.place, a.id) as authors,
    array(
      select g.name from book_genre bg join genre g on g.id = bg.genre_id
      where bg.book_id = b.id order by bg.place, g.id) as genres`;
const FROM = 'from book b left join publisher p on p.id = b.publisher_id';
/** Those that are lost, damaged or withdrawn have none. */
const NUMBERS = `
  array(
    select n from generate_series(1, b.copies_total + (
      select count(*)::integer from copy x where x.book_id = b.id and x.condition <> 'present')) n
    where not exists (
      select from copy c where c.book_id = b.id and c.copy = n and c.condition <> 'present')
    order by n) as numbers`;
/** The catalogue's sort order by title. */
const BY_TITLE = 'order by b.title collate "pl-x-icu", b.id';

/** The whole catalogue, by title. */
export async function inventoryBooks(database: Queryable): Promise<InventoryBook[]> {
  return queryRows(database, inventoryBook, `${BOOKS} ${FROM} ${BY_TITLE}`);
}

/** The books whose copies get labels, by title. */
export async function labelledBooks(
  database: Queryable,
  { bookIds, addedSince }: LabelSheet,
  timeZone: string,
): Promise<InventoryBook[]> {
  return queryRows(
    database,
    inventoryBook,
    `${BOOKS}, ${NUMBERS} ${FROM}
     where b.copies_total > 0 and ($1::integer[] is null or b.id = any($1))
       and ($2::timestamptz is null or b.created >= $2)
     ${BY_TITLE}`,
    [bookIds ?? null, addedSince === undefined ? null : new Date(startOfDay(addedSince, timeZone))],
  );
}
