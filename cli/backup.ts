import { resolve } from 'node:path';
import { createLogger } from '#platform/logging.js';
import {
  readSettings,
  SHORTEST_PASSPHRASE,
  TOO_SHORT_PASSPHRASE,
  type Settings,
} from '#platform/settings.js';
import type { BackupLock } from '../embedded/backup/encrypted-archive.js';
import { makeBackup } from '../embedded/backup/make-backup.js';
import { withInstallation } from '../embedded/installation.js';
import { askPassphrase } from './ask-password.js';
import { commandLine } from './command-line.js';
import { couldNotRun, EXIT, refuseNoLibrary } from './event-log-services.js';
import { ProgressLine } from './progress-line.js';
import { withStopSignal } from './stop-signal.js';

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

const command = commandLine(
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
  .addHelpText('after', HELP)
  .action(run);

interface Options {
  withoutMailbox?: true;
  encrypt?: true;
  recipient?: string[];
}

async function run(place: string, options: Options): Promise<void> {
  const settings = readSettings();
  refuseOwnServices(settings);
  refuseNoLibrary(settings, 'Set DATA_DIR.');
  const lock = await lockOf(options, settings);
  const progress = new ProgressLine();
  const began = Date.now();
  const work = (signal: AbortSignal) =>
    // No token is signed or verified here, so no secret is needed.
    withInstallation({ ...settings, JWT_SECRET: '-' }, createLogger('error'), () =>
      makeBackup({
        dataDir: settings.DATA_DIR,
        place,
        ...(lock && { lock }),
        mailbox: !options.withoutMailbox,
        signal,
        progress: (bytes) => progress.show(Math.floor(bytes / 1_000_000), 'MB'),
      }),
    );
  const { files, holds, wal } = await withStopSignal(work).finally(() => progress.clear());
  const number = (value: number) => value.toLocaleString('en');
  const megabytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000_000;
  process.stdout.write(
    `${number(holds.events)} events, ${number(holds.books)} books, ${number(holds.covers)} covers and ` +
      `${number(holds.accounts)} accounts, as of log position ${wal.end}\n` +
      `${number(files.length)} files, ${number(Math.ceil(megabytes))} MB in ${resolve(place)} ` +
      `(${((Date.now() - began) / 1000).toFixed(1)} s)\n` +
      (lock
        ? 'It is encrypted: without the passphrase or a secret key nobody can restore it.\n'
        : 'It holds secrets and personal data, unencrypted: keep it where only you can read it, or use --encrypt.\n'),
  );
}

/** @returns nothing for a backup that is not encrypted */
async function lockOf(
  { encrypt, recipient }: Options,
  { BACKUP_PASSPHRASE }: Settings,
): Promise<BackupLock | undefined> {
  if (recipient) return { recipients: recipient };
  if (!encrypt) return undefined;
  const passphrase = BACKUP_PASSPHRASE ?? (await askPassphrase(true));
  if (passphrase.length < SHORTEST_PASSPHRASE) throw new Error(`The passphrase ${TOO_SHORT_PASSPHRASE}.`);
  return { passphrase };
}

function refuseOwnServices({ DATABASE_URL, EVENTSTORE_URL }: Settings): void {
  const name = DATABASE_URL !== undefined ? 'DATABASE_URL' : EVENTSTORE_URL !== undefined && 'EVENTSTORE_URL';
  if (!name) return;
  throw new Error(
    `${name} is set: this library is not, or not all, in DATA_DIR. Back up its services with their own means; ` +
      'docs/operations.md tells what and in which order.',
  );
}

try {
  await command.parseAsync();
} catch (error) {
  couldNotRun(error);
}
