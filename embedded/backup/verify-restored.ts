import pg from 'pg';
import { z } from 'zod';
import * as m from '#words/messages.js';
import { openDatabase } from '#platform/database/database.js';
import { migrate } from '#platform/database/migrate.js';
import { queryRow } from '#platform/database/query-rows.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { LogIdentity } from '#platform/event-log/log-identity.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import { createLogger } from '#platform/logging.js';
import type { ResolvedSettings, Settings } from '#platform/settings.js';
import { rebuild } from '../../projections/rebuild.js';
import { verify, type VerifyReport } from '../../projections/verify.js';
import { withInstallation } from '../installation.js';
import { BackupUnusable, type Manifest } from './manifest.js';

const holdingsRow = z.object({ events: z.int(), position: z.string(), covers: z.int(), accounts: z.int() });
export type Holdings = z.output<typeof holdingsRow>;

/**
 * Opens the library in a folder that a backup was restored into, compares its lists with its log, and closes it again.
 * @param settings with that folder as DATA_DIR
 * @param progress told how many events were compared
 * @param options.forTrial whether the folder is removed afterwards: then nothing waits for the disk
 * @throws BackupUnusable where something of the backup is missing; the signal's reason
 */
export function verifyRestored(
  settings: Settings,
  { holds: promised, madeAt }: Manifest,
  signal: AbortSignal,
  progress: (events: number) => void,
  { forTrial = false } = {},
): Promise<{ holdings: Holdings; report: VerifyReport }> {
  const work = async (databaseUrl: string, log: EventLog) => {
    const holdings = await count(databaseUrl);
    if (holdings.events < promised.events || BigInt(holdings.position) < BigInt(promised.position)) {
      throw new BackupUnusable(
        m.cli_restored_log_shorter({
          ...{ found: String(holdings.events), foundEnd: holdings.position },
          ...{ wanted: String(promised.events), wantedEnd: promised.position },
        }),
      );
    }
    await migrate(databaseUrl);
    await rebuild(databaseUrl, log, undefined, { onlyIfMissing: true });
    return { holdings, report: await verify(databaseUrl, log, progress, new Date(madeAt)) };
  };
  // No token is signed or verified here, so no secret is needed.
  const withoutSecret = { ...settings, JWT_SECRET: settings.JWT_SECRET ?? '-' };
  const compared = async (resolved: ResolvedSettings) => {
    const database = openDatabase(resolved.DATABASE_URL, 1, createLogger('error'));
    // Looks alone: what has no stamp yet gets it at the product's next start.
    const { prove } = new LogIdentity(database, undefined, false);
    const client = eventStoreClient(resolved.EVENTSTORE_URL, prove);
    try {
      return await unlessStopped(signal, work(resolved.DATABASE_URL, new EventLog(client)));
    } finally {
      await client.dispose();
      await database.end();
    }
  };
  return withInstallation(withoutSecret, createLogger('error'), compared, { forTrial });
}

/** The work's result, or the signal's reason: then what was started is closed under the work. */
async function unlessStopped<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  signal.throwIfAborted();
  const stopped = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([work, stopped]);
}

async function count(databaseUrl: string): Promise<Holdings> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const holdings = await queryRow(
      client,
      holdingsRow,
      `select (select count(*)::integer from eventstore.event) as events,
         (select coalesce(max(position), -1)::text from eventstore.event) as position,
         (select count(*)::integer from book_cover) as covers,
         (select count(*)::integer from account) as accounts`,
    );
    return holdings ?? { events: 0, position: '-1', covers: 0, accounts: 0 };
  } finally {
    await client.end();
  }
}
