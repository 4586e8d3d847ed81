import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { shared } from '../../test-support/shared.js';
import { createTestDatabase } from '../../test-support/database/database.js';
import { createLogger } from '../logging.js';
import { openDataSource } from './data-source.js';
import { inTransaction, openDatabase } from './database.js';
import { GenreEntity } from './entities/catalogue.entity.js';

describe('a data source', () => {
  const testDatabase = shared(() => createTestDatabase('migrated'));
  const database = shared(
    () => openDatabase(testDatabase.url, 3, createLogger('silent')),
    () => undefined,
  );
  const source = shared(() => openDataSource(database));

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

  it('has entities with the columns of the migrated tables, all of them', async () => {
    expect(source.entityMetadatas).not.toHaveLength(0);
    for (const { tableName, columns } of source.entityMetadatas) {
      expect([tableName, columns.map(described).sort()]).toEqual([tableName, await columnsOf(tableName)]);
    }
  });

  it('has entities with the keys of the migrated tables', async () => {
    for (const { tableName, primaryColumns } of source.entityMetadatas) {
      const names = primaryColumns.map(({ databaseName }) => databaseName).sort();
      expect([tableName, names]).toEqual([tableName, await keyOf(tableName)]);
    }
  });

  function described(column: ColumnMetadata): string {
    const type = source.driver.normalizeType(column);
    return `${column.databaseName} ${type}${column.isArray ? '[]' : ''}${column.isNullable ? '' : ' not null'}`;
  }

  async function columnsOf(table: string): Promise<string[]> {
    return linesOf(
      `select column_name || ' ' || case when data_type = 'ARRAY' then substr(udt_name, 2) || '[]' else data_type end
         || case is_nullable when 'NO' then ' not null' else '' end as line
       from information_schema.columns where table_schema = 'public' and table_name = $1`,
      table,
    );
  }

  async function keyOf(table: string): Promise<string[]> {
    return linesOf(
      `select column_name as line from information_schema.table_constraints
       join information_schema.key_column_usage using (constraint_schema, constraint_name)
       where constraint_type = 'PRIMARY KEY' and table_constraints.table_schema = 'public'
         and table_constraints.table_name = $1`,
      table,
    );
  }

  async function linesOf(sql: string, table: string): Promise<string[]> {
    const rows: { line: string }[] = await source.query(sql, [table]);
    return rows.map(({ line }) => line).sort();
  }
});
