import type { Database } from '#platform/database/database.js';
import { waitFor } from '../wait-for.js';

/**
 * Holds what a statement locks until somebody else waits for it, and commits then.
 * @param values of both statements
 * @param meanwhile what has to wait
 * @param last what is changed just before the commit
 * @returns what `meanwhile` gives
 */
export async function whileLocked<Result>(
  database: Database,
  [lock, values]: [sql: string, values: unknown[]],
  meanwhile: () => Promise<Result>,
  last = 'select where $1::text is not null',
): Promise<Result> {
  const client = await database.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await client.query(lock, values);
    const waiting = meanwhile();
    await waitFor(async () => {
      const blocked = 'select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
      return (await database.query(blocked, [rows[0]?.pid])).rowCount;
    });
    await client.query(last, values);
    await client.query('commit');
    return await waiting;
  } finally {
    client.release(true);
  }
}
