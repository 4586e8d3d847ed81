import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { UnreadableEvent } from '#platform/event-log/upcast.js';
import type { Logger } from '#platform/logging.js';
import { EventNotApplied } from './borrowing/borrow-row.js';

/** Milliseconds between two tries to lead, or to come back. */
const RETRY = 500;
/** Most milliseconds between two tries to come back: each pause is twice the one before. */
const MAX_PAUSE = 5_000;
/** Milliseconds after which a try counts as one that had come back. */
const HELD = 1_000;

/** How a follower of the log is, for health checks. */
export type FollowerState =
  | { kind: 'standby' }
  | { kind: 'leading'; position: bigint }
  /** An event cannot be applied. Nothing is skipped: a person has to look. */
  | { kind: 'stopped'; reason: string }
  | { kind: 'ended' };

/** What one process of several does at a time. */
export interface LedWork {
  /** For the log: 'the projection'. */
  name: string;
  databaseUrl: string;
  /** The advisory lock that elects the one, held by the very connection that it writes with. */
  lock: number;
  /** Of that connection. */
  options?: string;
  /** Follows the log until the signal. Returns early to begin anew. */
  follow: (connection: pg.Client, signal: AbortSignal) => Promise<void>;
  /** Told of every change but `leading`, which the work itself knows. */
  onState: (state: FollowerState) => void;
  /** Told when a link to the database or the log was lost, or could not be made. */
  onLoss: () => void;
}

/** Leads whenever no other process does, comes back when a connection was lost, and ends with the signal. */
export async function lead(work: LedWork, ending: AbortSignal, logger: Logger): Promise<void> {
  let failures = 0;
  while (!ending.aborted) {
    const began = performance.now();
    try {
      await leadOnce(work, ending);
      failures = 0;
    } catch (error) {
      if (ending.aborted) break;
      if (error instanceof UnreadableEvent || error instanceof EventNotApplied) {
        work.onState({ kind: 'stopped', reason: error.message });
        logger.fatal({ error }, `${work.name} stopped: an event cannot be applied, and none is skipped`);
        return;
      }
      work.onState({ kind: 'standby' });
      work.onLoss();
      logger.warn({ error }, `${work.name} lost a connection and tries again`);
      failures = performance.now() - began > HELD ? 1 : failures + 1;
    }
    const pause = Math.min(RETRY * 2 ** Math.max(failures - 1, 0), MAX_PAUSE);
    await sleep(pause, undefined, { signal: ending }).catch(() => undefined);
  }
  work.onState({ kind: 'ended' });
}

/** Leads until the link to the database or the log is lost. Returns at once where another process leads. */
async function leadOnce({ databaseUrl, lock, options, follow }: LedWork, ending: AbortSignal): Promise<void> {
  const connection = new pg.Client({
    connectionString: databaseUrl,
    keepAlive: true,
    ...(options !== undefined && { options }),
    // Statements that do not need each other's outcome travel together: a batch waits three times.
    pipeline: true,
  });
  const lost = new AbortController();
  connection.on('error', (error) => lost.abort(error));
  connection.on('end', () => lost.abort(new Error('the connection was closed')));
  await connection.connect();
  try {
    const { rows } = await connection.query<{ leads: boolean }>('select pg_try_advisory_lock($1) as leads', [
      lock,
    ]);
    if (!rows[0]?.leads) return;
    await follow(connection, AbortSignal.any([lost.signal, ending]));
    if (!ending.aborted) throw lost.signal.reason ?? new Error('the subscription ended');
  } finally {
    await connection.end().catch(() => undefined);
  }
}
