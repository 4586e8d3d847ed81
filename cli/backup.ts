import { commandLine, EXIT } from './command-line.js';

const HELP = `
Everything that the embedded default keeps goes into the folder: events, lists, accounts, catalogue with covers,
queues, the letters of the mailbox and the secrets. The product may be running and goes on meanwhile; the backup is of
one moment near its end. Where it does not run, PostgreSQL is started for as long as this takes.

The folder has to be empty or not there yet, and outside DATA_DIR. It holds passwords, the key that signs sessions and
personal data: only its owner may read it. Keep it as safe as the installation, and on another disk.

With --encrypt all that is one file, encrypted in the format of age. Its passphrase is asked for on the terminal and not
shown, or is BACKUP_PASSPHRASE (better: the file that BACKUP_PASSPHRASE_FILE names); it is never an argument. With
--recipient it is encrypted for the owners of these keys instead, and this machine needs to know no secret.
Nobody, we neither, can open it without the passphrase or the key: try them out with "npm run restore".

With DATABASE_URL or EVENTSTORE_URL set, back up those with their own means.

Exit code: 0 when the backup is complete, 2 when there is none; what was begun is then removed.`;

await commandLine(
  'backup',
  'Backs up the whole library of the embedded default, also while it runs.',
  EXIT.couldNotRun,
)
  .argument('<folder>', 'where the backup goes: a folder, or the file of an encrypted one')
  .option('--encrypt', 'make one file that a passphrase opens')
  .option(
    '--recipient <key>',
    'make one file that the secret key to this public one opens (age1…); once for each',
    (key: string, others: string[] = []) => [...others, key],
  )
  .option('--without-mailbox', 'leave the letters of the mailbox at /dev/mail out')
  .run(HELP, () => import('./backup-run.js'));
