import type { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../test-support/database.js';
import { createLogger } from '../logging.js';
import { openDataSource } from './data-source.js';
import { inTransaction, openDatabase, type Database } from './database.js';
import { GenreEntity } from './entities/catalogue.entity.js';

describe('a data source', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let source: DataSource;
  beforeAll(async () => {
    testDatabase = await createTestDatabase('migrated');
    database = openDatabase(testDatabase.url, 3, createLogger('silent'));
    source = await openDataSource(database);
  });
  afterAll(async () => {
    await source.destroy();
    await testDatabase.drop();
  });

  const genre = (name: string) => ({ name, description: '' });
  const genres = async () => (await source.getRepository(GenreEntity).find()).map(({ name }) => name);

  it('takes its connections from the pool that SQL takes them from', async () => {
    await Promise.all(
      [1, 2, 3, 4, 5, 6].map((n) =>
        n % 2 ? source.query('select pg_sleep(0.05)') : database.query('select pg_sleep(0.05)'),
      ),
    );
    const { rows } = await database.query(
      'select count(*)::integer as connections from pg_stat_activity where datname = current_database() and usename is not null',
    );
    expect(rows).toEqual([{ connections: 3 }]);
    expect(database.totalCount).toBe(3);
    expect(database.idleCount).toBe(3);
  });

  it('commits what entities and SQL wrote together', async () => {
    await inTransaction(source, async (manager, connection) => {
      await manager.insert(GenreEntity, genre('Essay'));
      const { rows } = await connection.query('select name from genre');
      expect(rows).toEqual([{ name: 'Essay' }]);
      await connection.query(`insert into genre (name) values ('Poetry')`);
    });
    expect(await genres()).toEqual(['Essay', 'Poetry']);
  });

  it('takes back what either wrote when the work fails, and gives the connection back', async () => {
    const work = inTransaction(source, async (manager, connection) => {
      await manager.delete(GenreEntity, { name: 'Essay' });
      await connection.query('delete from genre');
      await manager.insert(GenreEntity, { ...genre('Essay'), id: 1 });
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    expect(await genres()).toEqual(['Essay', 'Poetry']);
    expect(database.idleCount).toBe(database.totalCount);
  });

  it('drops a connection that broke in a transaction, and goes on with another', async () => {
    const work = inTransaction(source, async (manager, connection) => {
      await manager.delete(GenreEntity, { name: 'Essay' });
      const { rows } = await connection.query('select pg_backend_pid() as pid');
      await database.query('select pg_terminate_backend($1)', [rows[0].pid]);
      await manager.delete(GenreEntity, { name: 'Poetry' });
    });
    await expect(work).rejects.toMatchObject({
      message: expect.stringMatching(
        // What was last heard of the connection: by PostgreSQL, by pg, or by the socket that is gone.
        /^(Connection terminated|terminating connection|Client has encountered|write EPIPE|read ECONNRESET)/,
      ),
    });
    expect(await genres()).toEqual(['Essay', 'Poetry']);
    expect(database.idleCount).toBe(database.totalCount);
  });
});
