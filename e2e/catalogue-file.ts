import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');

/** The list of 10,000 books where it lies beside the project, else the sample that comes with it. */
export function catalogueFile(): string {
  const shared = process.env['LECTERN_SHARED_DATA'] ?? join(ROOT, '../shared/data');
  const places = [join(shared, 'goodbooks-10k.csv'), join(ROOT, 'server/catalogue/import/sample.csv')];
  const found = places.find((place) => existsSync(place));
  if (!found) throw new Error(`There is no list of books to import, neither ${places.join(' nor ')}.`);
  return found;
}
