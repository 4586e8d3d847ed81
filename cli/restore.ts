import * as m from '#words/messages.js';
import { commandLine, EXIT } from './command-line.js';

await commandLine('restore', EXIT.couldNotRun, (command) =>
  command
    .description(m.cli_restore_does())
    .argument('<folder>', m.cli_restore_folder())
    .option('--identity <file>', m.cli_restore_identity())
    .option('--replace', m.cli_restore_replace())
    .run(m.cli_restore_help(), () => import('./restore-run.js')),
);
