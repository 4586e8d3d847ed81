import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readSettings } from '#platform/settings.js';
import { exportBooks } from '../server/catalogue/export/export-books.js';
import { withCatalogueDatabase } from './catalogue-database.js';
import { commandLine } from './command-line.js';
import { refuseNoLibrary } from './event-log-services.js';
import { ProgressLine } from './progress-line.js';
import { withStopSignal } from './stop-signal.js';

/** Inexact books that are printed on the terminal by their number; the others are counted. */
const MAX_PRINTED = 20;

const HELP = `
The file has a line for every book as of one moment, in UTF-8, with commas between the cells, and "npm run import" reads
it back: isbn, catalogue_number (where that is no valid ISBN), title, author, genres, publisher, publication_date, copies
(all that the library owns, lent or not), description and formulas_quoted. A cell that a spreadsheet would take for a
formula, as one that begins with = + - or @, gets an apostrophe before it; formulas_quoted then says "yes", and the import
takes the apostrophe away. With --plain-cells all cells are as they are, for programs that know no formulas. A book that an import would not take over exactly as it is,
for instance because a name has a semicolon in it, is told. Covers, readers and borrows are not in the file: "npm run
backup" has everything.

The product may be running; DATABASE_URL is used where it is set.
Exit code: 0 when the file is written, 1 when it is not; then none is left behind.`;

interface Options {
  bom?: true;
  plainCells?: true;
  force?: true;
}

const command = commandLine('export', 'Writes the catalogue into a CSV file.', 1)
  .argument('<file>', 'the CSV file')
  .option('--bom', 'begin the file with a byte order mark, by which Excel knows UTF-8')
  .option('--plain-cells', 'leave cells that a spreadsheet would take for formulas as they are')
  .option('--force', 'write over a file that is there')
  .addHelpText('after', HELP)
  .action(run);

async function run(file: string, options: Options): Promise<void> {
  const settings = readSettings();
  refuseNoLibrary(settings, 'Set DATA_DIR or DATABASE_URL.');
  const path = resolve(file);
  const progress = new ProgressLine();
  let books = 0;
  let inexact = 0;
  const text = (signal: AbortSignal, write: (chunk: string) => Promise<void>) =>
    withCatalogueDatabase(settings, async (database) => {
      if (options.bom) await write('\uFEFF');
      const chunks = exportBooks(database, {
        ...(options.plainCells && { formulas: 'plain' as const }),
        onInexact: (isbn, reason) => {
          inexact += 1;
          if (inexact > MAX_PRINTED) return;
          progress.clear();
          process.stdout.write(`${isbn}: ${reason}\n`);
          if (inexact === MAX_PRINTED) process.stdout.write('… further ones are counted.\n');
        },
        onProgress: (done) => progress.show((books = done), 'books'),
      });
      for await (const chunk of chunks) {
        signal.throwIfAborted();
        await write(chunk);
      }
    });
  await withStopSignal((signal) =>
    writeWhole(path, options.force === true, (write) => text(signal, write)),
  ).finally(() => progress.clear());
  process.stdout.write(`${books.toLocaleString('en')} books in ${path}\n`);
  if (inexact > 0) {
    process.stdout.write(
      `${inexact.toLocaleString('en')} of them an import would not take over as they are\n`,
    );
  }
}

/** Writes a file that is there when it is complete, and not before. */
async function writeWhole(
  path: string,
  overwrite: boolean,
  work: (write: (chunk: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  // Creates the file at once: another writer fails, and nothing is overwritten by accident.
  const place = overwrite ? undefined : await open(path, 'wx');
  const draft = `${path}.${process.pid}.part`;
  try {
    const handle = await open(draft, 'wx');
    try {
      await work(async (chunk) => void (await handle.writeFile(chunk)));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    if (place) await rm(path, { force: true });
    throw error;
  } finally {
    await place?.close();
  }
}

try {
  await command.parseAsync();
} catch (error) {
  const { code, message, path } = error as NodeJS.ErrnoException;
  process.stderr.write(
    code === 'EEXIST'
      ? `There is a file ${path} already. Choose another name, or say --force.\n`
      : `${message}\n`,
  );
  process.exitCode = 1;
}
