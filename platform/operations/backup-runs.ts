import { z } from 'zod';
import { BACKUP_FAILURES, BACKUP_STEPS } from '#contracts/dashboard/house.js';
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

/** When the last backup of the schedule was begun. */
export async function lastScheduledAt(database: Queryable): Promise<Date | undefined> {
  const row = await queryRow(
    database,
    z.object({ at: z.date().nullable() }),
    'select max(at) as at from backup_run where scheduled',
  );
  return row?.at ?? undefined;
}

/** Asks for a backup. @returns whether none was asked for or under way before */
export async function askForBackup(database: Queryable, id: string, at: Date): Promise<boolean> {
  const { rowCount } = await database.query(
    `insert into backup_run (id, at, scheduled, state) values ($1, $2, false, 'asked') on conflict do nothing`,
    [id, at],
  );
  return rowCount === 1;
}
