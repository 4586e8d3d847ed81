import pg from 'pg';
import { z } from 'zod';
import { migrate } from './database/migrate.js';
import { assertReachable } from './database/assert-reachable.js';
import { queryRow } from './database/query-rows.js';
import { ReadModelSchema } from './database/read-model-schema.js';
import { LogIdentity } from './event-log/log-identity.js';
import { eventStoreClient } from './event-log/open-event-store.js';
import { announceTimeZone } from './library-time-zone.js';
import type { Logger } from './logging.js';
import type { ResolvedSettings } from './settings.js';
import { StartupError } from './startup-error.js';
import { withTimeout } from './with-timeout.js';

type PreparedBy = Pick<
  ResolvedSettings,
  'DATABASE_URL' | 'EVENTSTORE_URL' | 'TIME_ZONE' | 'TZ' | 'readModel'
>;

/** Milliseconds for which a start waits for the event store to say which log it has. */
const FIRST_WORD = 3_000;

/**
 * What every process does before it opens: the database is brought to the present schema, and the event log compared
 * with the rows. An event log that is away does not end a start: it is compared when it is there, before the first event
 * is appended or followed.
 * @throws StartupError where the database cannot be reached, or the data is of a newer release or of another log
 */
export async function prepareData(settings: PreparedBy, logger: Logger): Promise<void> {
  const { DATABASE_URL, EVENTSTORE_URL, readModel } = settings;
  await assertReachable(DATABASE_URL);
  await migrate(DATABASE_URL);
  const database = new pg.Client({ connectionString: DATABASE_URL });
  const schemas = new ReadModelSchema(database, readModel);
  const client = eventStoreClient(EVENTSTORE_URL, new LogIdentity(database, schemas).prove);
  try {
    await database.connect();
    await schemas.refuseNewer();
    await announceTimeZone(database, settings, logger);
    await warnOfSuperuser(database, logger);
    await withTimeout(FIRST_WORD, client.confirm(), 'the event log did not answer in time');
  } catch (error) {
    if (error instanceof StartupError) throw error;
    logger.warn({ error }, 'the event log could not be compared with the lists yet');
  } finally {
    await client.dispose();
    await database.end();
  }
}

/** The embedded database has a role of its own; one that DATABASE_URL names may be too mighty. */
async function warnOfSuperuser(database: pg.Client, logger: Logger): Promise<void> {
  const role = await queryRow(
    database,
    z.object({ name: z.string(), mighty: z.boolean() }),
    'select rolname as name, rolsuper or rolcreaterole as mighty from pg_roles where rolname = current_user',
  );
  if (!role?.mighty) return;
  logger.warn(
    { role: role.name },
    'the role in DATABASE_URL is a superuser or may make roles: give Lectern one that only owns its database',
  );
}
