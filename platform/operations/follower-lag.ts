import { z } from 'zod';
import type { CategoryName } from '#contracts/event-log/categories.js';
import type { Queryable } from '../database/database.js';
import { queryRow } from '../database/query-rows.js';
import type { EventLog } from '../event-log/event-log.js';

const checkpointRow = z.object({ commit: z.coerce.bigint(), prepare: z.coerce.bigint() });

/** Milliseconds to wait for an event after the checkpoint. */
const PATIENCE = 400;
/** Milliseconds for which a result is cached. */
const FRESH = 3_000;

/**
 * A follower's lag behind the event log in seconds: the age of the oldest event after its checkpoint, 0 if there is
 * none.
 */
export class FollowerLag {
  private last: { at: number; lag: Promise<number> } | undefined;

  constructor(
    private readonly database: Queryable,
    private readonly log: EventLog,
    /** The schema of the checkpoint: a name of ours, never from outside. */
    private readonly schema: () => Promise<string>,
    private readonly categories: readonly CategoryName[] = ['borrows'],
  ) {}

  /** @throws when the database or the log does not answer, or there is no checkpoint yet */
  async seconds(): Promise<number> {
    const now = Date.now();
    if (!this.last || now - this.last.at > FRESH) this.last = { at: now, lag: this.measure() };
    return this.last.lag;
  }

  private async measure(): Promise<number> {
    const row = await queryRow(
      this.database,
      checkpointRow,
      `select commit_position as commit, prepare_position as prepare from ${await this.schema()}.checkpoint`,
    );
    if (!row) throw new Error('the log was not followed yet');
    const position = row.commit < 0n ? undefined : row;
    const missing = await this.log.firstAfter(this.categories, position, PATIENCE);
    return missing ? Math.max(0, (Date.now() - missing.created.getTime()) / 1000) : 0;
  }
}
