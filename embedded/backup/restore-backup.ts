import { randomBytes } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import * as m from '#words/messages.js';
import { claimFolder } from '../data-folder.js';
import { refuseForeignFolder } from '../private-files.js';
import { isServerOf, readPidFile } from '../postgres/running-server.js';
import { ArchiveSource, type BackupKey } from './archive-source.js';
import { FolderSource, type BackupSource, type FillOptions } from './backup-source.js';
import {
  stagingFolderIn,
  stagingFoldersIn,
  swapContents,
  finishSwap,
  installationIn,
  isSwapUnderWay,
  syncFolder,
} from './folder-swap.js';
import type { Manifest } from './manifest.js';

export interface RestoreOptions extends FillOptions {
  /** The backup: a folder, or with a key an encrypted file. */
  place: string;
  key?: BackupKey;
  /** Where it is restored to; made where it is not there. */
  dataDir: string;
  /** Sets an existing installation aside instead of refusing. */
  replace: boolean;
}

export interface Restored<Result> {
  manifest: Manifest;
  result: Result;
  /** Where the previous installation is now. */
  before?: string;
}

/**
 * Restores a backup into a folder inside the data folder, and exchanges the contents when all is done. If there is no data
 * folder yet, the folder is created beside its place, and becomes it.
 * @param verifyRestored starts the copy in the given folder, and stops it again; if it throws, nothing is changed
 * @throws BackupUnusable; an Error with a sentence for the person at the terminal
 */
export async function restoreBackup<Result>(
  options: RestoreOptions,
  verifyRestored: (dataDir: string, manifest: Manifest) => Promise<Result>,
): Promise<Restored<Result>> {
  const { key, signal } = options;
  const place = resolve(options.place);
  const dataDir = existsSync(options.dataDir) ? realpathSync(options.dataDir) : resolve(options.dataDir);
  const source: BackupSource = key ? await ArchiveSource.open(place, key) : await FolderSource.open(place);
  const release = await claimPlace(dataDir, options.replace);
  try {
    const draft = await makeDraft(dataDir);
    try {
      const manifest = await source.fill(draft, options);
      const result = await verifyRestored(draft, manifest);
      signal.throwIfAborted();
      const before = await putInPlace(draft, dataDir);
      return { manifest, result, ...(before !== undefined && { before }) };
    } catch (error) {
      // The exchange has begun: the next start or restore completes it.
      if (isSwapUnderWay(dataDir)) {
        throw new Error(m.cli_restore_unfinished({ reason: (error as Error).message }), { cause: error });
      }
      await rm(draft, { recursive: true, force: true, maxRetries: 5 });
      throw error;
    }
  } finally {
    await release();
  }
}

/**
 * Makes sure that no process uses the data folder, or starts to.
 * @returns a function that releases it
 */
async function claimPlace(dataDir: string, replace: boolean): Promise<() => Promise<void>> {
  if (!existsSync(dataDir)) return async () => undefined;
  refuseForeignFolder('DATA_DIR', dataDir);
  const claim = await claimFolder(dataDir);
  if (!claim) throw new Error(m.cli_runs_on_folder({ folder: dataDir }));
  try {
    const cluster = join(dataDir, 'postgres', 'cluster');
    const server = readPidFile(cluster);
    if (server && isServerOf(server.pid, cluster)) {
      throw new Error(m.cli_postgres_left({ folder: dataDir, pid: String(server.pid) }));
    }
    await finishSwap(dataDir);
    await removeLeftDrafts(dataDir);
    if (!replace && (await installationIn(dataDir)).length > 0) {
      throw new Error(m.cli_restore_not_empty({ folder: dataDir }));
    }
    return () => claim.release();
  } catch (error) {
    await claim.release();
    throw error;
  }
}

/** What a restore left inside the folder that was killed; whoever has the claim is alone here. */
async function removeLeftDrafts(dataDir: string): Promise<void> {
  for (const draft of await stagingFoldersIn(dataDir)) {
    const cluster = join(draft, 'postgres', 'cluster');
    const server = readPidFile(cluster);
    if (server && isServerOf(server.pid, cluster)) continue;
    await rm(draft, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Inside the data folder; where there is none yet, beside its place. */
async function makeDraft(dataDir: string): Promise<string> {
  const id = randomBytes(4).toString('hex');
  const draft = existsSync(dataDir) ? stagingFolderIn(dataDir, id) : `${dataDir}.restoring-${id}`;
  try {
    await mkdir(dirname(draft), { recursive: true });
    await mkdir(draft, { mode: 0o711 });
    return draft;
  } catch (error) {
    if (!isRefused(error)) throw error;
    throw new Error(m.cli_folder_not_writable({ folder: dirname(draft) }), {
      cause: error,
    });
  }
}

/** @returns where what was there is now */
async function putInPlace(draft: string, dataDir: string): Promise<string | undefined> {
  if (dirname(draft) === dataDir) return swapContents(dataDir, draft);
  await rename(draft, dataDir);
  await syncFolder(dirname(dataDir));
  return undefined;
}

function isRefused(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '');
}
