import { resolve } from 'node:path';
import { readSettings, type Settings } from '#platform/settings.js';
import type { VerifyReport } from '../projections/verify.js';
import { keyThatOpens, readIdentities, type BackupKey } from '../embedded/backup/archive-source.js';
import { BackupUnusable } from '../embedded/backup/manifest.js';
import { restoreBackup } from '../embedded/backup/restore-backup.js';
import { verifyRestored } from '../embedded/backup/verify-restored.js';
import { POSTGRES_MAJOR } from '../embedded/postgres/binaries.js';
import { askPassphrase } from './ask-password.js';
import { EXIT } from './command-line.js';
import { ProgressLine } from './progress-line.js';
import { withStopSignal } from './stop-signal.js';

/** Differences that are printed here; "npm run verify -- --all" has them all. */
const MAX_PRINTED = 20;

export async function run(
  place: string,
  { replace, identity }: { replace?: true; identity?: string },
): Promise<void> {
  const settings = readSettings();
  if (settings.DATABASE_URL !== undefined || settings.EVENTSTORE_URL !== undefined) {
    throw new Error(
      'DATABASE_URL or EVENTSTORE_URL is set: a backup is restored into DATA_DIR alone. Unset them.',
    );
  }
  const key = await keyTo(place, identity, settings);
  const progress = new ProgressLine();
  const began = Date.now();
  const { manifest, result, before } = await withStopSignal((signal) =>
    restoreBackup(
      {
        place,
        ...(key && { key }),
        dataDir: settings.DATA_DIR,
        replace: replace === true,
        postgres: POSTGRES_MAJOR,
        signal,
        progress: (bytes, what) => progress.show(Math.floor(bytes / 1_000_000), `MB ${what}`),
      },
      (dataDir, manifest) =>
        verifyRestored({ ...settings, DATA_DIR: dataDir }, manifest, signal, (events) =>
          progress.show(events, 'events'),
        ),
    ),
  ).finally(() => progress.clear());
  const number = (value: number) => value.toLocaleString('en');
  const { holdings, report } = result;
  process.stdout.write(
    `Restored the backup of ${manifest.madeAt} (Lectern ${manifest.lectern}): ${number(holdings.events)} events, ` +
      `${number(report.borrows)} borrows, ${number(report.books)} books, ${number(holdings.covers)} covers and ` +
      `${number(holdings.accounts)} accounts\n` +
      (before === undefined ? '' : `What was there before is in ${before}\n`),
  );
  print(report);
  process.stdout.write(
    `It is in ${resolve(settings.DATA_DIR)} (${((Date.now() - began) / 1000).toFixed(1)} s): npm start opens it.\n`,
  );
  if (report.differences.length > 0) process.exitCode = EXIT.differences;
}

/** @returns nothing for a backup that is not encrypted */
async function keyTo(
  place: string,
  identity: string | undefined,
  { BACKUP_PASSPHRASE }: Settings,
): Promise<BackupKey | undefined> {
  const kind = await keyThatOpens(place);
  if (kind === 'passphrase') return { passphrase: BACKUP_PASSPHRASE ?? (await askPassphrase(false)) };
  if (kind === undefined) return undefined;
  if (identity === undefined) {
    throw new BackupUnusable(`${place} was encrypted for a key: name the file that has it with --identity.`);
  }
  return { identities: await readIdentities(identity) };
}

function print({ differences }: VerifyReport): void {
  for (const difference of differences.slice(0, MAX_PRINTED)) process.stdout.write(`${difference}\n`);
  process.stdout.write(
    differences.length === 0
      ? 'Compared with the event log: no difference\n'
      : `${differences.length} differences from the event log, as in the backup: mend them with npm run rebuild\n`,
  );
}
