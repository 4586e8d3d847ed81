import type { EventStoreDBClient } from '@eventstore/db-client';
import { openDatabase } from '#platform/database/database.js';
import { migrate } from '#platform/database/migrate.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { LogIdentity } from '#platform/event-log/log-identity.js';
import { createLogger } from '#platform/logging.js';
import { readSettings } from '#platform/settings.js';
import { rebuild, type RebuildReport } from '../projections/rebuild.js';
import { commandLine } from './command-line.js';
import { couldNotRun, EXIT, withEventLog, withEventStore } from './event-log-services.js';
import { ProgressLine } from './progress-line.js';

const HELP = `
The product may be running: it goes on with the present lists until the new ones are complete, then shows those.
Where it does not run, the services it needs are started for as long as this takes. After Ctrl-C the present lists
stay as they are.

With --adopt-log the lists are made of the event log at hand, although they were made of another one, or of more of it:
after an older backup of the log was restored, or with another EVENTSTORE_URL. What only the other log says is gone from
the lists; copies are out for what the log at hand says, and letters begin at its end. Lectern must not be running.

Exit code: 0 when the lists are the new ones, 2 when they could not be built.`;

const command = commandLine(
  'rebuild',
  'Builds every list, count and report of borrows anew from the event log.',
  EXIT.couldNotRun,
)
  .option('--adopt-log', 'make the lists of the event log at hand, although they were made of another one')
  .addHelpText('after', HELP)
  .action(run);

async function run({ adoptLog }: { adoptLog?: true }): Promise<void> {
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
  client: EventStoreDBClient,
  show: (events: number) => void,
): Promise<RebuildReport> {
  await migrate(databaseUrl);
  const database = openDatabase(databaseUrl, 1, createLogger('error'));
  try {
    const logId = await new LogIdentity(client, database).ofLog();
    return await rebuild(databaseUrl, new EventLog(client), show, { adopted: logId });
  } finally {
    await database.end();
  }
}

try {
  await command.parseAsync();
} catch (error) {
  couldNotRun(error);
}
