import { resolve } from 'node:path';
import * as m from '#words/messages.js';
import { createLogger } from '#platform/logging.js';
import { readSettings, SHORTEST_PASSPHRASE, type Settings } from '#platform/settings.js';
import type { BackupLock } from '../embedded/backup/encrypted-archive.js';
import { makeBackup } from '../embedded/backup/make-backup.js';
import { withInstallation } from '../embedded/installation.js';
import { askPassphrase } from './ask-password.js';
import { refuseNoLibrary } from './event-log-services.js';
import { ProgressLine } from './progress-line.js';
import { inSeconds } from './seconds.js';
import { withStopSignal } from './stop-signal.js';

interface Options {
  withoutMailbox?: true;
  encrypt?: true;
  recipient?: string[];
}

export async function run(place: string, options: Options): Promise<void> {
  const settings = readSettings();
  refuseOwnServices(settings);
  refuseNoLibrary(settings, m.cli_set_data_dir());
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
        progress: (bytes) => progress.show(Math.floor(bytes / 1_000_000), m.cli_progress_megabytes),
      }),
    );
  const { files, holds, wal } = await withStopSignal(work).finally(() => progress.clear());
  const megabytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000_000;
  process.stdout.write(
    `${m.cli_backup_holds({ ...holds, position: wal.end })}\n` +
      `${m.cli_backup_made({
        files: files.length,
        megabytes: Math.ceil(megabytes),
        place: resolve(place),
        seconds: inSeconds(Date.now() - began),
      })}\n` +
      `${lock ? m.cli_backup_encrypted() : m.cli_backup_unencrypted()}\n`,
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
  if (passphrase.length < SHORTEST_PASSPHRASE) {
    throw new Error(m.cli_passphrase_too_short({ least: SHORTEST_PASSPHRASE }));
  }
  return { passphrase };
}

function refuseOwnServices({ DATABASE_URL, EVENTSTORE_URL }: Settings): void {
  const name = DATABASE_URL !== undefined ? 'DATABASE_URL' : EVENTSTORE_URL !== undefined && 'EVENTSTORE_URL';
  if (!name) return;
  throw new Error(m.cli_backup_own_services({ setting: name }));
}
