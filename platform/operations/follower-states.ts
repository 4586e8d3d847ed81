import { z } from 'zod';
import type { Queryable } from '../database/database.js';
import { queryRows } from '../database/query-rows.js';
import type { EventPlace } from '../event-log/upcast.js';

/** Who follows the event log. */
export const FOLLOWERS = ['projection', 'letters'] as const;
export type FollowerName = (typeof FOLLOWERS)[number];

/** What a follower that does not get on leaves for everybody else; one that is at work leaves nothing. */
const followerTroubleSchema = z.object({
  name: z.enum(FOLLOWERS),
  /** `retrying`: something is away, for longer than it should be. `stopped`: a person has to look. */
  state: z.enum(['retrying', 'stopped']),
  since: z.date(),
  reason: z.string(),
  /** The event that it stopped at, where it was one. */
  stream: z.string().nullable(),
  revision: z.coerce.bigint().nullable(),
  position: z.coerce.bigint().nullable(),
  type: z.string().nullable(),
});
export type FollowerTrouble = z.infer<typeof followerTroubleSchema>;

/** Followers that do not get on, whatever process they are in. */
export function followersInTrouble(database: Queryable): Promise<FollowerTrouble[]> {
  return queryRows(
    database,
    followerTroubleSchema,
    'select name, state, since, reason, stream, revision, position, type from follower_state order by name',
  );
}

/** @param since when its last progress was, or when it stopped */
export async function recordTrouble(
  database: Queryable,
  trouble: { name: FollowerName; state: FollowerTrouble['state']; since: Date; reason: string },
  place: EventPlace | undefined,
): Promise<void> {
  const { name, state, since, reason } = trouble;
  await database.query(
    `insert into follower_state (name, state, since, reason, stream, revision, position, type)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (name) do update set (state, since, reason, stream, revision, position, type) =
       row(excluded.state, excluded.since, excluded.reason, excluded.stream, excluded.revision, excluded.position, excluded.type)`,
    [
      ...[name, state, since, reason],
      ...[place?.stream, place?.revision.toString(), place?.position.commit.toString(), place?.type],
    ],
  );
}

/** The follower is at work again. */
export async function clearTrouble(database: Queryable, name: FollowerName): Promise<void> {
  await database.query('delete from follower_state where name = $1', [name]);
}
