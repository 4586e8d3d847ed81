import { connect } from 'node:net';
import pg from 'pg';
import { millisecondsLeft } from '../deadline.js';

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
export class TimedClient extends pg.Client {
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
