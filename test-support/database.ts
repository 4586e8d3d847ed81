import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** What migrated databases are copies of: a copy takes less time than to make the schema. */
const TEMPLATE = 'test_migrated';
const TEMPLATE_LOCK = 718_281_828;
/** Error code of PostgreSQL. */
const NO_SUCH_DATABASE = '3D000';

/** A database of its own for one test file. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/**
 * Makes a database in the PostgreSQL that the integration tests share.
 * @param schema `migrated` for the product's tables, `empty` for none, or another database that nobody uses at the moment:
 *   then it is a copy of that
 */
export async function createTestDatabase(
  schema: 'empty' | 'migrated' | TestDatabase = 'empty',
): Promise<TestDatabase> {
  const adminUrl = process.env['TEST_POSTGRES_URL'];
  const ownerUrl = process.env['TEST_POSTGRES_OWNER_URL'];
  if (!adminUrl || !ownerUrl)
    throw new Error('TEST_POSTGRES_URL is set by the global setup of the integration tests');
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
  const owned = `create database ${name} owner ${ownerOf(ownerUrl)}`;
  const copy = (of = TEMPLATE) => admin(`${owned} template ${of} strategy file_copy`);
  if (schema === 'empty') await admin(owned);
  else if (schema !== 'migrated') await copy(new URL(schema.url).pathname.slice(1));
  else
    await copy().catch(async (error: unknown) => {
      if (!(error instanceof pg.DatabaseError) || error.code !== NO_SUCH_DATABASE) throw error;
      await assureTemplate(adminUrl, ownerUrl);
      await copy();
    });
  return {
    url: urlOf(ownerUrl, name),
    drop: () => admin(`drop database if exists ${name} with (force)`),
  };
}

/** Makes the database that others are copied from, once for all test files. */
async function assureTemplate(adminUrl: string, ownerUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [TEMPLATE]);
    if (rowCount === 1) return;
    const draft = `${TEMPLATE}_draft`;
    await admin.query(`drop database if exists ${draft} with (force)`);
    await admin.query(`create database ${draft} owner ${ownerOf(ownerUrl)}`);
    // Nobody but the first needs these, which take a while to load.
    const { migrate } = await import('#platform/database/migrate.js');
    await migrate(urlOf(ownerUrl, draft));
    // Each product would make these tables too, when it starts.
    const { queueBackend } = await import('#platform/jobs/queue-backend.js');
    const queues = queueBackend({ DATABASE_URL: urlOf(ownerUrl, draft), REDIS_URL: undefined });
    await queues.prepare();
    await queues.close();
    await admin.query(`alter database ${draft} rename to ${TEMPLATE}`);
  } finally {
    await admin.end();
  }
}

const ownerOf = (ownerUrl: string) => new URL(ownerUrl).username;

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.toString();
}
