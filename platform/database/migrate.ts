import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { z } from 'zod';
import * as m from '#words/messages.js';
import { packageRoot } from '../package-root.js';
import { StartupError } from '../startup-error.js';
import { LOCKS } from './locks.js';
import { queryRow, queryRows } from './query-rows.js';
import {
  READ_MODEL,
  READ_MODEL_RELEASE,
  readModelIndexes,
  readModelSchema,
  readModelTables,
} from './read-model.js';
import { ReadModelSchema } from './read-model-schema.js';

/** The rooms of the schema, in an order in which each finds what it refers to. */
const SCHEMA = [
  'text',
  'accounts',
  'sign-in',
  'catalogue',
  'search',
  'merges',
  'lists',
  'commands',
  'copies',
  'reader-imports',
  'holds',
  'payments',
  'letters',
  'stock-taking',
  'rules',
  'library',
  'audit',
  'reports',
  'marc',
  'harvest',
  'sources',
  'webhooks',
  'self-service',
  'operations',
];

/** Statements that bring the schema from one state to the next. */
export interface Migration {
  /** As the table `migration` has it once it was applied. */
  name: string;
  /** In the folder `schema`. */
  files: readonly string[];
}

/**
 * All migrations, in their order. Each is applied once, in a transaction of its own. The first makes the schema; what was released
 * is never changed.
 *
 * To add the next one: write its statements to `schema/migrations/<name>.sql`, and append its name and file here. It never calls a
 * function that may change later. The servers of the release before go on running beside it: a column or a table that they
 * use goes in the release after the one that needs it no more.
 */
export const MIGRATIONS: readonly [baseline: Migration, ...Migration[]] = [
  { name: '1.0.0', files: SCHEMA.map((room) => `${room}.sql`) },
];

const FOLDER = join(packageRoot(), 'platform/database/schema');

/**
 * Brings the database to the present schema. Several processes may do so at once: one works, the others wait.
 * @throws StartupError where the database is of a Lectern before 1.0.0, or a newer release has changed it already
 */
export async function migrate(url: string, migrations: readonly Migration[] = MIGRATIONS): Promise<void> {
  const connection = new pg.Client({ connectionString: url });
  await connection.connect();
  try {
    await connection.query('select pg_advisory_lock($1)', [LOCKS.migrations]);
    await refuseTablesBeforeBaseline(connection, `DATABASE_URL: the database ${connection.database}`);
    await connection.query(`
      create table if not exists migration (
        id integer generated always as identity primary key,
        name text not null unique,
        applied_at timestamptz not null default now()
      )`);
    const applied = await namesOfApplied(connection);
    refuseNewer(applied, migrations);
    for (const { name, files } of migrations) {
      if (applied.includes(name)) continue;
      const statements = await Promise.all(files.map((file) => readFile(resolve(FOLDER, file), 'utf8')));
      await connection.query('begin');
      for (const each of statements) await connection.query(each);
      await connection.query('insert into migration (name) values ($1)', [name]);
      await connection.query('commit');
    }
    await makeEmptyReadModel(connection);
  } finally {
    await connection.end();
  }
}

/**
 * Refuses a database with the tables of a Lectern before 1.0.0, whoever owns them.
 * @param place the setting, and what it leads to
 * @throws StartupError
 */
export async function refuseBeforeBaseline(url: string, place: string): Promise<void> {
  const connection = new pg.Client({ connectionString: url });
  await connection.connect();
  try {
    await refuseTablesBeforeBaseline(connection, place);
  } finally {
    await connection.end();
  }
}

async function refuseTablesBeforeBaseline(connection: pg.Client, place: string): Promise<void> {
  const row = await queryRow(
    connection,
    z.object({ found: z.boolean() }),
    `select exists (select from pg_attribute
       where attrelid = to_regclass('public.migration') and attname = 'timestamp') as found`,
  );
  if (!row?.found) return;
  throw new StartupError(m.start_data_too_old({ place }));
}

async function namesOfApplied(connection: pg.Client): Promise<string[]> {
  const rows = await queryRows(
    connection,
    z.object({ name: z.string() }),
    'select name from migration order by id',
  );
  return rows.map(({ name }) => name);
}

/**
 * Refuses a database that has a migration this release does not know.
 * @throws StartupError
 */
function refuseNewer(applied: readonly string[], migrations: readonly Migration[]): void {
  const unknown = applied.find((name) => !migrations.some((each) => each.name === name));
  if (unknown === undefined) return;
  throw new StartupError(m.start_database_newer({ migration: unknown }));
}

/**
 * Where no event was ever followed, this release's lists are complete once their tables are there: nobody waits for them to be
 * built.
 */
async function makeEmptyReadModel(connection: pg.Client): Promise<void> {
  const schemas = new ReadModelSchema(connection);
  const newest = (await schemas.versions()).at(-1);
  if (newest !== undefined && newest >= READ_MODEL_RELEASE.version) return;
  const older = newest === undefined ? undefined : readModelSchema(newest);
  if (older !== undefined) {
    const { rowCount } = await connection.query(`select from ${older}.checkpoint where commit_position < 0`);
    if (rowCount === 0) return;
  }
  await connection.query(`
    begin;
    ${readModelTables(READ_MODEL)}
    ${readModelIndexes(READ_MODEL)}
    ${older === undefined ? '' : `update ${READ_MODEL}.checkpoint set log_id = (select log_id from ${older}.checkpoint);`}
    commit`);
}
