import type { Queryable } from '../database/database.js';
import type { BorrowLog } from '../event-log/borrow-log.js';

/** How long the log may take to send an event that the rows do not have yet, in milliseconds. */
const PATIENCE = 400;
/** Asked more often than this, the last answer is given again; in milliseconds. */
const FRESH = 3_000;

/**
 * Tells how far who follows the event log is behind it, in seconds: the age of the oldest event that his checkpoint
 * does not have, 0 where it has all.
 */
export class FollowerLag {
  private last: { at: number; lag: Promise<number> } | undefined;

  constructor(
    private readonly database: Queryable,
    private readonly log: BorrowLog,
    /** The one with the checkpoint: a name of ours, never from outside. */
    private readonly schema: () => Promise<string>,
  ) {}

  /** @throws when the database or the log does not answer, or nothing was followed yet */
  async seconds(): Promise<number> {
    const now = Date.now();
    if (!this.last || now - this.last.at > FRESH) this.last = { at: now, lag: this.measure() };
    return this.last.lag;
  }

  private async measure(): Promise<number> {
    const { rows } = await this.database.query<{ commit: string; prepare: string }>(
      `select commit_position as commit, prepare_position as prepare from ${await this.schema()}.checkpoint`,
    );
    const [row] = rows;
    if (!row) throw new Error('the log was not followed yet');
    const commit = BigInt(row.commit);
    const position = commit < 0n ? undefined : { commit, prepare: BigInt(row.prepare) };
    const missing = await this.log.firstAfter(position, PATIENCE);
    return missing ? Math.max(0, (Date.now() - missing.created.getTime()) / 1000) : 0;
  }
}
