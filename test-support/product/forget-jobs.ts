import type { Database } from '#platform/database/database.js';

/** Empties the queues in PostgreSQL, as a Redis that kept nothing is empty. */
export async function forgetJobs(database: Database): Promise<void> {
  const { rows } = await database.query<{ tables: string }>(
    `select string_agg(format('%I.%I', schemaname, tablename), ', ') as tables from pg_tables
     where schemaname = 'lectern_jobs' and tablename not in ('migration', 'meta')`,
  );
  await database.query(`truncate ${rows[0]?.tables}`);
}
