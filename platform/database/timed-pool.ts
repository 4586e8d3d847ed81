import { AsyncResource } from 'node:async_hooks';
import pg from 'pg';
import { millisecondsLeft } from '../deadline.js';
import { DatabaseTimeout, TimedClient } from './timed-client.js';

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
