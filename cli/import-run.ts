import { createReadStream, createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import * as m from '#words/messages.js';
import { readSettings, type Settings } from '#platform/settings.js';
import { InvalidHeader } from '../server/imports/columns.js';
import { importBooks, type ImportSummary } from '../server/catalogue/import/import-books.js';
import type { MarcForm } from '../server/catalogue/marc/record.js';
import { marcFormOf } from '../server/catalogue/marc/read-marc.js';
import { decoded } from '../server/imports/csv-records.js';
import { FileUnusable, refuseNoFile } from './given-file.js';
import { withCatalogueDatabase } from './catalogue-database.js';
import { makeDataFolder } from '../embedded/data-folder.js';
import { importMarc, type MarcOptions } from './import-marc.js';
import { ProgressLine } from './progress-line.js';
import { inSeconds } from './seconds.js';
import { withStopSignal } from './stop-signal.js';

/** Exit codes beside that of success. */
const EXIT = { failed: 1, unreadable: 2, stopped: 130 } as const;

/** Refused rows that are printed on the terminal; all are in the report. */
const MAX_PRINTED = 20;

/** In the report. */
const REPORTED = { refused: m.cli_import_report_refused, repaired: m.cli_import_report_repaired };

interface Options extends MarcOptions {
  encoding: string;
  delimiter?: string;
  report?: string;
}

export async function run(file: string, options: Options): Promise<void> {
  try {
    await importFile(file, options);
  } catch (error) {
    const isUnreadable = error instanceof InvalidHeader || error instanceof FileUnusable;
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = isUnreadable ? EXIT.unreadable : EXIT.failed;
  }
}

async function importFile(file: string, options: Options): Promise<void> {
  const settings = readSettings();
  const path = resolve(file);
  await refuseNoFile(path);
  const form = marcFormOf(await beginningOf(path));
  const dataDir = resolve(settings.DATA_DIR);
  const reportFile = resolve(options.report ?? join(dataDir, 'import-report.txt'));
  if (options.report === undefined) makeDataFolder(dataDir);
  else mkdirSync(dirname(reportFile), { recursive: true, mode: 0o711 });
  const report = createWriteStream(reportFile);
  report.write(`${path}\n`);
  const began = Date.now();
  const { text, hasMore, isWhole } = form
    ? await loadRecords(path, form, options, settings, report)
    : await loadRows(path, options, settings, report);
  report.write(`${text}\n`);
  report.end();
  await finished(report);
  const seconds = inSeconds(Date.now() - began);
  process.stdout.write(`${m.cli_import_took({ summary: text, seconds })}\n`);
  if (hasMore) process.stdout.write(`${m.cli_import_row_by_row({ file: reportFile })}\n`);
  if (!isWhole) process.exitCode = EXIT.stopped;
}

/** What came of a file: whether the report says more, and whether all of it was read. */
interface Loaded {
  text: string;
  hasMore: boolean;
  isWhole: boolean;
}

async function loadRows(
  path: string,
  options: Options,
  settings: Settings,
  report: WriteStream,
): Promise<Loaded> {
  const progress = new ProgressLine();
  let printed = 0;
  const summary = await withStopSignal((signal) =>
    withCatalogueDatabase(settings, (database) =>
      importBooks(database, decoded(createReadStream(path), options.encoding), {
        copies: options.copies,
        delimiter: options.delimiter,
        signal,
        isPreview: options.dryRun === true,
        onRow: (line, what, reason) => {
          report.write(`${REPORTED[what]({ line, reason })}\n`);
          if (what === 'repaired' || (printed += 1) > MAX_PRINTED) return;
          progress.clear();
          process.stdout.write(`${m.cli_import_line_refused({ line, reason })}\n`);
          if (printed === MAX_PRINTED) process.stdout.write(`${m.cli_import_more_refused()}\n`);
        },
        onProgress: ({ rows }) => progress.show(rows, m.cli_progress_rows),
      }),
    ),
  ).finally(() => progress.clear());
  return {
    text: options.dryRun ? `${describe(summary)}\n${m.cli_import_previewed()}` : describe(summary),
    hasMore: summary.refused + summary.repaired > 0,
    isWhole: summary.finished,
  };
}

async function loadRecords(
  path: string,
  form: MarcForm,
  options: Options,
  settings: Settings,
  report: WriteStream,
): Promise<Loaded> {
  const text = await withStopSignal((signal) =>
    withCatalogueDatabase(settings, (database) => importMarc(database, path, form, options, report, signal)),
  );
  return { text, hasMore: true, isWhole: true };
}

async function beginningOf(path: string): Promise<Buffer> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(512), 0, 512, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function describe(summary: ImportSummary): string {
  const { rows, added, alreadyThere: there, completed, refused, repaired, finished: atEnd } = summary;
  const counts = { rows, added, there, refused, repaired };
  if (completed === 0) return atEnd ? m.cli_imported(counts) : m.cli_import_stopped(counts);
  const all = { ...counts, completed };
  return atEnd ? m.cli_imported_completed(all) : m.cli_import_stopped_completed(all);
}
