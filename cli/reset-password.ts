import { commandLine } from './command-line.js';

const HELP = `
Without an option it prints a link that sets a new password once, within an hour. Whoever has the link has the account:
give it to the account's owner alone. It leads to PUBLIC_URL, else to where the product runs on DATA_DIR; where it does not
run, or DATABASE_URL is set, to HOST and PORT: set them as they are for the product.
With --password-stdin the first line of standard input is the new password, and the owner is told by letter.
Either way all sessions of the account end, and who had tried too often may sign in again at once.

The product may be running; DATABASE_URL is used where it is set.
Exit code: 0 when it is done, 1 when nothing was changed.`;

await commandLine('reset-password', 'Gives an account a new password, or a link that sets one.', 1)
  .argument('<username>', 'or the confirmed email address')
  .option('--password-stdin', 'read the new password from standard input')
  .run(HELP, () => import('./reset-password-run.js'));
