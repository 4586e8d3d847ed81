import { z } from 'zod';
import type { Queryable } from './database.js';
import { queryRow } from './query-rows.js';

/**
 * The advisory locks of the product, one number each, the same in every process that shares a database. The
 * event store has its own pair of numbers beside them.
 */
export const LOCKS = {
  /** Changing the schema. */
  migrations: 7_305_001,
  /** Writing the read model: who holds it leads the projections. */
  projections: 7_305_002,
  /** Rebuilding the read model: two at once would share the shadow schema. */
  rebuild: 7_305_003,
  /** Putting the demo in. */
  demo: 7_305_004,
  /** Giving a name to an author, genre or publisher; the second number is that of the name. */
  names: 7_305_005,
  /** Giving and taking roles: of two at once, each could believe the other's admin to remain. */
  roles: 7_305_006,
  /** Registering an address; the second number is that of the address. Of two at once the second takes the first one's place. */
  addresses: 7_305_008,
  /** Asking for letters: who holds it looks through the log. */
  letters: 7_305_009,
  /** Asking for a report: of two that ask for the same, the second joins the first. */
  reports: 7_305_011,
  /** The order of the library's reading lists, and how many there are. */
  libraryLists: 7_305_077,
  /** Giving records the time by which harvesters know them. */
  harvest: 7_305_055,
  /** Using the event log: everybody who may append shares it, a move of the log has it alone. */
  logUse: 7_305_034,
  /** Looking at how the parts do, and telling admins of it. */
  house: 7_305_023,
  /** The password of the embedded PostgreSQL's superuser: a backup shares it, who changes it has it alone. */
  superuserPassword: 7_305_022,
} as const;

const taken = z.object({ taken: z.boolean() });

/** Takes a lock for as long as the connection lasts, unless somebody else has it. @returns whether it is taken */
export async function tryLock(connection: Queryable, lock: number): Promise<boolean> {
  const row = await queryRow(connection, taken, 'select pg_try_advisory_lock($1) as taken', [lock]);
  return row?.taken === true;
}

/** Takes a lock together with others for as long as the connection lasts, unless somebody has it alone. @returns whether it is taken */
export async function trySharedLock(connection: Queryable, lock: number): Promise<boolean> {
  const row = await queryRow(connection, taken, 'select pg_try_advisory_lock_shared($1) as taken', [lock]);
  return row?.taken === true;
}

/** Who leads the projection to one version of the read model: servers of two releases each have theirs. */
export function projectionLock(version: number): number {
  return version === 1 ? LOCKS.projections : LOCKS.projections * 1_000 + version;
}
