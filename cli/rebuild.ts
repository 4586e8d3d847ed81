import * as m from '#words/messages.js';
import { commandLine, EXIT } from './command-line.js';

await commandLine('rebuild', EXIT.couldNotRun, (command) =>
  command
    .description(m.cli_rebuild_does())
    .option('--adopt-log', m.cli_rebuild_adopt_log())
    .run(m.cli_rebuild_help(), () => import('./rebuild-run.js')),
);
