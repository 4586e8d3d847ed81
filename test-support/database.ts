import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate } from '#platform/database/migrate.js';

/** A database of its own for one test file. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/**
 * Makes a database in the PostgreSQL that the integration tests share.
 * @param schema `migrated` for the product's tables, `empty` for none
 */
export async function createTestDatabase(schema: 'empty' | 'migrated' = 'empty'): Promise<TestDatabase> {
  const adminUrl = process.env['TEST_POSTGRES_URL'];
  if (!adminUrl) throw new Error('TEST_POSTGRES_URL is set by the global setup of the integration tests');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = async (sql: string) => {
    const client = new pg.Client({ connectionString: adminUrl });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  await admin(`create database ${name}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  if (schema === 'migrated') await migrate(url.toString());
  return { url: url.toString(), drop: () => admin(`drop database if exists ${name} with (force)`) };
}
