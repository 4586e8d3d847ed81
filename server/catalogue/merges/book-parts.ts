import { z } from 'zod';
import type { Connection } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';

const listRow = z.object({ list_id: z.uuid() });

/** Lists have the book that stays in the place of those that go, once each. @returns those that did not have it before */
export async function moveListEntries(
  connection: Connection,
  keep: number,
  merge: readonly number[],
): Promise<string[]> {
  const rows = await queryRows(
    connection,
    listRow,
    `insert into reading_list_book (list_id, book_id, place, added_at)
     select list_id, $1::integer, min(place), min(added_at) from reading_list_book
     where book_id = any($2::integer[]) group by list_id
     on conflict (list_id, book_id) do nothing returning list_id`,
    [keep, merge],
  );
  return rows.map(({ list_id }) => list_id);
}

/** @returns whether the book that stays had no picture, and took one */
export async function adoptCover(
  connection: Connection,
  keep: number,
  merge: readonly number[],
): Promise<boolean> {
  const { rowCount } = await connection.query(
    `with taken as (
       insert into book_cover (book_id, hash, bytes)
       select $1::integer, hash, bytes from book_cover where book_id = any($2::integer[])
         and exists (select from book where id = $1 and photo_url is null)
       order by array_position($2::integer[], book_id) limit 1
       on conflict do nothing returning hash)
     update book set photo_url = '/api/Book/' || id || '/cover?v=' || t.hash from taken t where id = $1`,
    [keep, merge],
  );
  return rowCount === 1;
}

/** @returns whether the book that stays came without a record of MARC 21, and took one */
export async function adoptRecord(
  connection: Connection,
  keep: number,
  merge: readonly number[],
): Promise<boolean> {
  const { rowCount } = await connection.query(
    `insert into marc_record (book_id, control, agency, form, bytes)
     select $1, control, agency, form, bytes from marc_record where book_id = any($2::integer[])
     order by array_position($2::integer[], book_id) limit 1
     on conflict do nothing`,
    [keep, merge],
  );
  return rowCount === 1;
}

/** Copies that came from elsewhere with labels of their own keep them under their new numbers, once those that had them are gone. */
export async function labelMoved(
  connection: Connection,
  keep: number,
  merge: readonly number[],
): Promise<void> {
  await connection.query(
    `update copy c set label = was.label
     from merged_record r join catalogue_merge m on m.id = r.merge_id and m.undone_at is null and m.kept_id = $1
     cross join jsonb_to_recordset(r.record -> 'moved') went ("from" integer, "to" integer)
     cross join jsonb_to_recordset(r.record -> 'copies') was (copy integer, label text)
     where r.id = any($2::integer[]) and was.copy = went."from" and was.label is not null
       and c.book_id = $1 and c.copy = went."to"`,
    [keep, merge],
  );
}
