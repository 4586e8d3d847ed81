import { existsSync } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import pg from 'pg';
import { z } from 'zod';
import type { BACKUP_STEPS, BackupFailure } from '#contracts/dashboard/system-status.js';
import { queryRow } from '#platform/database/query-rows.js';
import { diskSpaceAt } from '#platform/operations/disk.js';
import type { Settings } from '#platform/settings.js';
import { claimFolder } from '../../data-folder.js';
import { POSTGRES_MAJOR } from '../../postgres/binaries.js';
import { DATABASE } from '../../postgres/owner-role.js';
import { runningPostgres } from '../../postgres/postgres-server.js';
import type { BackupKey } from '../archive-source.js';
import { refuseNested } from '../backup-folder.js';
import type { BackupLock } from '../encrypted-archive.js';
import { syncFolder } from '../folder-swap.js';
import { makeBackup } from '../make-backup.js';
import { restoreBackup } from '../restore-backup.js';
import { verifyRestored } from '../verify-restored.js';
import { namesFor, prune, removeUnverified, writeReceipt } from './backup-names.js';
import { makeScratchFolder, removeScratchFolder, removeScratchFolders, sizeOf } from './scratch-folder.js';

/** Beyond what is copied, PostgreSQL writes at its start. Bytes. */
const MARGIN = 200 * 1024 * 1024;

export type BackupStep = (typeof BACKUP_STEPS)[number];

/** A backup was not made, or is not good. */
export class BackupFailed extends Error {
  constructor(
    readonly failure: BackupFailure,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

export interface VerifiedBackup {
  name: string;
  bytes: number;
  events: number;
  differences: number;
  pruned: number;
}

export interface VerifiedBackupOptions {
  settings: Settings & { BACKUP_FOLDER: string };
  signal: AbortSignal;
  /** Told how many bytes, or events, a step has been through. */
  progress: (step: BackupStep, done: number) => void;
}

/**
 * Makes a backup in the folder for them, restores it into a spare folder, opens the library there and compares it with its
 * log. Only then it gets its name, and the oldest ones go. Whatever else was left there by killed processes is removed
 * first.
 * @throws BackupFailed; then nothing of it is left
 */
export async function makeVerifiedBackup({
  settings,
  signal,
  progress,
}: VerifiedBackupOptions): Promise<VerifiedBackup> {
  const folder = resolve(settings.BACKUP_FOLDER);
  const dataDir = resolve(settings.DATA_DIR);
  await stage('inside-data', signal, async () => refuseNested(dataDir, folder));
  const claim = await stage('not-writable', signal, async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return claimFolder(folder);
  });
  if (!claim) throw new BackupFailed('busy', `Another process makes backups into ${folder}.`);
  try {
    await stage('not-writable', signal, async () => {
      await removeUnverified(folder);
      await removeScratchFolders(dataDir);
    });
    await refuseFullDisk(folder, dataDir);
    const { lock, key } = await lockAndKey(settings);
    const names = namesFor(new Date(), lock !== undefined);
    const place = join(folder, names.untried);
    try {
      return await makeAndTry({ settings, signal, progress }, { folder, dataDir, place, lock, key, names });
    } catch (error) {
      await rm(place, { recursive: true, force: true, maxRetries: 5 });
      throw error;
    }
  } finally {
    await claim.release();
  }
}

interface Places {
  folder: string;
  dataDir: string;
  place: string;
  lock: BackupLock | undefined;
  key: BackupKey | undefined;
  names: { good: string; untried: string };
}

async function makeAndTry(
  { settings, signal, progress }: VerifiedBackupOptions,
  { folder, dataDir, place, lock, key, names }: Places,
): Promise<VerifiedBackup> {
  const installation = await stage('other', signal, () => installationOf(dataDir));
  const made = await stage('other', signal, () =>
    makeBackup({
      ...{ dataDir, place, mailbox: true, signal },
      ...(lock && { lock }),
      progress: (bytes) => progress('copying', bytes),
    }),
  );
  const spare = await makeScratchFolder(dataDir);
  try {
    // What fails before the library is opened is the backup's fault.
    let reason: BackupFailure = 'damaged';
    const restore = () =>
      restoreBackup(
        {
          ...{
            place,
            dataDir: join(spare, 'library'),
            replace: false,
            postgres: POSTGRES_MAJOR,
            forTrial: true,
            signal,
          },
          ...(key && { key }),
          progress: (bytes) => progress('restoring', bytes),
        },
        (draft, manifest) => {
          reason = 'not-whole';
          progress('comparing', 0);
          const library = { ...settings, DATA_DIR: draft };
          const compared = (events: number) => progress('comparing', events);
          return verifyRestored(library, manifest, signal, compared, { forTrial: true });
        },
      );
    const { result } = await stage(() => reason, signal, restore);
    const facts = {
      bytes: lock ? (await stat(place)).size : made.files.reduce((sum, { bytes }) => sum + bytes, 0),
      events: result.holdings.events,
      differences: result.report.differences.length,
    };
    await stage('not-writable', signal, async () => {
      const triedOutAt = new Date().toISOString();
      writeReceipt(folder, names.good, { installation, madeAt: made.madeAt, triedOutAt, ...facts });
      await rename(place, join(folder, names.good));
      await syncFolder(folder);
    });
    const pruned = await prune(folder, installation, settings.BACKUP_KEEP);
    return { name: names.good, ...facts, pruned: pruned.length };
  } finally {
    await removeScratchFolder(spare);
  }
}

async function stage<Result>(
  failure: BackupFailure | (() => BackupFailure),
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    signal.throwIfAborted();
    return await work();
  } catch (error) {
    if (signal.aborted) throw new BackupFailed('interrupted', error);
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') throw new BackupFailed('no-room', error);
    if (['EACCES', 'EPERM', 'EROFS'].includes(code ?? '')) throw new BackupFailed('not-writable', error);
    throw new BackupFailed(typeof failure === 'function' ? failure() : failure, error);
  }
}

