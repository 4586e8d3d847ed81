import { InvalidArgumentError } from 'commander';
import { MARC_WINNERS, type MarcWinner } from '#contracts/catalogue/marc-import.js';
import * as m from '#words/messages.js';
import { commandLine, EXIT } from './command-line.js';

await commandLine('import', EXIT.couldNotRun, (command) =>
  command
    .description(m.cli_import_does())
    .argument('<file>', m.cli_import_file())
    .option('--copies <n>', m.cli_import_copies(), count)
    .option('--encoding <name>', m.cli_import_encoding(), encoding, 'utf-8')
    .option('--delimiter <character>', m.cli_import_delimiter())
    .option('--report <file>', m.cli_import_report())
    .option('--dry-run', m.cli_import_dry_run())
    .option('--wins <fields>', m.cli_import_wins(), wins)
    .run(`${m.cli_import_help()}\n\n${m.cli_marc_help()}`, () => import('./import-run.js')),
);

function count(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 10_000) {
    throw new InvalidArgumentError(m.cli_import_copies_range());
  }
  return number;
}

function wins(text: string): MarcWinner[] {
  const names = text.split(',').map((name) => name.trim());
  const known = MARC_WINNERS.filter((name) => names.includes(name));
  if (known.length === new Set(names).size) return known;
  throw new InvalidArgumentError(m.cli_import_wins_unknown({ fields: MARC_WINNERS.join(', ') }));
}

function encoding(name: string): string {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    throw new InvalidArgumentError(m.cli_import_encoding_unknown());
  }
}
