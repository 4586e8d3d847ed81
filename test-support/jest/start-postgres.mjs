import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../dist/embedded/postgres/postgres-server.js';
import { temporaryFolder } from '../../dist/test-support/installation/temporary-folder.js';

/** One embedded PostgreSQL for all integration tests; each test file makes its own databases in it. */
export default async function start() {
  // Each kind of test asks for it, and all of them share one.
  if (globalThis.testPostgres) return;
  const folder = temporaryFolder();
  const server = await startPostgres(join(folder, 'postgres'), {
    max_connections: '500',
    // It is thrown away: nothing in it has to outlive a power cut.
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: '256MB',
  });
  // Makes the role that owns the tests' databases, as it owns the library's.
  await server.createDatabase('lectern');
  process.env.TEST_POSTGRES_URL = server.adminUrl('postgres');
  process.env.TEST_POSTGRES_OWNER_URL = server.url('postgres');
  await askForFewPasswords(process.env.TEST_POSTGRES_URL, join(folder, 'postgres', 'cluster'));
  globalThis.testPostgres = { server, folder };
}

/**
 * Asking for one takes a quarter of what a connection costs, and tests make some fifteen thousand: the database `postgres`
 * alone does, with a hash that is quick to check.
 */
async function askForFewPasswords(url, cluster) {
  const kind = process.platform === 'win32' ? ['host', '127.0.0.1/32'] : ['local', ''];
  const [connection, from] = kind;
  const rules = [`${connection} postgres all ${from} scram-sha-256`, `${connection} all all ${from} trust`];
  writeFileSync(join(cluster, 'pg_hba.conf'), `${rules.join('\n')}\n`);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set scram_iterations = 1');
    await client.query(`alter role current_user password ${pg.escapeLiteral(client.password)}`);
    await client.query('select pg_reload_conf()');
  } finally {
    await client.end();
  }
}
