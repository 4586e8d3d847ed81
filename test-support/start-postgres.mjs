import { join } from 'node:path';
import { startPostgres } from '../dist/embedded/postgres/postgres-server.js';
import { temporaryFolder } from './temporary-folder.mjs';

/** One embedded PostgreSQL for all integration tests; each test file makes its own databases in it. */
export default async function start() {
  // Each kind of test asks for it, and all of them share one.
  if (globalThis.testPostgres) return;
  const folder = temporaryFolder();
  const server = await startPostgres(join(folder, 'postgres'), {
    max_connections: '300',
    // It is thrown away: nothing in it has to outlive a power cut.
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
  });
  // Makes the role that owns the tests' databases, as it owns the library's.
  await server.createDatabase('lectern');
  process.env.TEST_POSTGRES_URL = server.adminUrl('postgres');
  process.env.TEST_POSTGRES_OWNER_URL = server.url('postgres');
  globalThis.testPostgres = { server, folder };
}
