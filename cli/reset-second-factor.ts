import * as m from '#words/messages.js';
import { commandLine } from './command-line.js';

await commandLine('reset-second-factor', 1, (command) =>
  command
    .description(m.cli_reset_second_factor_does())
    .argument('<username>', m.cli_username_or_address())
    .run(m.cli_reset_second_factor_help(), () => import('./reset-second-factor-run.js')),
);
