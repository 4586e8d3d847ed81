import { z } from 'zod';
import type { Queryable } from '../database/database.js';
import { queryRow, queryRows } from '../database/query-rows.js';
import type { CategoryName } from '#contracts/event-log/categories.js';
import type { EventLog } from '../event-log/event-log.js';

/** The followers of the event log. */
export const FOLLOWERS = ['projection', 'letters'] as const;
export type FollowerName = (typeof FOLLOWERS)[number];

const followerStateRow = z.object({
  name: z.enum(FOLLOWERS),
  state: z.enum(['retrying', 'stopped']),
  since: z.date(),
  reason: z.string(),
  stream: z.string().nullable(),
  revision: z.string().nullable(),
  position: z.string().nullable(),
  type: z.string().nullable(),
});

/** The published state of a follower without progress; a working one publishes none. */
export interface FollowerFailure {
  name: FollowerName;
  /** `retrying`: something is unavailable for too long. `stopped`: an operator has to act. */
  state: 'retrying' | 'stopped';
  /** The time of its last progress, or when it stopped. */
  since: Date;
  reason: string;
  /** The event that it stopped at, if any. */
  event: { stream: string; revision: bigint; position: bigint; type: string } | null;
}

/** Followers without progress, in any process. */
export async function failingFollowers(database: Queryable): Promise<FollowerFailure[]> {
  const rows = await queryRows(
    database,
    followerStateRow,
    'select name, state, since, reason, stream, revision, position, type from follower_state order by name',
  );
  return rows.map(({ stream, revision, position, type, ...trouble }) => ({
    ...trouble,
    event:
      stream !== null && revision !== null && position !== null && type !== null
        ? { stream, revision: BigInt(revision), position: BigInt(position), type }
        : null,
  }));
}

/** Publishes a follower's state, in place of its last one. */
export async function recordFollowerFailure(database: Queryable, trouble: FollowerFailure): Promise<void> {
  const { name, state, since, reason, event } = trouble;
  await database.query(
    `insert into follower_state (name, state, since, reason, stream, revision, position, type)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (name) do update set (state, since, reason, stream, revision, position, type) =
       row(excluded.state, excluded.since, excluded.reason, excluded.stream, excluded.revision, excluded.position, excluded.type)`,
    [
      ...[name, state, since, reason],
      ...[event?.stream, event?.revision.toString(), event?.position.toString(), event?.type],
    ],
  );
}

/** The follower works again. */
export async function clearFollowerFailure(database: Queryable, name: FollowerName): Promise<void> {
  await database.query('delete from follower_state where name = $1', [name]);
}

const checkpointRow = z.object({ commit: z.coerce.bigint(), prepare: z.coerce.bigint() });

/** Milliseconds to wait for an event after the checkpoint. */
const TIMEOUT = 400;
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
    const missing = await this.log.firstAfter(this.categories, position, TIMEOUT);
    return missing ? Math.max(0, (Date.now() - missing.created.getTime()) / 1000) : 0;
  }
}
