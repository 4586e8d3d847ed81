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
import { refuseNoLibrary } from './event-log-services.js';
import { ProgressLine } from './progress-line.js';
import { withStopSignal } from './stop-signal.js';

interface Options {
  withoutMailbox?: true;
  encrypt?: true;
  recipient?: string[];
}

export async function run(place: string, options: Options): Promise<void> {
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
      'docs/handbook.md tells what and in which order.',
  );
}
