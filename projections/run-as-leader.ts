import pg from 'pg';
import { tryLock } from '#platform/database/locks.js';
import { ConnectionLost } from './failure.js';

/** What elects the one process of several, and the connection that it then writes with. */
export interface Election {
  databaseUrl: string;
  /** The advisory lock, held by the very connection that writes. */
  lock: number;
  /** Of that connection. */
  options?: string | undefined;
}

/**
 * Does the work, unless another process does it.
 * @param work gets the connection that holds the lock, and a signal that the connection was lost or the end came
 * @returns whether this process was elected
 * @throws what the work throws; ConnectionLost, or the connection's own error, where that ended first
 */
export async function runAsLeader(
  { databaseUrl, lock, options }: Election,
  work: (connection: pg.Client, signal: AbortSignal) => Promise<void>,
  ending: AbortSignal,
): Promise<boolean> {
  const connection = new pg.Client({
    connectionString: databaseUrl,
    keepAlive: true,
    ...(options !== undefined && { options }),
    // Statements that do not need each other's outcome travel together: a batch waits three times.
    pipeline: true,
  });
  const lost = new AbortController();
  connection.on('error', (error) => lost.abort(error));
  connection.on('end', () => lost.abort(new ConnectionLost('the connection was closed')));
  await connection.connect();
  try {
    if (!(await tryLock(connection, lock))) return false;
    await work(connection, AbortSignal.any([lost.signal, ending]));
    if (!ending.aborted) lost.signal.throwIfAborted();
    return true;
  } finally {
    await connection.end().catch(() => undefined);
  }
}
