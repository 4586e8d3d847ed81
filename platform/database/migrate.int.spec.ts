import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../test-support/database.js';
import { migrate } from './migrate.js';

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
    const { rows: checkpoint } = await client.query('select commit_position from read_model.checkpoint');
    await client.end();
    expect(rows[0]?.n).toBeGreaterThanOrEqual(3);
    expect(checkpoint).toEqual([{ commit_position: '-1' }]);
  });
});
