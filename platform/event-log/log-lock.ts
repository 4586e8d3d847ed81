import pg from 'pg';
import * as m from '#words/messages.js';
import { DomainError } from '#contracts/domain-error.js';
import { LOCKS, tryLock, trySharedLock } from '../database/locks.js';
import { DatabaseTimeout } from '../database/timed-pool.js';
import { StartupError } from '../startup-error.js';

/** Milliseconds for which a look at the connection counts. */
const GOOD_FOR = 3_000;
/** Milliseconds that the database has for an answer. */
const TIMEOUT = 2_000;
/** Milliseconds for which the start of a process asks again: a database that is there may have much else to do. */
const STARTING = 30_000;

/**
 * Milliseconds after which a process that has lost its share in the log without noticing appends no more: its last look at
 * the connection, and the longest append that may begin then.
 */
export const SHARED_LOCK_TTL = GOOD_FOR + TIMEOUT + 5_000;

/**
 * A process's share in the use of the event log: an advisory lock on the database, which every process that may append holds
 * together with the others, and a move of the log alone. No lock of a database can stop an append to an event store
 * elsewhere. So a process looks every few seconds, before it appends, whether its connection and with it the lock are
 * there, and a move waits until the last look of a process whose connection was cut off is out of date.
 */
export class SharedLogLock {
  private connection: pg.Client | undefined;
  private confirmedAt = Number.NEGATIVE_INFINITY;
  private confirming: Promise<void> | undefined;
  private wasHeld = false;

  /** @param onRegained called when the lock was lost and is taken again: the log may have been moved meanwhile */
  constructor(
    private readonly databaseUrl: string,
    private readonly onRegained: () => void = () => undefined,
  ) {}

  /**
   * For the start of a process.
   * @throws StartupError while the log is being moved
   */
  async begin(): Promise<void> {
    const until = performance.now() + STARTING;
    for (;;) {
      try {
        return await this.confirm();
      } catch (error) {
        if (error instanceof DomainError) throw new StartupError(error.message);
        if (!(error instanceof DatabaseTimeout) || performance.now() > until) throw error;
      }
    }
  }

  /**
   * Called before each append.
   * @throws DomainError EventStoreUnavailable while the log is being moved
   */
  async confirm(): Promise<void> {
    if (this.connection && performance.now() - this.confirmedAt < GOOD_FOR) return;
    await (this.confirming ??= this.look().finally(() => (this.confirming = undefined)));
  }

  async release(): Promise<void> {
    await this.confirming?.catch(() => undefined);
    const { connection } = this;
    this.connection = undefined;
    await connection?.end().catch(() => undefined);
  }

  private async look(): Promise<void> {
    const at = performance.now();
    if (!(await this.isHeld())) await this.take();
    this.confirmedAt = at;
  }

  private async isHeld(): Promise<boolean> {
    const { connection } = this;
    if (!connection) return false;
    try {
      await connection.query('select 1');
      return true;
    } catch {
      this.lose(connection);
      return false;
    }
  }

  private async take(): Promise<void> {
    const connection = new pg.Client({
      connectionString: this.databaseUrl,
      application_name: 'lectern share in the event log',
      keepAlive: true,
      connectionTimeoutMillis: TIMEOUT,
      query_timeout: TIMEOUT,
    });
    connection.on('error', () => this.lose(connection));
    connection.on('end', () => this.lose(connection));
    try {
      await connection.connect();
      if (!(await trySharedLock(connection, LOCKS.logUse))) {
        throw new DomainError('EventStoreUnavailable', m.error_log_moving());
      }
    } catch (error) {
      void connection.end().catch(() => undefined);
      throw isTimeout(error) ? new DatabaseTimeout() : error;
    }
    this.connection = connection;
    if (this.wasHeld) this.onRegained();
    this.wasHeld = true;
  }

  private lose(connection: pg.Client): void {
    if (this.connection === connection) this.connection = undefined;
    connection.end().catch(() => undefined);
  }
}

/** What `pg` says of a connection that does not open, and of an answer that does not come. Neither has a code. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && /^(timeout expired|Query read timeout)$/.test(error.message);
}

/**
 * The log for this process alone, for as long as the connection lives.
 * @param onLost called if the connection ends before it is closed
 * @throws an Error while any process of the product runs
 */
export async function lockLogExclusively(
  databaseUrl: string,
  onLost: (reason: Error) => void,
): Promise<pg.Client> {
  const connection = new pg.Client({ connectionString: databaseUrl, keepAlive: true });
  connection.on('error', onLost);
  await connection.connect();
  if (await tryLock(connection, LOCKS.logUse)) return connection;
  await connection.end();
  throw new Error(m.cli_move_while_running());
}
