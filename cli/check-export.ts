import { access } from 'node:fs/promises';
import type { EventLog } from '#platform/event-log/event-log.js';
import { readSettings } from '#platform/settings.js';
import { checkExport, type ExportCheck } from '../server/audit/check-export.js';
import { recordedPart } from '../server/audit/recorded-part.js';
import { commandLine } from './command-line.js';
import { couldNotRun, EXIT, withEventLog } from './event-log-services.js';
import { fileLines } from './file-lines.js';

const HELP = `
The file is what an auditor downloads of a reader's history: one JSON object a line, each event with a hash over the
one before it. This checks that chain and compares every event with the event log, and names the first difference: an
event that was changed (and which field), removed, added or reordered, or a file that was cut off. Events that came
into the log after the export are told, and are no fault. It changes nothing: the product may be running. Where it
does not run, the services it needs are started for as long as this takes.

The chain alone shows carelessness, not intent: who changes a file can make the chain anew. The comparison with the
log finds that too. How the hashes are made is written in docs/decisions/010-audit.md.

Exit code: 0 when the file is what the log says, 1 when there is a difference, 2 when it could not be checked.`;

const command = commandLine(
  'check-export',
  'Checks the export of a reader’s history against the event log.',
  EXIT.couldNotRun,
)
  .argument('<file>', 'the exported file, for instance borrows-….jsonl')
  .addHelpText('after', HELP)
  .action(run);

async function run(file: string): Promise<void> {
  await access(file).catch(() => {
    throw new Error(`There is no file ${file} that can be read.`);
  });
  const result = await withEventLog(readSettings(), (_databaseUrl, log) => check(file, log));
  print(result);
  process.exitCode = result.ok ? EXIT.clean : EXIT.differences;
}

function check(file: string, log: EventLog): Promise<ExportCheck> {
  return checkExport(() => fileLines(file), {
    events: (readerId, from, to) => recordedPart(log, readerId, from, to),
    lastRevision: async (readerId) => Number(await log.lastRevision('borrows', readerId)),
  });
}

function print(result: ExportCheck): void {
  if (!result.ok) {
    const { kind, what } = result.fault;
    process.stdout.write(`${kind}: ${what}\n`);
    return;
  }
  const { header, events, since } = result;
  process.stdout.write(
    `${number(events, 'event')} of ${header.stream}, exported at ${header.exportedAt}: ` +
      `the chain holds, and every event is what the log says.\n`,
  );
  if (since > 0) {
    process.stdout.write(`${number(since, 'event')} came into the log since then, which is no fault.\n`);
  }
}

function number(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

try {
  await command.parseAsync();
} catch (error) {
  couldNotRun(error);
}
