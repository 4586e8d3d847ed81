import { setImmediate as breathe } from 'node:timers/promises';
import type { z } from 'zod';
import type { Connection, Database } from './database.js';
import { queryRows } from './query-rows.js';

/** Reads on one connection, all of them as of one moment. */
export async function inSnapshot<Result>(
  database: Database,
  read: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await database.connect();
  try {
    await connection.query('begin isolation level repeatable read read only');
    const result = await read(connection);
    await connection.query('commit');
    connection.release();
    return result;
  } catch (error) {
    connection.release(error as Error);
    throw error;
  }
}

/**
 * Reads the rows of a statement in batches, inside a transaction; the event loop goes on between them.
 * @param atOnce rows of a batch, which bounds how long the event loop is blocked
 * @param take gets each batch, and says whether it wants more
 * @returns false when `take` did not want more
 */
export async function eachBatch<Row extends z.ZodType>(
  connection: Connection,
  row: Row,
  statement: string,
  atOnce: number,
  take: (rows: z.output<Row>[]) => boolean,
): Promise<boolean> {
  await connection.query(`declare batches no scroll cursor for ${statement}`);
  for (;;) {
    const rows = await queryRows(connection, row, `fetch ${atOnce} from batches`);
    if (rows.length === 0) break;
    if (!take(rows)) return false;
    await breathe();
  }
  await connection.query('close batches');
  return true;
}
