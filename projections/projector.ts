import type pg from 'pg';
import { LOCKS } from '#platform/database/locks.js';
import { CHANNELS, type ReadModelChange } from '#platform/database/notifications.js';
import { READ_MODEL } from '#platform/database/read-model.js';
import type { BorrowLog, LogPosition, StoredBorrowEvent } from '#platform/event-log/borrow-log.js';
import type { Logger } from '#platform/logging.js';
import { batches } from './batches.js';
import { foldBatch } from './borrowing/borrow-batch.js';
import { applyToCopies, rowsBefore, writeBatch } from './borrowing/borrow.projection.js';
import { moveCheckpoint, readCheckpoint } from './checkpoint.js';
import { lead, type FollowerState } from './leading.js';

/** Most events that one transaction applies. */
const MAX_EVENTS = 2000;
/** Beyond this many borrows in one batch the screens are told to ask again. */
const MAX_NAMED = 150;

/** How the projection is, for health checks. */
export type ProjectorState = FollowerState;

/**
 * Keeps the read model up to the event log. Any number of processes may run one: a PostgreSQL advisory lock,
 * held by the very connection that writes, elects the one that works.
 */
export class Projector {
  private current: ProjectorState = { kind: 'standby' };
  private lost = 0;
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

  /** How often it lost its link to the log or the database, and began anew. */
  get losses(): number {
    return this.lost;
  }

  start(): void {
    this.running ??= this.run();
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await this.running;
  }

  private run(): Promise<void> {
    return lead(
      {
        name: 'the projection',
        databaseUrl: this.databaseUrl,
        lock: LOCKS.projections,
        // Rows and checkpoint are one transaction: if PostgreSQL loses its last moments, both are gone and the
        // events are applied again. So a commit need not wait for the disk.
        options: '-c synchronous_commit=off',
        follow: (connection, signal) => this.follow(connection, signal),
        onState: (state) => (this.current = state),
        onLoss: () => (this.lost += 1),
      },
      this.ending.signal,
      this.logger,
    );
  }

  private async follow(connection: pg.Client, signal: AbortSignal): Promise<void> {
    let { position } = await readCheckpoint(connection, READ_MODEL);
    this.current = { kind: 'leading', position: position?.commit ?? -1n };
    this.logger.info({ position: (position?.commit ?? -1n).toString() }, 'the projection leads');
    for await (const events of batches(this.log.follow(position, signal), MAX_EVENTS)) {
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
        ...(named.size <= MAX_NAMED && {
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
const MAX_PAYLOAD = 7900;

async function notify(connection: pg.Client, change: ReadModelChange): Promise<void> {
  let payload = JSON.stringify(change);
  if (payload.length > MAX_PAYLOAD)
    payload = JSON.stringify({ position: change.position } satisfies ReadModelChange);
  await connection.query({
    name: 'notify',
    text: 'select pg_notify($1, $2)',
    values: [CHANNELS.readModels, payload],
  });
}
