import * as m from '#words/messages.js';
import { commandLine, EXIT } from './command-line.js';

await commandLine('move-log', EXIT.couldNotRun, (command) =>
  command
    .description(m.cli_move_log_does())
    .option('--to <address>', m.cli_move_log_to())
    .run(m.cli_move_log_help(), () => import('./move-log-run.js')),
);
