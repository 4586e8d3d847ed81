import { createReadStream, createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { InvalidArgumentError } from 'commander';
import { readSettings, type Settings } from '#platform/settings.js';
import { HeaderUnusable } from '../server/catalogue/import/columns.js';
import { importBooks, type ImportSummary } from '../server/catalogue/import/import-books.js';
import { withCatalogueDatabase } from './catalogue-database.js';
import { commandLine } from './command-line.js';
import { ProgressLine } from './progress-line.js';
import { withStopSignal } from './stop-signal.js';

/** Refused rows that are printed on the terminal; all are in the report. */
const MAX_PRINTED = 20;
const EXIT_UNREADABLE = 2;
const EXIT_STOPPED = 130;

const HELP = `
The first line names the columns, in any order; unknown ones are passed over.
  title             required
  authors           required: "Stanisław Lem; Ursula K. Le Guin" or "Lem, Stanisław; …" by semicolons,
                    or "Stanisław Lem, Ursula K. Le Guin" by commas
  author            in its place: "Lem, Stanisław" or "Stanisław Lem"; several by semicolons
  isbn, isbn13      an ISBN-10 or ISBN-13, with or without hyphens; lost leading zeros are put back.
                    A book without a valid one gets an internal number of the library, 29…
  id, book_id       number of the record, from which that internal number is made
  catalogue_number  the number that "npm run export" wrote where a book has no valid ISBN; kept as it is
  formulas_quoted   "yes" where "npm run export" put an apostrophe before what would be a formula
  genres            "Science Fiction; Classics"
  publisher
  publication_date  yyyy-MM-dd, dd.MM.yyyy, yyyy-MM or a year; or: year, original_publication_year
  description
  copies            1 to 10000
Where genres or publisher are missing the book is listed under "Unknown". A "(Series, #1)" at the end of a title
goes to the description. Files are UTF-8 with commas, semicolons or tabs between the cells.

A row that does not hold is refused, with its line and the reason; all others are loaded. Books whose number is in
the catalogue are left as they are, so that loading a file twice changes nothing. Ctrl-C stops after the batch
under way. The product may be running; DATABASE_URL is used where it is set.

Exit code: 0 when the file was read to its end, 1 when the database failed on the way (what was loaded before stays; load
the file again), 2 when it cannot be read or names no usable columns, 130 when it was stopped.`;

/** A file that is not there, or not to be read. */
class FileUnusable extends Error {}

interface Options {
  copies?: number;
  encoding: string;
  delimiter?: string;
  report?: string;
}

const command = commandLine('import', 'Loads books from a CSV file into the catalogue.', EXIT_UNREADABLE)
  .argument('<file>', 'the CSV file')
  .option('--copies <n>', 'copies of a book whose row does not tell; else 1 to 5 by its popularity', count)
  .option('--encoding <name>', 'of the file, such as windows-1250 or latin1', encoding, 'utf-8')
  .option('--delimiter <character>', 'between the cells; else found out from the first line')
  .option(
    '--report <file>',
    'where all refused and repaired rows are listed (default: import-report.txt in DATA_DIR)',
  )
  .addHelpText('after', HELP)
  .action(run);

function count(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 10_000) {
    throw new InvalidArgumentError('It has to be a number from 1 to 10000.');
  }
  return number;
}

function encoding(name: string): string {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    throw new InvalidArgumentError('This encoding is not known.');
  }
}

async function run(file: string, options: Options): Promise<void> {
  const settings = readSettings();
  const path = resolve(file);
  await refuseNoFile(path);
  const reportFile = resolve(options.report ?? join(settings.DATA_DIR, 'import-report.txt'));
  mkdirSync(dirname(reportFile), { recursive: true, mode: 0o711 });
  const report = createWriteStream(reportFile);
  report.write(`${path}\n`);
  const began = Date.now();
  const summary = await load(path, options, settings, report);
  report.write(`${describe(summary)}\n`);
  report.end();
  await finished(report);
  process.stdout.write(`${describe(summary)} (${((Date.now() - began) / 1000).toFixed(1)} s)\n`);
  if (summary.refused + summary.repaired > 0) process.stdout.write(`Row by row: ${reportFile}\n`);
  if (!summary.finished) process.exitCode = EXIT_STOPPED;
}

async function refuseNoFile(path: string): Promise<void> {
  const file = await stat(path).catch(() => undefined);
  if (!file?.isFile()) throw new FileUnusable(`There is no file ${path} that can be read.`);
  await access(path, constants.R_OK).catch(() => {
    throw new FileUnusable(`The file ${path} may not be read.`);
  });
}

async function load(
  path: string,
  options: Options,
  settings: Settings,
  report: WriteStream,
): Promise<ImportSummary> {
  const progress = new ProgressLine();
  let printed = 0;
  try {
    return await withStopSignal((signal) =>
      withCatalogueDatabase(settings, (database) =>
        importBooks(database, decoded(path, options.encoding), {
          copies: options.copies,
          delimiter: options.delimiter,
          signal,
          onRow: (line, what, reason) => {
            report.write(`line ${line}: ${what}: ${reason}\n`);
            if (what === 'repaired' || (printed += 1) > MAX_PRINTED) return;
            progress.clear();
            process.stdout.write(`line ${line} refused: ${reason}\n`);
            if (printed === MAX_PRINTED) process.stdout.write('… further ones are in the report.\n');
          },
          onProgress: ({ rows }) => progress.show(rows, 'rows'),
        }),
      ),
    );
  } finally {
    progress.clear();
  }
}

async function* decoded(path: string, name: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(name);
  for await (const bytes of createReadStream(path)) yield decoder.decode(bytes as Buffer, { stream: true });
  yield decoder.decode();
}

function describe({ rows, added, alreadyThere, refused, repaired, finished: atEnd }: ImportSummary): string {
  const number = (value: number) => value.toLocaleString('en');
  return (
    `${atEnd ? '' : 'Stopped. '}${number(rows)} rows: ${number(added)} added, ${number(alreadyThere)} already there, ` +
    `${number(refused)} refused; ${number(repaired)} with something put in its place`
  );
}

try {
  await command.parseAsync();
} catch (error) {
  const isUnreadable = error instanceof HeaderUnusable || error instanceof FileUnusable;
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = isUnreadable ? EXIT_UNREADABLE : 1;
}
