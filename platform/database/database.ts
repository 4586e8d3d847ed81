import pg from 'pg';
import type { Logger } from '../logging.js';

/** A pool of connections; anything that runs one statement. */
export type Database = pg.Pool;
export type Connection = pg.PoolClient;
export type Queryable = Pick<pg.Pool, 'query'>;

/**
 * Opens a pool. A connection that breaks while idle is dropped and logged, not thrown.
 * @param max most connections at once
 */
export function openDatabase(url: string, max: number, logger: Logger): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
  });
  pool.on('error', (error) => logger.warn({ error }, 'an idle database connection was lost'));
  // A connection that is lent out is not listened to by its pool, and an error that nobody hears ends the process. Who
  // has it finds out by his next statement.
  pool.on('connect', (connection) => void connection.on('error', () => undefined));
  return pool;
}

/** Runs the work in one transaction: committed when it returns, rolled back when it throws. */
export async function inTransaction<Result>(
  database: Database,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await database.connect();
  try {
    await connection.query('begin');
    const result = await work(connection);
    await connection.query('commit');
    connection.release();
    return result;
  } catch (error) {
    await connection.query('rollback').then(
      () => connection.release(),
      (broken: Error) => connection.release(broken),
    );
    throw error;
  }
}
