import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';

/** Writes a book with so many copies on the shelf. */
export async function makeBook(database: Database, copies: number, title: string): Promise<number> {
  const book = await queryRow(
    database,
    z.object({ id: z.int() }),
    `with p as (
       insert into publisher (name) values ('Test Press') on conflict (name) do update set name = excluded.name returning id
     )
     insert into book (isbn, title, publisher_id, published, copies_total, copies_available)
     select $1, $2, p.id, '2001-01-01', $3, $3 from p returning id`,
    [`test-${randomUUID()}`, title, copies],
  );
  return book?.id ?? -1;
}
