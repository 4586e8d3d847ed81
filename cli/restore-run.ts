import { resolve } from 'node:path';
import * as m from '#words/messages.js';
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
import { inSeconds } from './seconds.js';
import { withStopSignal } from './stop-signal.js';

/** Differences that are printed here; "npm run verify -- --all" has them all. */
const MAX_PRINTED = 20;

const DONE = { copied: m.cli_progress_copied, unpacked: m.cli_progress_unpacked };

export async function run(
  place: string,
  { replace, identity }: { replace?: true; identity?: string },
): Promise<void> {
  const settings = readSettings();
  if (settings.DATABASE_URL !== undefined || settings.EVENTSTORE_URL !== undefined) {
    throw new Error(m.cli_restore_own_services());
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
        progress: (bytes, what) => progress.show(Math.floor(bytes / 1_000_000), DONE[what]),
      },
      (dataDir, manifest) =>
        verifyRestored({ ...settings, DATA_DIR: dataDir }, manifest, signal, (events) =>
          progress.show(events, m.cli_progress_events),
        ),
    ),
  ).finally(() => progress.clear());
  const { holdings, report } = result;
  process.stdout.write(
    `${m.cli_restored({
      ...{ at: manifest.madeAt, release: manifest.lectern },
      ...{ events: holdings.events, borrows: report.borrows, books: report.books },
      ...{ covers: holdings.covers, accounts: holdings.accounts },
    })}\n${before === undefined ? '' : `${m.cli_restored_before({ folder: before })}\n`}`,
  );
  print(report);
  const folder = resolve(settings.DATA_DIR);
  process.stdout.write(`${m.cli_restored_place({ folder, seconds: inSeconds(Date.now() - began) })}\n`);
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
    throw new BackupUnusable(m.cli_restore_needs_identity({ file: place }));
  }
  return { identities: await readIdentities(identity) };
}

function print({ differences }: VerifyReport): void {
  for (const difference of differences.slice(0, MAX_PRINTED)) process.stdout.write(`${difference}\n`);
  const count = differences.length;
  process.stdout.write(
    `${count === 0 ? m.cli_restored_no_difference() : m.cli_restored_differences({ count })}\n`,
  );
}
