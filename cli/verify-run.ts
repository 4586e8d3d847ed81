import { readSettings } from '#platform/settings.js';
import { verify, type VerifyReport } from '../projections/verify.js';
import { withEventLog } from './event-log-services.js';
import { EXIT } from './command-line.js';
import { ProgressLine } from './progress-line.js';

export async function run(mostPrinted: number): Promise<void> {
  const progress = new ProgressLine();
  const report = await withEventLog(readSettings(), (databaseUrl, log) =>
    verify(databaseUrl, log, (events) => progress.show(events, 'events')),
  ).finally(() => progress.clear());
  print(report, mostPrinted);
  process.exitCode = report.differences.length + report.troubles.length === 0 ? EXIT.clean : EXIT.differences;
}

function print(report: VerifyReport, most: number): void {
  const { events, borrows, books, differences, pendingHolds, skipped, troubles } = report;
  const number = (value: number) => value.toLocaleString('en');
  for (const difference of differences.slice(0, most)) process.stdout.write(`${difference}\n`);
  if (differences.length > most) process.stdout.write(`… and ${number(differences.length - most)} more\n`);
  process.stdout.write(
    `${number(events)} events, ${number(borrows)} borrows and ${number(books)} books compared: ` +
      `${differences.length === 0 ? 'no difference' : `${number(differences.length)} differences`}\n`,
  );
  for (const { stream, revision, code, at, by, reason } of skipped) {
    const words = reason === undefined ? '' : `: ${reason}`;
    process.stdout.write(`Skipped by ${by} at ${at} (${code}): revision ${revision} of ${stream}${words}\n`);
  }
  for (const { name, state, since, reason, event } of troubles) {
    process.stdout.write(`${name}: ${state} since ${since.toISOString()}: ${reason}\n`);
    if (!event) continue;
    const { stream, revision, position, type } = event;
    process.stdout.write(
      `It is at ${type}, revision ${revision} of ${stream}, position ${position}. Install a release that can apply it, or\n` +
        `npm run skip-event -- --stream ${stream} --revision ${revision} --code … --reason "…"\n`,
    );
  }
  if (pendingHolds > 0) process.stdout.write(`${number(pendingHolds)} copies are held by rents under way\n`);
}
