import { commandLine } from './command-line.js';

const HELP = `
For somebody who lost phone, passkeys and recovery codes. Code app, passkeys and recovery codes are taken off, all sessions
end, and the owner is told by letter: the password alone signs in again. With STAFF_MFA=required an admin or auditor then
adds a second factor before anything else. Be sure that it is the account's owner who asks.

The product may be running; DATABASE_URL is used where it is set.
Exit code: 0 when it is done, 1 when nothing was changed.`;

await commandLine('reset-second-factor', 'Takes the second factor off an account.', 1)
  .argument('<username>', 'or the confirmed email address')
  .run(HELP, () => import('./reset-second-factor-run.js'));
