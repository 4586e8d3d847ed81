import * as m from '#words/messages.js';
import { readSettings } from '#platform/settings.js';
import { verify, type VerifyReport } from '../projections/verify.js';
import { withEventLog } from './event-log-services.js';
import { EXIT } from './command-line.js';
import { ProgressLine } from './progress-line.js';

export async function run(mostPrinted: number): Promise<void> {
  const progress = new ProgressLine();
  const report = await withEventLog(readSettings(), (databaseUrl, log) =>
    verify(databaseUrl, log, (events) => progress.show(events, m.cli_progress_events)),
  ).finally(() => progress.clear());
  print(report, mostPrinted);
  process.exitCode = report.differences.length + report.troubles.length === 0 ? EXIT.clean : EXIT.differences;
}

function print(report: VerifyReport, most: number): void {
  const { events, borrows, books, differences, pendingHolds, skipped, troubles } = report;
  for (const difference of differences.slice(0, most)) process.stdout.write(`${difference}\n`);
  const count = differences.length;
  if (count > most) process.stdout.write(`${m.cli_verify_more({ count: count - most })}\n`);
  const compared = { events, borrows, books };
  process.stdout.write(
    `${count === 0 ? m.cli_verify_no_difference(compared) : m.cli_verify_differences({ ...compared, count })}\n`,
  );
  for (const { stream, revision, code, at, by, reason } of skipped) {
    const skip = { by, at, code, revision: String(revision), stream };
    process.stdout.write(
      `${reason === undefined ? m.cli_verify_skipped(skip) : m.cli_verify_skipped_why({ ...skip, reason })}\n`,
    );
  }
  for (const { name, state, since, reason, event } of troubles) {
    process.stdout.write(`${m.cli_verify_trouble({ name, state, at: since.toISOString(), reason })}\n`);
    if (!event) continue;
    const { stream, revision, position, type } = event;
    process.stdout.write(
      `${m.cli_verify_trouble_event({ type, revision: String(revision), stream, position: String(position) })}\n`,
    );
  }
  if (pendingHolds > 0) process.stdout.write(`${m.cli_verify_pending({ count: pendingHolds })}\n`);
}
