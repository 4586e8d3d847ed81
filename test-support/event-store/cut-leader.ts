import type { Queryable } from '#platform/database/database.js';

/**
 * Breaks the connection of whoever leads by an advisory lock, in this database alone: those of test files that run
 * beside this one hold the same lock in databases of their own.
 */
export async function cutLeader(database: Queryable, lock: number): Promise<void> {
  await database.query(
    `select pg_terminate_backend(pid) from pg_locks join pg_database d on d.oid = database
     where datname = current_database() and locktype = 'advisory' and granted
       and (classid::bigint << 32) + objid::bigint = $1`,
    [lock],
  );
}
