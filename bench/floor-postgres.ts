import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type PostgresServer } from '../embedded/postgres/postgres-server.js';

/** A PostgreSQL that is gone, with all it held, after `stop`. */
export type ThrowAwayPostgres = PostgresServer;

/**
 * Starts PostgreSQL in a temporary folder, with the settings of the product: every commit is on disk before
 * it is acknowledged.
 */
export async function startThrowAwayPostgres(
  settings: Record<string, string> = {},
): Promise<ThrowAwayPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'));
  // The unprivileged user that it runs as where we are root has to pass through.
  chmodSync(folder, 0o711);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const server = await startPostgres(join(folder, 'postgres'), settings);
    return {
      ...server,
      stop: async () => {
        await server.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}
