import { z } from 'zod';
import type { Queryable } from '../database/database.js';
import { queryRows } from '../database/query-rows.js';

/** Who follows the event log. */
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

/** What a follower that does not get on leaves for everybody else; one that is at work leaves nothing. */
export interface FollowerTrouble {
  name: FollowerName;
  /** `retrying`: something is away, for longer than it should be. `stopped`: a person has to look. */
  state: 'retrying' | 'stopped';
  /** When its last progress was, or when it stopped. */
  since: Date;
  reason: string;
  /** The event that it stopped at, where it was one. */
  event: { stream: string; revision: bigint; position: bigint; type: string } | null;
}

/** Followers that do not get on, whatever process they are in. */
export async function followersInTrouble(database: Queryable): Promise<FollowerTrouble[]> {
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

/** Tells everybody, in place of what was told of this follower before. */
export async function recordTrouble(database: Queryable, trouble: FollowerTrouble): Promise<void> {
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

/** The follower is at work again. */
export async function clearTrouble(database: Queryable, name: FollowerName): Promise<void> {
  await database.query('delete from follower_state where name = $1', [name]);
}
