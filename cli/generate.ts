import { InvalidArgumentError } from 'commander';
import * as m from '#words/messages.js';
import { MAX_BOOKS } from '../embedded/generate/generated-books.js';
import { commandLine } from './command-line.js';

await commandLine('generate', 1, (command) =>
  command
    .description(m.cli_generate_does())
    .option('--books <n>', m.cli_generate_books({ most: MAX_BOOKS }), (text) => whole(text, 1, MAX_BOOKS))
    .option('--seed <n>', m.cli_generate_seed(), (text) => whole(text, 0, 4), 1)
    .run(m.cli_generate_help(), () => import('./generate-run.js')),
);

function whole(text: string, least: number, most: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < least || number > most) {
    throw new InvalidArgumentError(m.cli_whole_number({ least, most }));
  }
  return number;
}
