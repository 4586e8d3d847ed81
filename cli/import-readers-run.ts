import { createReadStream, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { ReaderFile, ReaderImport, ReaderImportKind } from '#contracts/accounts/reader-import.js';
import { localDay } from '#contracts/local-day.js';
import { SystemClock } from '#platform/clock.js';
import { openDatabase, type Database } from '#platform/database/database.js';
import { LibraryTimeZone, storedTimeZone } from '#platform/library-time-zone.js';
import { createLogger } from '#platform/logging.js';
import { readSettings } from '#platform/settings.js';
import { LibraryRules } from '#rules/library-rules.js';
import * as m from '#words/messages.js';
import {
  beginInviting,
  READER_IMPORTS,
  refusedRowsFile,
} from '../server/accounts/reader-import/reader-imports.js';
import { kindsOf } from '../server/accounts/reader-import/reader-of-row.js';
import type { TakeOver } from '../server/accounts/reader-import/run-loans.js';
import { runReaderImport } from '../server/accounts/reader-import/run-readers.js';
import { stageReaders } from '../server/accounts/reader-import/stage-readers.js';
import { ReaderStreams } from '../server/borrowing/streams/reader-streams.js';
import { TakeOverLoan, TakeOverLoanHandler } from '../server/borrowing/take-over-loan.commands.js';
import { decoded } from '../server/imports/csv-records.js';
import { makeDataFolder } from '../embedded/data-folder.js';
import { withEventLog } from './event-log-services.js';
import { refuseNoFile } from './given-file.js';
import { ProgressLine } from './progress-line.js';
import { withStopSignal } from './stop-signal.js';

interface Options {
  memberships?: true;
  loans?: string;
  earlierDays?: true;
  kinds?: string;
  encoding: ReaderFile['encoding'];
  refused?: string;
  invite?: number;
  dryRun?: true;
}

/** Refused rows that are printed on the terminal; all are in the file of them. */
const MAX_PRINTED = 20;

interface Work {
  database: Database;
  takeOver: TakeOver;
  /** By the library's days. */
  today: string;
  /** Where refused rows are written. */
  folder: string;
  options: Options;
}

export async function run(file: string | undefined, options: Options): Promise<void> {
  // Loans are of readers who are there: they come last.
  const files = new Map<ReaderImportKind, string>();
  if (file !== undefined) files.set(options.memberships ? 'memberships' : 'readers', resolve(file));
  if (options.loans !== undefined) files.set('loans', resolve(options.loans));
  if (files.size === 0) throw new Error(m.cli_readers_no_file());
  for (const path of files.values()) await refuseNoFile(path);
  const settings = readSettings();
  const folder = resolve(options.refused ?? settings.DATA_DIR);
  if (options.refused === undefined) makeDataFolder(folder);
  else mkdirSync(folder, { recursive: true, mode: 0o711 });
  await withEventLog(settings, async (databaseUrl, log) => {
    const database = openDatabase(databaseUrl, 4, createLogger('error'));
    const zone = new LibraryTimeZone((await storedTimeZone(database)) ?? 'UTC');
    const rules = new LibraryRules(zone, log);
    const handler = new TakeOverLoanHandler(new ReaderStreams(log), database, rules, new SystemClock());
    const takeOver: TakeOver = (loan) => handler.execute(new TakeOverLoan(loan));
    try {
      await rules.start();
      const work = { database, takeOver, today: localDay(Date.now(), zone.name), folder, options };
      for (const [kind, path] of files) await bring(work, kind, path);
    } finally {
      rules.stop();
      await database.end();
    }
  });
}

/** Reads a file into a preview, tells it, and does it unless it is told not to. Whatever was done by a stop stays. */
async function bring(
  { database, takeOver, today, folder, options }: Work,
  kind: ReaderImportKind,
  path: string,
): Promise<void> {
  const kinds = kindsOf(options.kinds ?? '');
  if (!kinds) throw new Error(m.readers_import_kinds_wrong());
  const progress = new ProgressLine();
  const id = await withStopSignal((signal) =>
    stageReaders(database, decoded(createReadStream(path), options.encoding), {
      ...{ kind, kinds, today, signal, earlierDays: options.earlierDays === true },
      ...{ name: basename(path), startedBy: null, now: new Date() },
      onProgress: (rows) => progress.show(rows, m.cli_progress_rows),
    }),
  ).finally(() => progress.clear());
  const { items } = await READER_IMPORTS.rowsOf(database, id, 'refused', { offset: 0, limit: MAX_PRINTED });
  for (const { place: line, reason } of items)
    process.stdout.write(`${m.cli_import_line_refused({ line, reason: reason ?? '' })}\n`);
  const work = new ProgressLine();
  const onProgress = (rows: number, part: number) => work.show(rows, m.cli_progress_rows, part);
  if (!options.dryRun && (await READER_IMPORTS.begin(database, id))) {
    const isDone = await withStopSignal((signal) =>
      runReaderImport(database, id, takeOver, { signal, onProgress }),
    ).finally(() => work.clear());
    if (!isDone) throw new Error(m.cli_stopped());
    if (options.invite !== undefined && kind === 'readers')
      await beginInviting(database, id, options.invite, new Date());
  }
  const after = await READER_IMPORTS.find(database, id);
  if (after) tell(after, options.dryRun === true);
  if (after?.hasRows) {
    const refused = join(folder, `refused-${kind}.csv`);
    writeFileSync(refused, await refusedRowsFile(database, id), { mode: 0o600 });
    process.stdout.write(`${m.cli_readers_refused_file({ file: refused })}\n`);
  }
}

function tell({ kind, name, outcomes, done }: ReaderImport, isPreview: boolean): void {
  const { unsure, waiting } = outcomes;
  const what = { name, ...outcomes };
  const lines = [
    kind === 'loans' ? m.cli_loans_staged(what) : m.cli_readers_staged(what),
    unsure > 0 && m.cli_readers_unsure({ unsure }),
    waiting > 0 && m.cli_loans_waiting({ waiting }),
    isPreview ? m.cli_readers_previewed() : m.cli_readers_done(done),
  ];
  for (const line of lines) if (line !== false) process.stdout.write(`${line}\n`);
}
