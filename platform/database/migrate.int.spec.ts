import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../test-support/database/database.js';
import { sharedFolder } from '../../test-support/shared.js';
import { StartupError } from '../startup-error.js';
import { migrate, MIGRATIONS } from './migrate.js';
import { READ_MODEL, readModelIndexes, readModelTables } from './read-model.js';

describe('the migrations', () => {
  const folder = sharedFolder();
  let database: TestDatabase;
  let client: pg.Client;
  beforeEach(async () => {
    database = await createTestDatabase('empty');
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  afterEach(async () => {
    await client.end();
    await database.drop();
  });

  const column = async (sql: string) =>
    (await client.query({ text: sql, rowMode: 'array' })).rows.map(([value]) => value as unknown);
  const applied = () => column('select name from migration order by id');
  const next = (name: string, statements: string) => {
    const file = join(folder, `${name}.sql`);
    writeFileSync(file, statements);
    return [...MIGRATIONS, { name, files: [file] }];
  };
  const refusal = async () => {
    const refused = await migrate(database.url).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StartupError);
    return (refused as Error).message;
  };

  it('may be run by several processes at once, and again', async () => {
    await Promise.all([migrate(database.url), migrate(database.url), migrate(database.url)]);
    await migrate(database.url);
    expect(await applied()).toEqual(['1.0.0']);
    expect(await column(`select commit_position from ${READ_MODEL}.checkpoint`)).toEqual(['-1']);
  });

  it('give a new installation its lists, as a rebuild makes them', async () => {
    await migrate(database.url);
    const made = async (schema: string) => {
      const { rows: columns } = await client.query(
        `select table_name, column_name, data_type, is_nullable, column_default
         from information_schema.columns where table_schema = $1 order by 1, 2`,
        [schema],
      );
      const { rows: indexes } = await client.query<{ indexdef: string }>(
        `select replace(indexdef, $1 || '.', '') as indexdef from pg_indexes where schemaname = $1 order by 1`,
        [schema],
      );
      return { columns, indexes };
    };
    await client.query(readModelTables('rebuilt'));
    await client.query(readModelIndexes('rebuilt'));
    const [migrated, rebuilt] = [await made(READ_MODEL), await made('rebuilt')];
    expect(migrated.columns.length).toBeGreaterThan(20);
    expect(migrated).toEqual(rebuilt);
  });

  it('go on from what a release left, once, and keep its rows', async () => {
    await migrate(database.url);
    await client.query(`insert into genre (name) values ('Essay')`);
    const migrations = next('1.1.0', `alter table genre add column shelf text not null default 'A'`);
    await migrate(database.url, migrations);
    await migrate(database.url, migrations);
    expect(await applied()).toEqual(['1.0.0', '1.1.0']);
    expect(await column('select name || shelf from genre')).toEqual(['EssayA']);
  });

  it('leave nothing of one that fails, and do it when it is mended', async () => {
    const broken = next(
      '1.1.0',
      'alter table genre add column shelf text; alter table nowhere add column x text',
    );
    await expect(migrate(database.url, broken)).rejects.toThrow(/nowhere/);
    expect(await applied()).toEqual(['1.0.0']);
    await migrate(database.url, next('1.1.0', 'alter table genre add column shelf text'));
    expect(await applied()).toEqual(['1.0.0', '1.1.0']);
  });

  it('refuse a database that a newer release has changed, in one line', async () => {
    await migrate(database.url, next('1.1.0', 'select 1'));
    expect(await refusal()).toMatch(
      /^The database was changed by a newer release of Lectern \(1\.1\.0\): .*$/,
    );
  });

  it('refuse a database of before 1.0.0, in one line, and change nothing', async () => {
    await client.query(
      'create table migration (id serial primary key, timestamp bigint not null, name varchar not null)',
    );
    expect(await refusal()).toMatch(
      /^DATABASE_URL: the database test_\w+ is of a Lectern before 1\.0\.0, .*$/,
    );
    expect(await column(`select count(*)::integer from pg_tables where schemaname = 'public'`)).toEqual([1]);
  });
});
