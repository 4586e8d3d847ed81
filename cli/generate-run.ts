import { readSettings } from '#platform/settings.js';
import { loadGeneratedBooks } from '../embedded/generate/load-generated.js';
import { withCatalogueDatabase } from './catalogue-database.js';
import { ProgressLine } from './progress-line.js';

interface Options {
  books?: number;
  seed: number;
}

export async function run({ books, seed }: Options): Promise<void> {
  if (books === undefined) throw new Error('Say how many: --books <n>.');
  const progress = new ProgressLine();
  const began = Date.now();
  await withCatalogueDatabase(readSettings(), (database) =>
    loadGeneratedBooks(database, books, seed, (done, what) => progress.show(done, what)),
  ).catch((error: NodeJS.ErrnoException) => {
    throw error.code === '23505'
      ? new Error('Books of this seed are in the catalogue already. Choose another --seed.')
      : error;
  });
  progress.clear();
  process.stdout.write(
    `${books.toLocaleString('en')} books generated in ${((Date.now() - began) / 1000).toFixed(1)} s\n`,
  );
}
