import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** A database of its own for one test file. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Makes an empty database in the PostgreSQL that the integration tests share. */
export async function createTestDatabase(): Promise<TestDatabase> {
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
  return { url: url.toString(), drop: () => admin(`drop database if exists ${name} with (force)`) };
}
