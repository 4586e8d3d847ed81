import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { LOCKS } from '#platform/database/locks.js';
import { CHANNELS, type ReadModelChange } from '#platform/database/notifications.js';
import { READ_MODEL } from '#platform/database/read-model.js';
import type { BorrowLog, LogPosition, StoredBorrowEvent } from '#platform/event-log/borrow-log.js';
import { UnreadableEvent } from '#platform/event-log/upcast.js';
import type { Logger } from '#platform/logging.js';
import { batches } from './batches.js';
import { foldBatch } from './borrowing/borrow-batch.js';
import { applyToCopies, rowsBefore, writeBatch } from './borrowing/borrow.projection.js';
import { EventWithoutRent } from './borrowing/borrow-row.js';
import { moveCheckpoint, readCheckpoint } from './checkpoint.js';

/** Milliseconds between two tries to lead, or to come back. */
const RETRY = 500;
/** Most events that one transaction applies. */
const MOST_EVENTS = 2000;
/** Beyond this many borrows in one batch the screens are told to ask again. */
const MOST_NAMED = 150;

/** How the projection is, for health checks. */
export type ProjectorState =
  | { kind: 'standby' }
  | { kind: 'leading'; position: bigint }
  /** An event cannot be applied. Nothing is skipped: a person has to look. */
  | { kind: 'stopped'; reason: string }
  | { kind: 'ended' };

/**
 * Keeps the read model up to the event log. Any number of processes may run one: a PostgreSQL advisory lock,
 * held by the very connection that writes, elects the one that works.
 */
export class Projector {
  private current: ProjectorState = { kind: 'standby' };
  private readonly ending = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly databaseUrl: string,
    private readonly log: BorrowLog,
    private readonly logger: Logger,
  ) {}

  get state(): ProjectorState {
    return this.current;
  }

  start(): void {
    this.running ??= this.run();
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.ending.signal.aborted) {
      try {
        await this.leadOnce();
      } catch (error) {
        if (this.ending.signal.aborted) break;
        if (error instanceof UnreadableEvent || error instanceof EventWithoutRent) {
          this.current = { kind: 'stopped', reason: error.message };
          this.logger.fatal(
            { error },
            'the projection stopped: an event cannot be applied, and none is skipped',
          );
          return;
        }
        this.current = { kind: 'standby' };
        this.logger.warn({ error }, 'the projection lost a connection and tries again');
      }
      await sleep(RETRY, undefined, { signal: this.ending.signal }).catch(() => undefined);
    }
    this.current = { kind: 'ended' };
  }

  /** Leads until the link to the database or the log is lost. Returns at once where another process leads. */
  private async leadOnce(): Promise<void> {
    const connection = new pg.Client({
      connectionString: this.databaseUrl,
      keepAlive: true,
      // Rows and checkpoint are one transaction: if PostgreSQL loses its last moments, both are gone and the
      // events are applied again. So a commit need not wait for the disk.
      options: '-c synchronous_commit=off',
      // Statements that do not need each other's outcome travel together: a batch waits three times.
      pipeline: true,
    });
    const lost = new AbortController();
    connection.on('error', (error) => lost.abort(error));
    connection.on('end', () => lost.abort(new Error('the connection of the projection was closed')));
    await connection.connect();
    try {
      const { rows } = await connection.query<{ leads: boolean }>(
        'select pg_try_advisory_lock($1) as leads',
        [LOCKS.projections],
      );
      if (!rows[0]?.leads) return;
      await this.follow(connection, AbortSignal.any([lost.signal, this.ending.signal]));
      if (!this.ending.signal.aborted) throw lost.signal.reason ?? new Error('the subscription ended');
    } finally {
      await connection.end().catch(() => undefined);
    }
  }

  private async follow(connection: pg.Client, signal: AbortSignal): Promise<void> {
    let { position } = await readCheckpoint(connection, READ_MODEL);
    this.current = { kind: 'leading', position: position?.commit ?? -1n };
    this.logger.info({ position: (position?.commit ?? -1n).toString() }, 'the projection leads');
    for await (const events of batches(this.log.follow(position, signal), MOST_EVENTS)) {
      if (signal.aborted) return;
      const reached = await this.apply(connection, position, events);
      if (!reached) {
        // Somebody moved the checkpoint: start again from where it is now.
        return;
      }
      position = reached;
      this.current = { kind: 'leading', position: position.commit };
    }
  }

  /** Rows, holds, checkpoint and the word to the screens: one transaction. */
  private async apply(
    connection: pg.Client,
    from: LogPosition | undefined,
    events: StoredBorrowEvent[],
  ): Promise<LogPosition | undefined> {
    const last = events.at(-1)?.position;
    if (!last) return from;
    try {
      const [, moved, before, books] = await Promise.all([
        connection.query('begin'),
        moveCheckpoint(connection, READ_MODEL, from, last, events.length),
        rowsBefore(connection, READ_MODEL, events),
        applyToCopies(connection, events),
      ]);
      if (!moved) {
        await connection.query('rollback');
        return undefined;
      }
      const batch = foldBatch(events, before);
      // Of the events and not of the rows: a rent that was given up has no row, and its reader's history grew.
      const named = new Map(events.map(({ event, readerId }) => [event.data.borrowId, readerId]));
      const change: ReadModelChange = {
        position: last.commit.toString(),
        ...(named.size <= MOST_NAMED && {
          borrows: [...named],
          books: [
            ...new Set([
              ...books,
              ...[...batch.rows.values()].flatMap((row) => row.books.map((b) => b.bookId)),
            ]),
          ],
        }),
      };
      await Promise.all([writeBatch(connection, READ_MODEL, batch), notify(connection, change)]);
      // Sent when all of it is done: a statement that failed before it left this process aborts nothing there.
      await connection.query('commit');
      return last;
    } catch (error) {
      await connection.query('rollback').catch(() => undefined);
      throw error;
    }
  }
}

/** PostgreSQL's limit of a notification's payload, in bytes. */
const MOST_PAYLOAD = 7900;

async function notify(connection: pg.Client, change: ReadModelChange): Promise<void> {
  let payload = JSON.stringify(change);
  if (payload.length > MOST_PAYLOAD)
    payload = JSON.stringify({ position: change.position } satisfies ReadModelChange);
  await connection.query({
    name: 'notify',
    text: 'select pg_notify($1, $2)',
    values: [CHANNELS.readModels, payload],
  });
}
