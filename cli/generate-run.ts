import * as m from '#words/messages.js';
import { readSettings } from '#platform/settings.js';
import { loadGeneratedBooks } from '../embedded/generate/load-generated.js';
import { withCatalogueDatabase } from './catalogue-database.js';
import { ProgressLine } from './progress-line.js';
import { inSeconds } from './seconds.js';

interface Options {
  books?: number;
  seed: number;
}

export async function run({ books, seed }: Options): Promise<void> {
  if (books === undefined) throw new Error(m.cli_generate_how_many());
  const progress = new ProgressLine();
  const began = Date.now();
  await withCatalogueDatabase(readSettings(), (database) =>
    loadGeneratedBooks(database, books, seed, (done, what) => progress.show(done, what)),
  ).catch((error: NodeJS.ErrnoException) => {
    throw error.code === '23505' ? new Error(m.cli_generate_seed_taken()) : error;
  });
  progress.clear();
  process.stdout.write(`${m.cli_generated({ count: books, seconds: inSeconds(Date.now() - began) })}\n`);
}
