import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as m from '#words/messages.js';
import { readSettings } from '#platform/settings.js';
import { startOfDay } from '#contracts/local-day.js';
import { storedTimeZone } from '#platform/library-time-zone.js';
import { exportMarc } from '../server/catalogue/export/export-marc.js';
import type { MarcForm } from '../server/catalogue/marc/record.js';
import { exportBooks } from '../server/catalogue/export/export-books.js';
import { withCatalogueDatabase } from './catalogue-database.js';
import { refuseNoLibrary } from './event-log-services.js';
import { ProgressLine } from './progress-line.js';
import { withStopSignal } from './stop-signal.js';

/** Inexact books that are printed on the terminal by their number; the others are counted. */
const MAX_PRINTED = 20;

/** What a file is, by the end of its name; any other is CSV. */
const FORMS: readonly (readonly [ending: RegExp, form: MarcForm])[] = [
  [/\.(?:mrc|marc)$/i, 'iso2709'],
  [/\.xml$/i, 'marcxml'],
];

interface Options {
  since?: string;
  bom?: true;
  plainCells?: true;
  force?: true;
}

export async function run(file: string, options: Options): Promise<void> {
  const settings = readSettings();
  refuseNoLibrary(settings, m.cli_set_data_dir_or_database());
  const path = resolve(file);
  const progress = new ProgressLine();
  let books = 0;
  let inexact = 0;
  const text = (signal: AbortSignal, write: (chunk: string | Buffer) => Promise<void>) =>
    withCatalogueDatabase(settings, async (database) => {
      const changedSince =
        options.since === undefined
          ? undefined
          : new Date(startOfDay(options.since, (await storedTimeZone(database)) ?? 'UTC'));
      const onInexact = (isbn: string, reason: string) => {
        inexact += 1;
        if (inexact > MAX_PRINTED) return;
        progress.clear();
        process.stdout.write(`${m.cli_export_inexact({ isbn, reason })}\n`);
        if (inexact === MAX_PRINTED) process.stdout.write(`${m.cli_export_more_inexact()}\n`);
      };
      const onProgress = (done: number) => progress.show((books = done), m.cli_progress_books);
      const form = FORMS.find(([ending]) => ending.test(path))?.[1];
      if (!form && options.bom) await write('\uFEFF');
      const chunks = form
        ? exportMarc(database, form, { changedSince, onLeft: onInexact, onProgress })
        : exportBooks(database, {
            ...(options.plainCells && { formulas: 'plain' as const }),
            ...{ changedSince, onInexact, onProgress },
          });
      for await (const chunk of chunks) {
        signal.throwIfAborted();
        await write(chunk);
      }
    });
  await withStopSignal((signal) =>
    writeWhole(path, options.force === true, (write) => text(signal, write)),
  ).finally(() => progress.clear());
  process.stdout.write(`${m.cli_exported({ count: books, file: path })}\n`);
  if (inexact > 0) process.stdout.write(`${m.cli_export_inexact_count({ count: inexact })}\n`);
}

function refuseTaken(error: NodeJS.ErrnoException): never {
  if (error.code !== 'EEXIST') throw error;
  throw new Error(m.cli_export_file_there({ file: error.path ?? '' }));
}

/** Writes a file that is there when it is complete, and not before. */
async function writeWhole(
  path: string,
  overwrite: boolean,
  work: (write: (chunk: string | Buffer) => Promise<void>) => Promise<void>,
): Promise<void> {
  // Creates the file at once: another writer fails, and nothing is overwritten by accident.
  const place = overwrite ? undefined : await open(path, 'wx').catch(refuseTaken);
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
