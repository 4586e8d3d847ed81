import { commandLine, EXIT } from './command-line.js';

const HELP = `
The library is restored into DATA_DIR, which has to be empty or not there yet. With --replace what is there is kept, as
DATA_DIR/.before-<time>. Lectern must not be running on it.

An encrypted backup is recognised. Its passphrase is asked for on the terminal and not shown, or is BACKUP_PASSPHRASE
(better: the file that BACKUP_PASSPHRASE_FILE names). One that was made with --recipient needs --identity.

First every file of the backup is compared with what was written. Then all is copied into a folder inside DATA_DIR,
PostgreSQL is started there once, the schema brought to this release, and the lists compared with the event log, as
"npm run verify" does. Only then it takes the place of what is there: when something fails before, nothing has changed.

Exit code: 0 when the library is restored and everything agrees, 1 when it is restored and the lists differ from the
log as they did in the backup ("npm run rebuild" mends them), 2 when it was not restored.`;

await commandLine('restore', 'Restores a backup of the embedded default into DATA_DIR.', EXIT.couldNotRun)
  .argument('<folder>', 'the backup: a folder, or the file of an encrypted one')
  .option('--identity <file>', 'a file with the secret key that opens it (AGE-SECRET-KEY-1…)')
  .option('--replace', 'set the installation aside that is in DATA_DIR')
  .run(HELP, () => import('./restore-run.js'));
