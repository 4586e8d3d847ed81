import * as m from '#words/messages.js';
import { commandLine, EXIT } from './command-line.js';

await commandLine('check-export', EXIT.couldNotRun, (command) =>
  command
    .description(m.cli_check_export_does())
    .argument('<file>', m.cli_check_export_file())
    .run(m.cli_check_export_help(), () => import('./check-export-run.js')),
);
