import { resolve } from 'node:path';
import { createLogger } from '#platform/logging.js';
import { readSettings, type Settings } from '#platform/settings.js';
import { makeBackup } from '../embedded/backup/make-backup.js';
import { withInstallation } from '../embedded/installation.js';
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
With DATABASE_URL or EVENTSTORE_URL set, back up those with their own means.

Exit code: 0 when the backup is complete, 2 when there is none; what was begun is then removed.`;

const command = commandLine(
  'backup',
  'Backs up the whole library of the embedded default, also while it runs.',
  EXIT.couldNotRun,
)
  .argument('<folder>', 'where the backup goes')
  .option('--without-mailbox', 'leave the letters of the mailbox at /dev/mail out')
  .addHelpText('after', HELP)
  .action(run);

async function run(folder: string, { withoutMailbox }: { withoutMailbox?: true }): Promise<void> {
  const settings = readSettings();
  refuseOwnServices(settings);
  refuseNoLibrary(settings, 'Set DATA_DIR.');
  const progress = new ProgressLine();
  const began = Date.now();
  const work = (signal: AbortSignal) =>
    // No token is signed or verified here, so no secret is needed.
    withInstallation({ ...settings, JWT_SECRET: '-' }, createLogger('error'), () =>
      makeBackup({
        dataDir: settings.DATA_DIR,
        folder,
        mailbox: !withoutMailbox,
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
      `${number(files.length)} files, ${number(Math.ceil(megabytes))} MB in ${resolve(folder)} ` +
      `(${((Date.now() - began) / 1000).toFixed(1)} s)\n` +
      'It holds passwords and personal data: keep it where only you can read it.\n',
  );
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
