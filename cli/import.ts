import { InvalidArgumentError } from 'commander';
import * as m from '#words/messages.js';
import { commandLine, EXIT } from './command-line.js';

await commandLine('import', EXIT.couldNotRun, (command) =>
  command
    .description(m.cli_import_does())
    .argument('<file>', m.cli_csv_file())
    .option('--copies <n>', m.cli_import_copies(), count)
    .option('--encoding <name>', m.cli_import_encoding(), encoding, 'utf-8')
    .option('--delimiter <character>', m.cli_import_delimiter())
    .option('--report <file>', m.cli_import_report())
    .run(m.cli_import_help(), () => import('./import-run.js')),
);

function count(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 10_000) {
    throw new InvalidArgumentError(m.cli_import_copies_range());
  }
  return number;
}

function encoding(name: string): string {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    throw new InvalidArgumentError(m.cli_import_encoding_unknown());
  }
}
