import { z } from 'zod';
import { borrowStatusSchema } from '#contracts/borrowing/borrow-status.js';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { eachBatch, inSnapshot } from '#platform/database/snapshot.js';
import { QueueIndex } from './queue-index.js';

/** Rows of a batch. */
const AT_ONCE = 2000;
/** More changes than this are read anew with everything else. */
const MAX_CHANGES = 20_000;

/** How far an index is. */
export interface IndexState {
  /** Of the table that it was read from: a rebuild makes another one. */
  table: string;
  /** Log position of the last change of a borrow. */
  position: string;
  /** Names that earlier transactions changed are in the index, those of later ones may not be. */
  watermark: string;
}

const stateRow = z.object({ table: z.string(), position: z.string(), watermark: z.string() });
/** `z.number()`, which is four times as fast as `z.int()`. */
const time = z.number();
const borrowRow = z.object({
  borrow_id: z.string(),
  reader_id: z.string(),
  titles: z.string(),
  status: borrowStatusSchema,
  waits: z.boolean(),
  undone: z.boolean(),
  rented: time,
  issued: time.nullable(),
  due: time.nullable(),
  returned: time.nullable(),
});
const nameRow = z.object({ pseudonym: z.string(), text: z.string().nullable() });
const changesRow = stateRow.extend({ borrows: z.array(borrowRow), names: z.array(nameRow) });

const millisecondsOf = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;
const COLUMNS = `borrow_id, reader_id, titles, status, reserved > 0 as waits, undone, ${millisecondsOf('rented_at')} as rented,
  ${millisecondsOf('issued_at')} as issued, ${millisecondsOf('due_date')} as due, ${millisecondsOf('returned_at')} as returned`;

/** @param borrows a subquery of all that are read */
const stateOf = (schema: string, borrows: string) => `to_regclass('${schema}.borrow')::oid::text as table,
  coalesce((select max(position) from ${borrows} b), -1)::text as position,
  pg_snapshot_xmin(pg_current_snapshot())::text as watermark`;

/**
 * Reads the whole queue.
 * @param schema of the read model
 * @returns undefined when `stopped` said so
 */
export function readIndex(
  database: Database,
  schema: string,
  stopped: (index: QueueIndex) => boolean,
): Promise<{ index: QueueIndex; state: IndexState } | undefined> {
  return inSnapshot(database, async (connection) => {
    const index = new QueueIndex();
    const state = await queryRow(connection, stateRow, `select ${stateOf(schema, `${schema}.borrow`)}`);
    const names = 'select pseudonym, search_text as text from account';
    const isRead =
      (await eachBatch(connection, nameRow, names, AT_ONCE, (rows) => {
        for (const { pseudonym, text } of rows) index.readers.name(pseudonym, text);
        return !stopped(index);
      })) &&
      (await eachBatch(connection, borrowRow, `select ${COLUMNS} from ${schema}.borrow`, AT_ONCE, (rows) => {
        for (const row of rows) index.add(row);
        return !stopped(index);
      }));
    return state && isRead ? { index, state } : undefined;
  });
}

/**
 * Brings an index up to date with the database.
 *
 * The rows are written by one projection, whose transactions are one after the other in the order of the log: no row
 * with an earlier position than one that is here can still appear; with the same there may be, of events stored together.
 * Names marked by a transaction that is yet to come are those of another cluster, from which the database was restored.
 * @returns how far it is now; undefined where all has to be read anew
 */
export async function catchUp(
  database: Database,
  schema: string,
  index: QueueIndex,
  { table, position, watermark }: IndexState,
): Promise<IndexState | undefined> {
  const changes = await queryRow(database, changesRow, {
    name: `queue-changes-${schema}`,
    // One statement, so that all of it is of one snapshot.
    text: `
      with changed as materialized (
        select ${COLUMNS}, position from ${schema}.borrow where position >= $1 order by position limit ${MAX_CHANGES + 1})
      select ${stateOf(schema, 'changed')},
        coalesce((select json_agg(c) from changed c), '[]') as borrows,
        coalesce((select json_agg(n) from (
          select c.pseudonym, a.search_text as text from account_search_change c
          left join account a on a.pseudonym = c.pseudonym
          where c.changed_in >= $2::xid8 and c.changed_in < pg_snapshot_xmax(pg_current_snapshot()) limit ${MAX_CHANGES + 1}) n), '[]') as names`,
    values: [position, watermark],
  });
  if (!changes || changes.table !== table) return undefined;
  if (changes.borrows.length > MAX_CHANGES || changes.names.length > MAX_CHANGES) return undefined;
  for (const { pseudonym, text } of changes.names) index.readers.name(pseudonym, text);
  for (const borrow of changes.borrows) index.apply(borrow);
  return {
    table,
    position: changes.borrows.length === 0 ? position : changes.position,
    watermark: changes.watermark,
  };
}

/** The words as readers are found by them. */
export async function foldedForReaders(database: Database, words: readonly string[]): Promise<string[]> {
  // Nothing but case can be folded in these, whoever does it.
  if (words.every((word) => /^[\x21-\x7e]*$/.test(word))) return words.map((word) => word.toLowerCase());
  const row = await queryRow(
    database,
    z.object({ words: z.array(z.string()) }),
    'select array(select search_folded(w) from unnest($1::text[]) with ordinality t (w, n) order by n) as words',
    [words],
  );
  return row?.words ?? [];
}
