import { z } from 'zod';
import { BACKUP_FAILURES, BACKUP_STEPS } from '#contracts/dashboard/system-status.js';
import type { Queryable } from '../database/database.js';
import { queryRow, queryRows } from '../database/query-rows.js';

const COLUMNS = 'id, at, ended, scheduled, state, step, done, name, bytes, events, differences, failure';

const whole = z.coerce.number().int();
const backupRunRow = z.object({
  id: z.uuid(),
  at: z.date(),
  ended: z.date().nullable(),
  scheduled: z.boolean(),
  state: z.enum(['asked', 'running', 'good', 'failed']),
  step: z.enum(BACKUP_STEPS).nullable(),
  done: whole,
  name: z.string().nullable(),
  bytes: whole.nullable(),
  events: whole.nullable(),
  differences: z.int().nullable(),
  failure: z.enum(BACKUP_FAILURES).nullable().catch('other'),
});
/** A backup that the product makes, has made, or was asked for. */
export type BackupRun = z.output<typeof backupRunRow>;

/** What became of the last backups. */
export interface LastBackups {
  /** Asked for or under way. */
  running: BackupRun | undefined;
  lastGood: BackupRun | undefined;
  lastFailed: BackupRun | undefined;
}

export async function lastBackups(database: Queryable): Promise<LastBackups> {
  const rows = await queryRows(
    database,
    backupRunRow,
    `select distinct on (case when state in ('asked', 'running') then 'open' else state end) ${COLUMNS}
     from backup_run order by case when state in ('asked', 'running') then 'open' else state end, at desc`,
  );
  const of = (...states: BackupRun['state'][]) => rows.find(({ state }) => states.includes(state));
  return { running: of('asked', 'running'), lastGood: of('good'), lastFailed: of('failed') };
}

/** A backup of the schedule that failed is made again after so long. Milliseconds. */
export const RETRY_AFTER = 3_600_000;

/** When the last backup of the schedule was begun; a failed one counts for an hour alone. */
export async function lastScheduledAt(database: Queryable): Promise<Date | undefined> {
  const row = await queryRow(
    database,
    z.object({ at: z.date().nullable() }),
    `select max(at) as at from backup_run
     where scheduled and (state <> 'failed' or at > now() - make_interval(secs => $1))`,
    [RETRY_AFTER / 1000],
  );
  return row?.at ?? undefined;
}

/** Asks for a backup. @returns whether none was asked for or under way before */
export async function requestBackup(database: Queryable, id: string, at: Date): Promise<boolean> {
  const { rowCount } = await database.query(
    `insert into backup_run (id, at, scheduled, state) values ($1, $2, false, 'asked') on conflict do nothing`,
    [id, at],
  );
  return rowCount === 1;
}

/** A backup that was asked for, and not begun. */
export function requestedBackup(database: Queryable): Promise<{ id: string } | undefined> {
  return queryRow(database, z.object({ id: z.string() }), `select id from backup_run where state = 'asked'`);
}

export async function beginBackup(database: Queryable, id: string): Promise<void> {
  await database.query(`update backup_run set state = 'running' where id = $1 and state = 'asked'`, [id]);
}

/** @returns whether none was asked for or under way */
export async function beginScheduledBackup(database: Queryable, id: string, at: Date): Promise<boolean> {
  const { rowCount } = await database.query(
    `insert into backup_run (id, at, scheduled, state) values ($1, $2, true, 'running') on conflict do nothing`,
    [id, at],
  );
  return rowCount === 1;
}

export async function noteProgress(
  database: Queryable,
  id: string,
  step: (typeof BACKUP_STEPS)[number],
  done: number,
): Promise<void> {
  await database.query(`update backup_run set step = $2, done = $3 where id = $1 and state = 'running'`, [
    id,
    step,
    done,
  ]);
}

export type BackupOutcome =
  | { state: 'good'; name: string; bytes: number; events: number; differences: number }
  | { state: 'failed'; failure: (typeof BACKUP_FAILURES)[number] };

/** Runs older than this are forgotten, but for the last good one and the last failed one. */
const KEPT = '1 year';

export async function endBackup(
  database: Queryable,
  id: string,
  outcome: BackupOutcome,
  at: Date,
): Promise<void> {
  const good = outcome.state === 'good' ? outcome : undefined;
  await database.query(
    `update backup_run set state = $2, ended = $3, name = $4, bytes = $5, events = $6, differences = $7, failure = $8
     where id = $1`,
    [
      ...[id, outcome.state, at, good?.name, good?.bytes, good?.events, good?.differences],
      outcome.state === 'failed' ? outcome.failure : null,
    ],
  );
  await database.query(
    `delete from backup_run where at < now() - $1::interval
       and at < (select max(at) from backup_run later where later.state = backup_run.state)`,
    [KEPT],
  );
}

/** Backups that were under way when their process ended. */
export async function abortBackups(database: Queryable, at: Date): Promise<void> {
  await database.query(
    `update backup_run set state = 'failed', failure = 'interrupted', ended = $1 where state = 'running'`,
    [at],
  );
}
