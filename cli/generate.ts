import { InvalidArgumentError } from 'commander';
import { MAX_BOOKS } from '../embedded/generate/generated-books.js';
import { commandLine } from './command-line.js';

const HELP = `
The same seed and size give the same books on every machine. All are written in one transaction: after Ctrl-C there
are none. A catalogue that has books keeps them; the books of one seed can be added once.

The product may be running; DATABASE_URL is used where it is set.
Exit code: 0 when the books are in the catalogue, 1 when nothing was changed.`;

await commandLine(
  'generate',
  'Fills the catalogue with made-up books, to try the product at the size of a real library.',
  1,
)
  .option('--books <n>', `how many, up to ${MAX_BOOKS.toLocaleString('en')}; required`, (text) =>
    whole(text, 1, MAX_BOOKS),
  )
  .option('--seed <n>', 'a number from 0 to 4; another one makes other books', (text) => whole(text, 0, 4), 1)
  .run(HELP, () => import('./generate-run.js'));

function whole(text: string, least: number, most: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < least || number > most) {
    throw new InvalidArgumentError(`It has to be a whole number from ${least} to ${most}.`);
  }
  return number;
}
