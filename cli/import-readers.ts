import { InvalidArgumentError, Option } from 'commander';
import { FILE_ENCODINGS, MOST_INVITED_AN_HOUR } from '#contracts/accounts/reader-import.js';
import * as m from '#words/messages.js';
import { commandLine, EXIT } from './command-line.js';

await commandLine('import-readers', EXIT.couldNotRun, (command) =>
  command
    .description(m.cli_readers_does())
    .argument('[file]', m.cli_readers_file())
    .option('--memberships', m.cli_readers_memberships())
    .option('--loans <file>', m.cli_readers_loans())
    .option('--earlier-days', m.cli_readers_earlier_days())
    .option('--kinds <list>', m.cli_readers_kinds())
    .addOption(
      new Option('--encoding <name>', m.cli_import_encoding()).choices(FILE_ENCODINGS).default('utf-8'),
    )
    .option('--refused <folder>', m.cli_readers_refused())
    .option('--invite <number>', m.cli_readers_invite(), perHour)
    .option('--dry-run', m.cli_import_dry_run())
    .run(m.cli_readers_help(), () => import('./import-readers-run.js')),
);

function perHour(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= MOST_INVITED_AN_HOUR) return number;
  throw new InvalidArgumentError(m.cli_readers_invite_range({ most: MOST_INVITED_AN_HOUR }));
}
