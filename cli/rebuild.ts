import { migrate } from '#platform/database/migrate.js';
import { readSettings } from '#platform/settings.js';
import { rebuild } from '../projections/rebuild.js';
import { commandLine } from './command-line.js';
import { couldNotRun, EXIT, withEventLog } from './event-log-services.js';
import { ProgressLine } from './progress-line.js';

const HELP = `
The product may be running: it goes on with the present lists until the new ones are complete, then shows those.
Where it does not run, the services it needs are started for as long as this takes. After Ctrl-C the present lists
stay as they are.

Exit code: 0 when the lists are the new ones, 2 when they could not be built.`;

const command = commandLine(
  'rebuild',
  'Builds every list, count and report of borrows anew from the event log.',
  EXIT.couldNotRun,
)
  .addHelpText('after', HELP)
  .action(run);

async function run(): Promise<void> {
  const progress = new ProgressLine();
  const { events, seconds } = await withEventLog(readSettings(), async (databaseUrl, log) => {
    await migrate(databaseUrl);
    return rebuild(databaseUrl, log, (done) => progress.show(done, 'events'));
  }).finally(() => progress.clear());
  const rate = Math.round(events / Math.max(seconds, 0.001));
  process.stdout.write(
    `Rebuilt from ${events.toLocaleString('en')} events in ${seconds.toFixed(1)} s (${rate.toLocaleString('en')} a second)\n`,
  );
}

try {
  await command.parseAsync();
} catch (error) {
  couldNotRun(error);
}
