import pg from 'pg';
import { tryLock } from '#platform/database/locks.js';
import { ConnectionLost } from './failure.js';

/** Milliseconds of silence after which the system looks whether the other machine is still there. */
const KEEP_ALIVE = 10_000;
/** Milliseconds for a statement, far above the longest: without it, a leader whose connection was lost without a word leads for ever. */
const TIMEOUT = 120_000;

/** The leader's lock, and the connection that it then writes with. */
export interface Election {
  databaseUrl: string;
  /** The advisory lock, held by the writing connection itself. */
  lock: number;
  /** Of that connection. */
  options?: string | undefined;
}

/**
 * Does the work if this process is elected leader.
 * @param work gets the connection that holds the lock, and a signal for a lost connection or shutdown
 * @returns whether this process was elected
 * @throws the work's error; ConnectionLost, or the connection's own error, if that ended first
 */
export async function runAsLeader(
  { databaseUrl, lock, options }: Election,
  work: (connection: pg.Client, signal: AbortSignal) => Promise<void>,
  ending: AbortSignal,
): Promise<boolean> {
  const connection = new pg.Client({
    connectionString: databaseUrl,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE,
    // Breaks the connection: no later statement could be answered on it.
    query_timeout: TIMEOUT,
    ...(options !== undefined && { options }),
    // Independent statements are pipelined: a batch waits three times.
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
