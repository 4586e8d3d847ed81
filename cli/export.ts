import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import * as m from '#words/messages.js';
import { commandLine } from './command-line.js';

await commandLine('export', 1, (command) =>
  command
    .description(m.cli_export_does())
    .argument('<file>', m.cli_export_file())
    .option('--bom', m.cli_export_bom())
    .option('--plain-cells', m.cli_export_plain_cells())
    .option('--since <day>', m.cli_export_changed_since(), day)
    .option('--force', m.cli_export_force())
    .run(m.cli_export_help(), () => import('./export-run.js')),
);

function day(text: string): string {
  if (z.iso.date().safeParse(text).success) return text;
  throw new InvalidArgumentError(m.common_not_a_day());
}
