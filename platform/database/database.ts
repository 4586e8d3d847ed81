import pg from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import type { Logger } from '../logging.js';
import { TimedPool } from './timed-pool.js';

/** A pool of connections; anything that runs one statement. */
export type Database = pg.Pool;
export type Connection = pg.PoolClient;
export type Queryable = Pick<pg.Pool, 'query'>;

/** What runs a statement inside a transaction: a connection of pg, or TypeORM's entity manager. */
export interface Statements {
  query(sql: string, parameters: unknown[]): Promise<unknown>;
}

/**
 * Opens a pool. A connection that breaks while idle is dropped and logged, not thrown.
 * @param max most connections at once
 * @param patience milliseconds for each statement of work that nobody waits for (`platform/deadline.ts`)
 */
export function openDatabase(url: string, max: number, logger: Logger, patience = Infinity): Database {
  const pool = new TimedPool(url, max, patience);
  pool.on('error', (error) => logger.warn({ error }, 'an idle database connection was lost'));
  // A connection that is lent out is not listened to by its pool, and an error that nobody hears ends the process. Who
  // has it finds out by their next statement.
  pool.on('connect', (connection) => void connection.on('error', () => undefined));
  return pool;
}

type SqlWork<Result> = (connection: Connection) => Promise<Result>;
type EntityWork<Result> = (manager: EntityManager, connection: Connection) => Promise<Result>;

/**
 * Runs the work in one transaction: committed when it returns, rolled back when it throws. On a data source, entities and
 * hand-written SQL go over the same connection.
 */
export function inTransaction<Result>(source: DataSource, work: EntityWork<Result>): Promise<Result>;
export function inTransaction<Result>(database: Database, work: SqlWork<Result>): Promise<Result>;
export function inTransaction<Result>(
  source: DataSource | Database,
  work: EntityWork<Result> | SqlWork<Result>,
): Promise<Result> {
  return source instanceof pg.Pool
    ? inSqlTransaction(source, work as SqlWork<Result>)
    : inEntityTransaction(source, work as EntityWork<Result>);
}

async function inEntityTransaction<Result>(source: DataSource, work: EntityWork<Result>): Promise<Result> {
  let connection: Connection | undefined;
  let broken: Error | undefined;
  const listener = (error: Error) => (broken = error);
  try {
    return await source.transaction(async (manager) => {
      connection = (await manager.queryRunner?.connect()) as Connection;
      connection.on('error', listener);
      return work(manager, connection);
    });
  } catch (error) {
    // Of a connection that broke between two statements TypeORM says only that it is released; why matters to callers.
    throw broken && (error as Error).name === 'QueryRunnerAlreadyReleasedError' ? broken : error;
  } finally {
    connection?.off('error', listener);
  }
}

async function inSqlTransaction<Result>(database: Database, work: SqlWork<Result>): Promise<Result> {
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
