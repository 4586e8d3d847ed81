import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as m from '#words/messages.js';
import { openDatabase, type Database } from '#platform/database/database.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { LogIdentity } from '#platform/event-log/log-identity.js';
import { ANY_LOG, type LogProof } from '#platform/event-log/log-proof.js';
import { SharedLogLock } from '#platform/event-log/log-lock.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import type { ResilientEventStoreClient } from '#platform/event-log/resilient-event-store-client.js';
import { createLogger } from '#platform/logging.js';
import type { Settings } from '#platform/settings.js';
import { isSwapUnderWay } from '../embedded/backup/folder-swap.js';
import { withInstallation } from '../embedded/installation.js';
import { withStopSignal } from './stop-signal.js';

/**
 * Gives a command line the database and the log: those that DATABASE_URL and EVENTSTORE_URL name, else the embedded
 * ones, shared with a running product where there is one. A signal ends the work, and what was started for it.
 * @throws an Error with a sentence for the person at the terminal
 */
export async function withEventLog<Result>(
  settings: Settings,
  work: (databaseUrl: string, log: EventLog) => Promise<Result>,
): Promise<Result> {
  // Looks alone: what has no stamp yet gets it at the product's next start.
  const proofBy = (database: Database) => new LogIdentity(database, undefined, false).prove;
  return withServices(settings, proofBy, async (databaseUrl, client) => {
    const use = new SharedLogLock(databaseUrl);
    try {
      return await work(databaseUrl, new EventLog(client, () => use.confirm()));
    } finally {
      await use.release();
    }
  });
}

/** The same with the event store itself, whatever log it has. */
export async function withEventStore<Result>(
  settings: Settings,
  work: (databaseUrl: string, client: ResilientEventStoreClient) => Promise<Result>,
): Promise<Result> {
  return withServices(settings, () => ANY_LOG, work);
}

async function withServices<Result>(
  settings: Settings,
  proofBy: (database: Database) => LogProof,
  work: (databaseUrl: string, client: ResilientEventStoreClient) => Promise<Result>,
): Promise<Result> {
  refuseNoLibrary(settings, m.cli_set_data_dir_or_services());
  const use = async (databaseUrl: string, eventStoreUrl: string) => {
    const database = openDatabase(databaseUrl, 1, createLogger('error'));
    const client = eventStoreClient(eventStoreUrl, proofBy(database));
    try {
      return await untilSignal(() => work(databaseUrl, client));
    } finally {
      await client.dispose();
      await database.end();
    }
  };
  const { DATABASE_URL, EVENTSTORE_URL } = settings;
  if (DATABASE_URL !== undefined && EVENTSTORE_URL !== undefined) return use(DATABASE_URL, EVENTSTORE_URL);
  // No token is signed or verified here, so no secret is needed.
  const withoutSecret = { ...settings, JWT_SECRET: settings.JWT_SECRET ?? '-' };
  return withInstallation(withoutSecret, createLogger('error'), (resolved) =>
    use(resolved.DATABASE_URL, resolved.EVENTSTORE_URL),
  );
}

/**
 * A command line that only looks at a library never makes an empty one.
 * @param otherwise what to do where there is none, as a sentence
 */
export function refuseNoLibrary(settings: Settings, otherwise: string): void {
  const { DATABASE_URL, DATA_DIR } = settings;
  if (DATABASE_URL !== undefined || existsSync(join(DATA_DIR, 'postgres', 'cluster'))) return;
  if (isSwapUnderWay(DATA_DIR)) return;
  throw new Error(m.cli_no_library({ folder: resolve(settings.DATA_DIR), otherwise }));
}

/** The work's result, or an Error at the first signal: then what was started is closed under the work. */
function untilSignal<Result>(work: () => Promise<Result>): Promise<Result> {
  return withStopSignal((signal) => {
    const stopped = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
    return Promise.race([work(), stopped]);
  });
}
