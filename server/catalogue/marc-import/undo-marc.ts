import { z } from 'zod';
import type { Connection, Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import type { WorkOptions } from '../../imports/staged-imports.js';
import { changedCopySchema, takeBackHoldings } from './holdings.js';
import { MARC_IMPORTS } from './marc-imports.js';
import type { Reason } from './marc-reasons.js';
import { contextOf, inBatches, replaceBooks, type Done } from './run-marc.js';

/** Rows of one transaction. */
const BATCH = 250;

const doneRow = z.object({
  place: z.int(),
  done: z.enum(['added', 'changed']),
  book_id: z.int(),
  is_as_it_was: z.boolean(),
  is_in_use: z.boolean(),
  copies: z.array(changedCopySchema).nullable(),
});

/**
 * Takes back what an import did, the last row first: books and copies that it added go, those that it changed are what they were. What
 * somebody has edited or lent since stays, and its row says so.
 * @returns whether it is done
 */
export async function undoMarcImport(
  database: Database,
  id: string,
  options: WorkOptions = {},
): Promise<boolean> {
  const isDone = await inBatches(database, id, 'undoing', undoBatch, options);
  if (isDone) await MARC_IMPORTS.move(database, id, ['undoing'], 'undone');
  return isDone;
}

async function undoBatch(connection: Connection, id: string, { actor }: { actor: string }): Promise<Done[]> {
  await connection.query(
    `select from book where id in (
       select book_id from marc_row where import_id = $1 and done in ('added', 'changed') order by place desc limit ${BATCH})
     order by id for update`,
    [id],
  );
  const rows = await queryRows(
    connection,
    doneRow,
    `select r.place, r.done, r.book_id, r.before -> 'copies' as copies, coalesce(b.version = r.version, false) as is_as_it_was,
       coalesce(b.holds > 0, false)
         or exists (select from copy_allocation h where h.book_id = r.book_id and h.state <> 'released')
         or exists (select from copy c where c.book_id = r.book_id and c.revision >= 0) as is_in_use
     from marc_row r left join book b on b.id = r.book_id
     where r.import_id = $1 and r.done in ('added', 'changed') order by r.place desc limit ${BATCH}`,
    [id],
  );
  const added: number[] = [];
  const changed: number[] = [];
  const done: Done[] = [];
  for (const { place, done: became, book_id, is_as_it_was, is_in_use, copies } of rows) {
    const isFree =
      is_as_it_was &&
      (became === 'added'
        ? !is_in_use
        : await takeBackHoldings(
            connection,
            book_id,
            copies ?? [],
            contextOf(id, place, actor, 'UndoCopies'),
          ));
    if (isFree) (became === 'added' ? added : changed).push(became === 'added' ? book_id : place);
    const left: Reason = { code: is_as_it_was ? 'in-use' : 'edited-since', where: '' };
    done.push({ place, book_id, done: isFree ? 'undone' : 'left', reason: isFree ? null : left });
  }
  await connection.query('delete from book where id = any($1::integer[])', [added]);
  if (changed.length > 0) await restore(connection, id, changed);
  return done;
}

const beforeRow = z.object({ before: z.looseObject({ id: z.int() }) });

async function restore(connection: Connection, id: string, places: readonly number[]): Promise<void> {
  const rows = await queryRows(
    connection,
    beforeRow,
    'select before from marc_row where import_id = $1 and place = any($2::integer[])',
    [id, places],
  );
  const books = rows.map(({ before }) => before);
  await replaceBooks(
    connection,
    books,
    `select b.*, l.authors, l.genres from jsonb_populate_recordset(null::book, $1) b
     join jsonb_to_recordset($1) l (id integer, authors integer[], genres integer[]) using (id)`,
  );
  await connection.query('delete from marc_record where book_id = any($1::integer[])', [
    books.map((book) => book.id),
  ]);
  await connection.query(
    `insert into marc_record select k.* from jsonb_to_recordset($1) as g (record jsonb)
     cross join jsonb_populate_record(null::marc_record, g.record) k where k.book_id is not null`,
    [JSON.stringify(books)],
  );
}
