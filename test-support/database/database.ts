import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Databases that others are copies of: a copy takes less time than to make the schema, and the demo. */
const TEMPLATES = { migrated: 'test_migrated', demo: 'test_demo' };
const TEMPLATE_LOCK = 718_281_828;
/** Error code of PostgreSQL. */
const NO_SUCH_DATABASE = '3D000';

/** A database of its own for one test file. */
export interface TestDatabase {
  url: string;
  drop: () => Promise<void>;
}

/**
 * Makes a database in the PostgreSQL that the integration tests share.
 * @param schema `migrated` for the product's tables, `demo` for these with the demo in them, `empty` for none, or another
 *   database that nobody uses at the moment: then it is a copy of that
 */
export async function createTestDatabase(
  schema: 'empty' | keyof typeof TEMPLATES | TestDatabase = 'empty',
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
  const copy = (of: string) => admin(`${owned} template ${of} strategy file_copy`);
  if (schema === 'empty') await admin(owned);
  else if (typeof schema !== 'string') await copy(new URL(schema.url).pathname.slice(1));
  else
    await copy(TEMPLATES[schema]).catch(async (error: unknown) => {
      if (!(error instanceof pg.DatabaseError) || error.code !== NO_SUCH_DATABASE) throw error;
      await assureTemplate(schema, adminUrl, ownerUrl);
      await copy(TEMPLATES[schema]);
    });
  return {
    url: urlOf(ownerUrl, name),
    drop: () => admin(`drop database if exists ${name} with (force)`),
  };
}

/** Makes a database that others are copied from, once for all test files. */
async function assureTemplate(
  which: keyof typeof TEMPLATES,
  adminUrl: string,
  ownerUrl: string,
): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const name = TEMPLATES[which];
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 1) return;
    const draft = `${name}_draft`;
    await admin.query(`drop database if exists ${draft} with (force)`);
    await admin.query(`create database ${draft} owner ${ownerOf(ownerUrl)}`);
    await prepare(urlOf(ownerUrl, draft), which);
    await admin.query(`alter database ${draft} rename to ${name}`);
  } finally {
    await admin.end();
  }
}

async function prepare(url: string, which: keyof typeof TEMPLATES): Promise<void> {
  // Nobody but the first needs these, which take a while to load.
  const { migrate } = await import('#platform/database/migrate.js');
  await migrate(url);
  // Each product would make these tables too, when it starts.
  const { queueBackend } = await import('#platform/jobs/queue-backend.js');
  const queues = queueBackend({ DATABASE_URL: url, REDIS_URL: undefined });
  await queues.prepare();
  await queues.close();
  if (which === 'migrated') return;
  const { seedDemo } = await import('../../embedded/demo/seed-demo.js');
  const { createLogger } = await import('#platform/logging.js');
  await seedDemo(url, createLogger('silent'));
}

const ownerOf = (ownerUrl: string) => new URL(ownerUrl).username;

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.toString();
}
