import { setImmediate as breathe } from 'node:timers/promises';
import { z } from 'zod';
import type { Connection, Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { WordIndex } from './word-index.js';

/** Batch size of the rows, which bounds how long the event loop is blocked. */
const AT_ONCE = 1000;

/** How far changes have been read: earlier transactions are in the index, later ones may not be. */
export type Watermark = string;

const watermarkRow = z.object({ watermark: z.string() });
const removedRow = z.object({ id: z.int() });
/** `z.number()`, which is four times as fast as `z.int()`: a catalogue has a million of these rows. */
const searchRow = z.object({
  id: z.number(),
  title: z.string(),
  length: z.number(),
  main: z.string(),
  rest: z.string(),
});

/**
 * Brings an index up to date with the database.
 * @param since undefined for everything
 * @returns how far the index is now, and the number of rows that were read; undefined when `stopped` said so, or
 *   when the index has to be rebuilt because all books were removed at once
 */
export async function readIndex(
  database: Database,
  index: WordIndex,
  since: Watermark | undefined,
  stopped: () => boolean,
): Promise<{ watermark: Watermark; rows: number } | undefined> {
  const connection = await database.connect();
  try {
    // One snapshot for all, so that the watermark belongs to the rows.
    await connection.query('begin isolation level repeatable read read only');
    const result = await readAll(connection, index, since ?? '0', stopped);
    await connection.query('commit');
    connection.release();
    return result;
  } catch (error) {
    connection.release(error as Error);
    throw error;
  }
}

async function readAll(
  connection: Connection,
  index: WordIndex,
  since: Watermark,
  stopped: () => boolean,
): Promise<{ watermark: Watermark; rows: number } | undefined> {
  const mark = await queryRow(
    connection,
    watermarkRow,
    'select pg_snapshot_xmin(pg_current_snapshot())::text as watermark',
  );
  if (since !== '0') {
    const removed = await queryRows(
      connection,
      removedRow,
      'select book_id as id from book_search_removed where changed_in >= $1::xid8',
      [since],
    );
    if (removed.some(({ id }) => id === 0)) return undefined;
    for (const { id } of removed) index.remove(id);
  }
  await connection.query(
    `declare changes no scroll cursor for
     select book_id as id, title_start as title, char_length(title_start) as length,
       array_to_string(tsvector_to_array(main), ' ') as main,
       array_to_string(tsvector_to_array(ts_delete(words, tsvector_to_array(main))), ' ') as rest
     from book_search ${since === '0' ? 'order by book_id' : `where changed_in >= '${BigInt(since)}'::xid8`}`,
  );
  let read = 0;
  for (;;) {
    const rows = await queryRows(connection, searchRow, `fetch ${AT_ONCE} from changes`);
    if (rows.length === 0) break;
    for (const row of rows) index.add(bookOf(row));
    read += rows.length;
    if (stopped()) return undefined;
    await breathe();
  }
  return { watermark: mark?.watermark ?? '0', rows: read };
}

function bookOf({ id, title, length, main, rest }: z.output<typeof searchRow>) {
  return {
    id,
    title,
    titleLength: length,
    main: main === '' ? [] : main.split(' '),
    // An ISBN is looked for in the database: a million different ones would be a million words here.
    rest: rest.split(' ').filter((word) => word !== '' && word[0] !== '#'),
  };
}
