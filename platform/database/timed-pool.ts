import { AsyncResource } from 'node:async_hooks';
import pg from 'pg';
import { millisecondsLeft } from '../deadline.js';
import { connect } from 'node:net';

/** The database did not answer in time. What it was asked may have been done, or may be done yet. */
export class DatabaseTimeout extends Error {
  override readonly name = 'DatabaseTimeout';
  /** As a socket's own. */
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('the database did not answer in time');
  }
}

/** Milliseconds that a statement gets when the time is over: a transaction is rolled back then. */
const LAST_WORD = 250;
/** Milliseconds for telling the server that a statement is not waited for any more. */
const CANCELLING = 2_000;
const CANCEL_REQUEST = 80_877_102;

type Query = (...parameters: unknown[]) => unknown;

/**
 * A connection that gives up a statement when the caller's time is over, or its own patience. It is closed then: an answer
 * that came later would be taken for the one to the next statement.
 */
class TimedClient extends pg.Client {
  private readonly patience: number;

  constructor(options: pg.ClientConfig & { patience?: number }) {
    super(options);
    this.patience = options.patience ?? Infinity;
    this.query = this.timed(super.query.bind(this)) as typeof this.query;
  }

  private timed(query: Query): Query {
    return (...parameters) => {
      const time = Math.max(LAST_WORD, Math.min(millisecondsLeft(), this.patience));
      if (time === Infinity) return query(...parameters);
      const timer = setTimeout(() => this.giveUp(), time);
      const callback = parameters.at(-1);
      if (typeof callback === 'function') {
        const answered: Query = (...answer) => {
          clearTimeout(timer);
          return (callback as Query)(...answer);
        };
        return query(...parameters.slice(0, -1), answered);
      }
      return (query(...parameters) as Promise<unknown>).finally(() => clearTimeout(timer));
    };
  }

  private giveUp(): void {
    this.connection.stream.destroy(new DatabaseTimeout());
    this.cancel();
  }

  /** A server does not notice that nobody waits, and would work or wait for a lock to the end. It may not hear it either. */
  private cancel(): void {
    const { host, port } = this;
    // As the server told them when the connection began.
    const { processID, secretKey } = this as unknown as {
      processID: number | null;
      secretKey: number | null;
    };
    if (processID === null || secretKey === null) return;
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    const request = Buffer.alloc(16);
    [request.length, CANCEL_REQUEST, processID, secretKey].forEach((word, index) =>
      request.writeInt32BE(word, index * 4),
    );
    socket.setTimeout(CANCELLING, () => socket.destroy());
    socket.on('error', () => undefined);
    socket.end(request);
    socket.unref();
  }
}

/** Milliseconds for a connection to open, or to become free, where the caller has no deadline. */
const CONNECTING = 10_000;
/** Milliseconds of silence after which the system looks whether the other machine is still there. */
const KEEP_ALIVE = 10_000;

type Lent = (error?: Error, connection?: pg.PoolClient, release?: (error?: Error | boolean) => void) => void;

/** A pool whose callers wait no longer than they have time, for a connection and for each answer. */
export class TimedPool extends pg.Pool {
  /**
   * @param max most connections at once
   * @param patience milliseconds for a statement of a caller without a deadline
   */
  constructor(connectionString: string, max: number, patience: number) {
    super({
      connectionString,
      max,
      connectionTimeoutMillis: CONNECTING,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE,
      Client: class extends TimedClient {
        constructor(options?: pg.ClientConfig) {
          super({ ...options, patience });
        }
      },
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(lent: Lent): void;
  override connect(lent?: Lent): Promise<pg.PoolClient> | void {
    if (lent) return this.lend(lent);
    return new Promise((resolve, reject) => {
      this.lend((error, connection) =>
        connection ? resolve(connection) : reject(error ?? new DatabaseTimeout()),
      );
    });
  }

  private lend(lent: Lent): void {
    // The pool calls from whichever work gave the connection back: with the deadline of that, but for this.
    const answer = AsyncResource.bind(lent);
    const left = millisecondsLeft();
    if (left === Infinity) return super.connect(answer);
    let isLate = false;
    const giveUp = () => {
      isLate = true;
      answer(new DatabaseTimeout());
    };
    if (left <= 0) return void setImmediate(giveUp);
    const timer = setTimeout(giveUp, left);
    super.connect((error, connection, release) => {
      clearTimeout(timer);
      if (isLate) release?.();
      else answer(error, connection, release);
    });
  }
}
