import { access } from 'node:fs/promises';
import * as m from '#words/messages.js';
import type { EventLog } from '#platform/event-log/event-log.js';
import { readSettings } from '#platform/settings.js';
import { checkExport, type ExportCheck } from '../server/audit/check-export.js';
import { recordedPart } from '../server/audit/recorded-part.js';
import { withEventLog } from './event-log-services.js';
import { EXIT } from './command-line.js';
import { fileLines } from './file-lines.js';

const FAULTS = {
  changed: m.cli_fault_changed,
  removed: m.cli_fault_removed,
  reordered: m.cli_fault_reordered,
  added: m.cli_fault_added,
  truncated: m.cli_fault_truncated,
};

export async function run(file: string): Promise<void> {
  await access(file).catch(() => {
    throw new Error(m.cli_no_file({ file }));
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
    process.stdout.write(`${FAULTS[kind]({ what })}\n`);
    return;
  }
  const { header, events, since } = result;
  process.stdout.write(
    `${m.cli_export_holds({ count: events, stream: header.stream, at: header.exportedAt })}\n`,
  );
  if (since > 0) process.stdout.write(`${m.cli_export_since({ count: since })}\n`);
}
