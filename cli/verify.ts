import { readSettings } from '#platform/settings.js';
import { verify, type VerifyReport } from '../projections/verify.js';
import { commandLine } from './command-line.js';
import { couldNotRun, EXIT, withEventLog } from './event-log-services.js';
import { ProgressLine } from './progress-line.js';

/** Differences that are printed without --all. */
const MAX_PRINTED = 50;

const HELP = `
Reads the whole event log, works out what every borrow, count, held copy and number of copies on the shelf has to
be, and compares that with the database as of one moment. It changes nothing and holds nobody up: the product may be
running. Where it does not run, the services it needs are started for as long as this takes.

Events that were set aside are told with the decision. Where the lists or the letters have stopped, the event is named
at which they did: nothing behind it is compared.

Exit code: 0 when everything agrees, 1 when there are differences or something has stopped, 2 when the comparison could not be made.`;

const command = commandLine(
  'verify',
  'Compares the lists of borrows and the copies of books with the event log.',
  EXIT.couldNotRun,
)
  .option('--all', `print every difference, not only the first ${MAX_PRINTED}`)
  .addHelpText('after', HELP)
  .action(run);

async function run({ all }: { all?: true }): Promise<void> {
  const progress = new ProgressLine();
  const report = await withEventLog(readSettings(), (databaseUrl, log) =>
    verify(databaseUrl, log, (events) => progress.show(events, 'events')),
  ).finally(() => progress.clear());
  print(report, all ? Infinity : MAX_PRINTED);
  process.exitCode = report.differences.length + report.troubles.length === 0 ? EXIT.clean : EXIT.differences;
}

function print(report: VerifyReport, most: number): void {
  const { events, borrows, books, differences, pendingHolds, setAside, troubles } = report;
  const number = (value: number) => value.toLocaleString('en');
  for (const difference of differences.slice(0, most)) process.stdout.write(`${difference}\n`);
  if (differences.length > most) process.stdout.write(`… and ${number(differences.length - most)} more\n`);
  process.stdout.write(
    `${number(events)} events, ${number(borrows)} borrows and ${number(books)} books compared: ` +
      `${differences.length === 0 ? 'no difference' : `${number(differences.length)} differences`}\n`,
  );
  for (const { stream, revision, code, at, by, reason } of setAside) {
    const words = reason === undefined ? '' : `: ${reason}`;
    process.stdout.write(
      `Set aside by ${by} at ${at} (${code}): revision ${revision} of ${stream}${words}\n`,
    );
  }
  for (const { name, state, since, reason, event } of troubles) {
    process.stdout.write(`${name}: ${state} since ${since.toISOString()}: ${reason}\n`);
    if (!event) continue;
    const { stream, revision, position, type } = event;
    process.stdout.write(
      `It is at ${type}, revision ${revision} of ${stream}, position ${position}. Install a release that can apply it, or\n` +
        `npm run set-aside -- --stream ${stream} --revision ${revision} --code … --reason "…"\n`,
    );
  }
  if (pendingHolds > 0) process.stdout.write(`${number(pendingHolds)} copies are held by rents under way\n`);
}

try {
  await command.parseAsync();
} catch (error) {
  couldNotRun(error);
}