/** Before anything is written: a full disk would keep the library from lending. */
async function refuseFullDisk(folder: string, dataDir: string): Promise<void> {
  const needed = await sizeOf(join(dataDir, 'postgres', 'cluster'));
  const isOneDisk = (await stat(folder)).dev === (await stat(dataDir)).dev;
  const wanted: [string, number][] = isOneDisk
    ? [[folder, 2 * needed + MARGIN]]
    : [
        [folder, needed],
        [dataDir, needed + MARGIN],
      ];
  for (const [place, bytes] of wanted) {
    const { free } = await diskSpaceAt(place);
    const inMegabytes = (value: number) => Math.ceil(value / 1_000_000);
    if (free >= bytes) continue;
    throw new BackupFailed(
      'no-room',
      `${place} has ${inMegabytes(free)} MB free, and the backup with its trial takes ${inMegabytes(bytes)} MB.`,
    );
  }
}

/**
 * What a backup is encrypted with, and what opens it here. For the owners of public keys it is encrypted for one key more,
 * which is made for this backup, opens it for its trial, and is then forgotten.
 */
async function lockAndKey({
  BACKUP_RECIPIENT,
  BACKUP_PASSPHRASE,
}: Settings): Promise<{ lock: BackupLock | undefined; key: BackupKey | undefined }> {
  if (BACKUP_RECIPIENT !== undefined) {
    const identity = await generateIdentity();
    const recipients = [...BACKUP_RECIPIENT, await identityToRecipient(identity)];
    return { lock: { recipients }, key: { identities: [identity] } };
  }
  const passphrase = BACKUP_PASSPHRASE;
  return passphrase === undefined
    ? { lock: undefined, key: undefined }
    : { lock: { passphrase }, key: { passphrase } };
}

/** What tells this library's backups from others': a restored one goes on with its own. */
export async function installationOf(dataDir: string): Promise<string> {
  const client = new pg.Client({
    connectionString: runningPostgres(join(dataDir, 'postgres')).adminUrl(DATABASE),
  });
  await client.connect();
  try {
    const row = await queryRow(
      client,
      z.object({ id: z.string() }),
      'select system_identifier::text as id from pg_control_system()',
    );
    if (!row) throw new Error('PostgreSQL gave no answer.');
    return row.id;
  } finally {
    await client.end();
  }
}

/**
 * Removes what a killed process left, unless one is at work.
 * @returns whether that could be done
 */
export async function removeLeftovers({
  BACKUP_FOLDER,
  DATA_DIR,
}: Pick<Settings, 'BACKUP_FOLDER' | 'DATA_DIR'>): Promise<boolean> {
  if (BACKUP_FOLDER === undefined || !existsSync(BACKUP_FOLDER)) {
    await removeScratchFolders(DATA_DIR);
    return true;
  }
  const claim = await claimFolder(BACKUP_FOLDER);
  if (!claim) return false;
  try {
    await removeUnverified(BACKUP_FOLDER);
    await removeScratchFolders(DATA_DIR);
    return true;
  } finally {
    await claim.release();
  }
}
