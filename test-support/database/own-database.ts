import { openDatabase, type Database } from '#platform/database/database.js';
import { createLogger } from '#platform/logging.js';
import { createTestDatabase } from './database.js';

/** Connections to a database that was made for them. */
export type OwnDatabase = Database & { url: string; close(): Promise<void> };

/** Makes a migrated database, which goes when its connections are closed. */
export async function openOwnDatabase(connections = 4): Promise<OwnDatabase> {
  const { url, drop } = await createTestDatabase('migrated');
  const database = openDatabase(url, connections, createLogger('silent'));
  const close = async () => {
    await database.end();
    await drop();
  };
  return Object.assign(database, { url, close });
}
