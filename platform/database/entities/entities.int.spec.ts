import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { createTestDatabase } from '../../../test-support/database.js';
import { shared } from '../../../test-support/shared.js';
import { createLogger } from '../../logging.js';
import { openDataSource } from '../data-source.js';
import { openDatabase } from '../database.js';

describe('the entities', () => {
  const database = shared(() => createTestDatabase('migrated'));
  const source = shared(() => openDataSource(openDatabase(database.url, 2, createLogger('silent'))));

  it('have the columns of the migrated tables, all of them', async () => {
    expect(source.entityMetadatas).not.toHaveLength(0);
    for (const { tableName, columns } of source.entityMetadatas) {
      expect([tableName, columns.map(described).sort()]).toEqual([tableName, await columnsOf(tableName)]);
    }
  });

  it('have the keys of the migrated tables', async () => {
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
