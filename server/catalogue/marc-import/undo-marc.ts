import { z } from 'zod';
import type { Connection, Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { moveImport } from './marc-imports.js';
import type { Reason } from './marc-reasons.js';
import { inBatches, replaceBooks, type WorkOptions } from './run-marc.js';

/** Rows of one transaction. */
const BATCH = 250;

const doneRow = z.object({
  place: z.int(),
  done: z.enum(['added', 'changed']),
  book_id: z.int(),
  is_as_it_was: z.boolean(),
  is_in_use: z.boolean(),
  before: z.record(z.string(), z.unknown()).nullable(),
});
type DoneRow = z.output<typeof doneRow>;

/**
 * Takes back what an import did, the last row first: books that it added go, those that it changed are what they were. What somebody
 * has edited or lent since stays, and its row says so.
 * @returns whether it is done
 */
export async function undoMarcImport(
  database: Database,
  id: string,
  options: WorkOptions = {},
): Promise<boolean> {
  const isDone = await inBatches(database, id, (connection) => undoBatch(connection, id), options);
  if (isDone) await moveImport(database, id, ['undoing'], 'undone');
  return isDone;
}

async function undoBatch(connection: Connection, id: string): Promise<number> {
  await connection.query('select from marc_import where id = $1 for update', [id]);
  await connection.query(
    `select from book where id in (
       select book_id from marc_row where import_id = $1 and done in ('added', 'changed') order by place desc limit ${BATCH})
     order by id for update`,
    [id],
  );
  const rows = await queryRows(
    connection,
    doneRow,
    `select r.place, r.done, r.book_id, r.before, coalesce(b.version = r.version, false) as is_as_it_was,
       coalesce(b.holds > 0, false)
         or exists (select from copy_allocation h where h.book_id = r.book_id and h.state <> 'released')
         or exists (select from copy c where c.book_id = r.book_id and c.revision >= 0) as is_in_use
     from marc_row r left join book b on b.id = r.book_id
     where r.import_id = $1 and r.done in ('added', 'changed') order by r.place desc limit ${BATCH}`,
    [id],
  );
  const left = new Map<number, Reason>();
  for (const row of rows) {
    if (!row.is_as_it_was) left.set(row.place, { code: 'edited-since', where: '' });
    else if (row.done === 'added' && row.is_in_use) left.set(row.place, { code: 'in-use', where: '' });
  }
  const undone = rows.filter(({ place }) => !left.has(place));
  const added = undone.filter(({ done }) => done === 'added').map(({ book_id }) => book_id);
  await connection.query('delete from book where id = any($1::integer[])', [added]);
  await restore(
    connection,
    undone.filter(({ done }) => done === 'changed'),
  );
  await connection.query(
    `update marc_row r set done = d.done, reason = d.reason, before = null
     from jsonb_to_recordset($2) as d (place integer, done text, reason jsonb)
     where r.import_id = $1 and r.place = d.place`,
    [
      id,
      JSON.stringify(
        rows.map(({ place }) => ({
          place,
          done: left.has(place) ? 'left' : 'undone',
          reason: left.get(place) ?? null,
        })),
      ),
    ],
  );
  await connection.query('update marc_import set handled = handled + $2, touched_at = now() where id = $1', [
    id,
    rows.length,
  ]);
  return rows.length;
}

async function restore(connection: Connection, rows: readonly DoneRow[]): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map(({ book_id, before }) => ({ id: book_id, ...before }));
  await replaceBooks(
    connection,
    values,
    `select g.id, g.title, g.original_title, g.other_titles, g.description, g.publisher_id, g.series, g.volume, g.language,
       g.published, g.price, g.authors, g.genres
     from jsonb_to_recordset($1) as g (id integer, title text, original_title text, other_titles text[], description text,
       publisher_id integer, series text, volume text, language text, published text, price integer, authors integer[],
       genres integer[])`,
  );
  const given = [JSON.stringify(values)];
  await connection.query(
    `delete from marc_record using jsonb_to_recordset($1) as g (id integer, record jsonb)
     where book_id = g.id and coalesce(g.record, 'null') = 'null'`,
    given,
  );
  await connection.query(
    `update marc_record r set control = x.control, agency = x.agency, form = x.form, bytes = decode(x.bytes, 'base64')
     from jsonb_to_recordset($1) as g (id integer, record jsonb)
     cross join jsonb_to_record(g.record) as x (control text, agency text, form text, bytes text)
     where r.book_id = g.id and coalesce(g.record, 'null') <> 'null'`,
    given,
  );
}
