import * as m from '#words/messages.js';
import { SESSION_HOURS } from '../server/accounts/sessions/begin-session.js';
import { commandLine } from './command-line.js';

await commandLine('rotate-secrets', 1, (command) =>
  command
    .description(m.cli_rotate_secrets_does())
    .option('--sessions', m.cli_rotate_sessions())
    .option('--store', m.cli_rotate_store())
    .option('--database', m.cli_rotate_database())
    .option('--at-once', m.cli_rotate_at_once())
    .run(m.cli_rotate_secrets_help({ hours: SESSION_HOURS }), () => import('./rotate-secrets-run.js')),
);
