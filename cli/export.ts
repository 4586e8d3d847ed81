import * as m from '#words/messages.js';
import { commandLine } from './command-line.js';

await commandLine('export', 1, (command) =>
  command
    .description(m.cli_export_does())
    .argument('<file>', m.cli_csv_file())
    .option('--bom', m.cli_export_bom())
    .option('--plain-cells', m.cli_export_plain_cells())
    .option('--force', m.cli_export_force())
    .run(m.cli_export_help(), () => import('./export-run.js')),
);
