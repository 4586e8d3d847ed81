import * as m from '#words/messages.js';
import { commandLine } from './command-line.js';

await commandLine('reset-password', 1, (command) =>
  command
    .description(m.cli_reset_password_does())
    .argument('<username>', m.cli_username_or_address())
    .option('--password-stdin', m.cli_reset_password_stdin())
    .run(m.cli_reset_password_help(), () => import('./reset-password-run.js')),
);
