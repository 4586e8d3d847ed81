import { access } from 'node:fs/promises';
import type { EventLog } from '#platform/event-log/event-log.js';
import { readSettings } from '#platform/settings.js';
import { checkExport, type ExportCheck } from '../server/audit/check-export.js';
import { recordedPart } from '../server/audit/recorded-part.js';
import { withEventLog } from './event-log-services.js';
import { EXIT } from './command-line.js';
import { fileLines } from './file-lines.js';

export async function run(file: string): Promise<void> {
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
