import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from './database.js';

const FOLDER = join(import.meta.dirname, 'samples');

/** The releases of which a small library was recorded, by `scripts/sample.mjs`; the oldest first. */
export const SAMPLES: readonly string[] = readdirSync(FOLDER)
  .flatMap((file) => (file.endsWith('.sql.gz') ? [file.slice(0, -'.sql.gz'.length)] : []))
  .sort();

/** A database as a release left it: its schema, its rows and its events. */
export async function openSample(name: string): Promise<TestDatabase> {
  const statements = gunzipSync(readFileSync(join(FOLDER, `${name}.sql.gz`))).toString();
  const database = await createTestDatabase('empty');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
  return database;
}
