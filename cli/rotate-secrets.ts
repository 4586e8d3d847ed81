import { SESSION_HOURS } from '../server/accounts/sessions/begin-session.js';
import { commandLine } from './command-line.js';

const HELP = `
--sessions makes a new secret in place of the one in DATA_DIR that signs sessions. Who is signed in stays so: the old
one is accepted until the last session that it signed has run out, ${SESSION_HOURS} hours later. Where somebody else may
know it, add --at-once: it is not accepted any longer, and everybody signs in again.

--store makes a new secret of the embedded event store, and --database a new password of the superuser of the embedded
PostgreSQL. The product may be running: it takes the store's secret up by itself, and the old one is accepted for a minute
more, or not at all with --at-once. Every start makes the store's secret and the password of the product's own role anew
by itself.

For --sessions Lectern must not be running on DATA_DIR. Where JWT_SECRET is set, change it there, and keep what it was in
JWT_SECRET_PREVIOUS for ${SESSION_HOURS} hours; docs/handbook.md tells in which order.

Exit code: 0 when the secrets are new, 1 when nothing was changed.`;

await commandLine('rotate-secrets', 'Makes new secrets in place of those that DATA_DIR keeps.', 1)
  .option('--sessions', 'the one that signs sessions')
  .option('--store', 'the one that the event store demands')
  .option('--database', 'the password of the superuser of PostgreSQL')
  .option('--at-once', 'accept the old ones no longer: of sessions, this ends every one')
  .run(HELP, () => import('./rotate-secrets-run.js'));
