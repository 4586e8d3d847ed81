import { Inject, Injectable } from '@nestjs/common';
import { inTransaction, type Connection, type Database } from '#platform/database/database.js';
import { withDeadlineTimeout, millisecondsLeft } from '#platform/deadline.js';
import { TimeoutError } from '#platform/with-timeout.js';
import { DATABASE } from '#platform/tokens.js';

/** Milliseconds for an answer, those included in which others are answered. */
const TIMEOUT = 15_000;
const TOO_LATE = 'a question to the log took too long';

/**
 * Reads much, and lets everybody else go first: one question at a time in this process, on one connection and one core of the
 * database, of one moment, and cancelled when its time is over.
 */
@Injectable()
export class LowPriorityReader {
  private last: Promise<unknown> = Promise.resolve();

  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** @throws TimeoutError */
  read<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    return withDeadlineTimeout(TIMEOUT, () => this.inTurn(work), TOO_LATE);
  }

  private inTurn<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const turn = this.last.then(async () => {
      // Whoever asked has been answered meanwhile.
      if (millisecondsLeft() <= 0) throw new TimeoutError(TOO_LATE);
      return inTransaction(this.database, async (connection) => {
        // The planner takes the books of all borrows for one: without a join by hash it went through the catalogue for each.
        await connection.query(
          `set transaction isolation level repeatable read, read only;
           set local max_parallel_workers_per_gather = 0;
           set local jit = off;
           set local enable_nestloop = off;
           set local work_mem = '32MB';
           set local cursor_tuple_fraction = 1`,
        );
        return work(connection);
      });
    });
    this.last = turn.catch(() => undefined);
    return turn;
  }
}
