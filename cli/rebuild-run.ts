import type pg from 'pg';
import * as m from '#words/messages.js';
import { migrate } from '#platform/database/migrate.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { LogRecord } from '#platform/event-log/log-record.js';
import type { ResilientEventStoreClient } from '#platform/event-log/resilient-event-store-client.js';
import { readSettings } from '#platform/settings.js';
import { beginLettersAt } from '../projections/adopt-log.js';
import { rebuild, type RebuildReport } from '../projections/rebuild.js';
import { withEventLog, withEventStore } from './event-log-services.js';
import { ProgressLine } from './progress-line.js';
import { inSeconds } from './seconds.js';

export async function run({ adoptLog }: { adoptLog?: true }): Promise<void> {
  const progress = new ProgressLine();
  const show = (done: number) => progress.show(done, m.cli_progress_events);
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
  process.stdout.write(`${m.cli_rebuilt({ events, seconds: inSeconds(seconds * 1000), rate })}\n`);
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
