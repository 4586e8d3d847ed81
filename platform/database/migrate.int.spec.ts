import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../test-support/database.js';
import { StartRefused } from '../start-refused.js';
import { migrate } from './migrate.js';
import { READ_MODEL, readModelIndexes, readModelTables } from './read-model.js';

describe('the migrations', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('empty');
  });
  afterAll(() => database.drop());

  it('may be run by several processes at once, and again', async () => {
    await Promise.all([migrate(database.url), migrate(database.url), migrate(database.url)]);
    await migrate(database.url);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query<{ n: number }>('select count(*)::integer as n from migration');
    const { rows: checkpoint } = await client.query(`select commit_position from ${READ_MODEL}.checkpoint`);
    await client.end();
    expect(rows[0]?.n).toBeGreaterThanOrEqual(3);
    expect(checkpoint).toEqual([{ commit_position: '-1' }]);
  });

  it('give a new installation its lists, as a rebuild makes them', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
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
    await client.end();
    expect(migrated.columns.length).toBeGreaterThan(20);
    expect(migrated).toEqual(rebuilt);
  });

  it('refuse a database that a newer release has changed, in one line', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(
      `insert into migration (timestamp, name) values (1999000000000, 'Later1999000000000')`,
    );
    await client.end();
    const refused = await migrate(database.url).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StartRefused);
    expect((refused as Error).message).toMatch(/^The database was changed by a newer release .*Later1999.*$/);
  });
});
