import type pg from 'pg';
import { migrate } from '#platform/database/migrate.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { LogRecord } from '#platform/event-log/log-record.js';
import type { ResilientEventStoreClient } from '#platform/event-log/resilient-event-store-client.js';
import { readSettings } from '#platform/settings.js';
import { beginLettersAt } from '../projections/adopt-log.js';
import { rebuild, type RebuildReport } from '../projections/rebuild.js';
import { withEventLog, withEventStore } from './event-log-services.js';
import { ProgressLine } from './progress-line.js';

export async function run({ adoptLog }: { adoptLog?: true }): Promise<void> {
  const progress = new ProgressLine();
  const show = (done: number) => progress.show(done, 'events');
  const settings = readSettings();
  const { events, seconds } = await (
    adoptLog
      ? withEventStore(settings, (databaseUrl, client) => adopt(databaseUrl, client, show))
      : withEventLog(settings, async (databaseUrl, log) => {
          await migrate(databaseUrl);
          return rebuild(databaseUrl, log, show);
        })
  ).finally(() => progress.clear());
  const rate = Math.round(events / Math.max(seconds, 0.001));
  process.stdout.write(
    `Rebuilt from ${events.toLocaleString('en')} events in ${seconds.toFixed(1)} s (${rate.toLocaleString('en')} a second)\n`,
  );
}

async function adopt(
  databaseUrl: string,
  client: ResilientEventStoreClient,
  show: (events: number) => void,
): Promise<RebuildReport> {
  await migrate(databaseUrl);
  const logId = await new LogRecord(client).logId();
  const log = new EventLog(client);
  const settle = async (connection: pg.Client) => beginLettersAt(connection, await log.end());
  return rebuild(databaseUrl, log, show, { adopted: { logId, settle } });
}
