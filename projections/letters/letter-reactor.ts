import type pg from 'pg';
import { LOCKS } from '#platform/database/locks.js';
import type { BorrowLog, LogPosition, StoredBorrowEvent } from '#platform/event-log/borrow-log.js';
import { askForLetter } from '#platform/letters/notification-request.js';
import type { Logger } from '#platform/logging.js';
import { batches } from '../batches.js';
import { moveCheckpoint, readCheckpoint } from '../checkpoint.js';
import { lead, type FollowerState } from '../leading.js';
import { letterOfEvent } from './letter-of-event.js';

const SCHEMA = 'letters';
/** Most events that one transaction looks through. */
const MAX_EVENTS = 500;

/**
 * Follows the log and asks for the letters that its events are due: ledger, outbox and checkpoint in one
 * transaction, so each event asks once. It has a checkpoint of its own: a rebuild of the read model sends nothing.
 * Any number of processes may run one; an advisory lock elects the one that works.
 */
export class LetterReactor {
  private current: FollowerState = { kind: 'standby' };
  private lost = 0;
  private readonly ending = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly databaseUrl: string,
    private readonly database: pg.Pool,
    private readonly log: BorrowLog,
    private readonly logger: Logger,
  ) {}

  get state(): FollowerState {
    return this.current;
  }

  /** How often it lost its link to the log or the database, and began anew. */
  get losses(): number {
    return this.lost;
  }

  /** Begins, and returns when the place in the log is settled from which on letters are sent, or cannot be yet. */
  async start(): Promise<void> {
    await this.begin().catch((error: unknown) => {
      this.logger.warn({ error }, 'letters wait until the event log answers');
    });
    this.running ??= lead(
      {
        name: 'the letter clerk',
        databaseUrl: this.databaseUrl,
        lock: LOCKS.letters,
        follow: (connection, signal) => this.follow(connection, signal),
        onState: (state) => (this.current = state),
        onLoss: () => (this.lost += 1),
      },
      this.ending.signal,
      this.logger,
    );
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await this.running;
  }

  /** At the first start ever the log's end is where letters begin: nobody is written to about what was long ago. */
  private async begin(): Promise<void> {
    const { rowCount } = await this.database.query(`select from ${SCHEMA}.checkpoint`);
    if (rowCount === 1) return;
    const end = await this.log.end();
    await this.database.query(
      `insert into ${SCHEMA}.checkpoint (commit_position, prepare_position, events) values ($1, $2, 0)
       on conflict do nothing`,
      [(end?.commit ?? -1n).toString(), (end?.prepare ?? -1n).toString()],
    );
  }

  private async follow(connection: pg.Client, signal: AbortSignal): Promise<void> {
    await this.begin();
    let { position } = await readCheckpoint(connection, SCHEMA);
    this.current = { kind: 'leading', position: position?.commit ?? -1n };
    for await (const events of batches(this.log.follow(position, signal), MAX_EVENTS)) {
      if (signal.aborted) return;
      const reached = await this.ask(connection, position, events);
      // Somebody moved the checkpoint: start again from where it is now.
      if (!reached) return;
      position = reached;
      this.current = { kind: 'leading', position: position.commit };
    }
  }

  private async ask(
    connection: pg.Client,
    from: LogPosition | undefined,
    events: StoredBorrowEvent[],
  ): Promise<LogPosition | undefined> {
    const last = events.at(-1)?.position;
    if (!last) return from;
    const wishes = events.map(letterOfEvent).filter((wish) => wish !== undefined);
    try {
      const [, moved] = await Promise.all([
        connection.query('begin'),
        moveCheckpoint(connection, SCHEMA, from, last, events.length),
        // One after the other on this connection: each sees the ones before it.
        ...wishes.map((wish) => askForLetter(connection, wish)),
      ]);
      await connection.query(moved ? 'commit' : 'rollback');
      return moved ? last : undefined;
    } catch (error) {
      await connection.query('rollback').catch(() => undefined);
      throw error;
    }
  }
}
