import { randomBytes } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { MIGRATION_NAMES } from '#platform/database/migrate.js';
import { claimFolder } from '../data-folder-claim.js';
import { isServerOf, readPidFile } from '../postgres/running-server.js';
import { giveFolder, unprivilegedUser } from '../postgres/unprivileged-user.js';
import { contentOf, copyFile, isAbsent } from './copied-file.js';
import {
  draftInside,
  draftsInside,
  exchangeContents,
  finishExchange,
  installationIn,
  isExchangeUnderWay,
  syncFolder,
} from './exchange.js';
import { BackupUnusable, ofThisProgram, readManifest, type BackupFile, type Manifest } from './manifest.js';

export interface RestoreOptions {
  /** The backup. */
  folder: string;
  /** Where it is restored to; created if it does not exist. */
  dataDir: string;
  /** Sets an existing installation aside instead of refusing. */
  replace: boolean;
  /** The major version of the embedded PostgreSQL. */
  postgres: string;
  /** Stops the restore without any change. */
  signal: AbortSignal;
  /** Called with the number of bytes checked, and then copied, so far. */
  progress?: (bytes: number, what: 'checked' | 'copied') => void;
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
 * @param tryOut starts the copy in the given folder, and stops it again; if it throws, nothing is changed
 * @throws BackupUnusable; an Error with a sentence for the person at the terminal
 */
export async function restoreBackup<Result>(
  options: RestoreOptions,
  tryOut: (dataDir: string, manifest: Manifest) => Promise<Result>,
): Promise<Restored<Result>> {
  const folder = resolve(options.folder);
  const dataDir = existsSync(options.dataDir) ? realpathSync(options.dataDir) : resolve(options.dataDir);
  const manifest = await readManifest(folder);
  refuseStrange(manifest, options.postgres);
  const release = await claimPlace(dataDir, options.replace);
  try {
    await checkFiles(folder, manifest, options);
    const draft = await makeDraft(dataDir);
    try {
      await fill(draft, folder, manifest, options);
      const result = await tryOut(draft, manifest);
      options.signal.throwIfAborted();
      const before = await putInPlace(draft, dataDir);
      return { manifest, result, ...(before !== undefined && { before }) };
    } catch (error) {
      // The exchange has begun: the next start or restore completes it.
      if (isExchangeUnderWay(dataDir)) {
        throw new Error(
          `The restored library was not put in place to the end (${(error as Error).message}). ` +
            'Do what that asks for, and start Lectern: it does the rest.',
          { cause: error },
        );
      }
      await rm(draft, { recursive: true, force: true, maxRetries: 5 });
      throw error;
    }
  } finally {
    await release();
  }
}

/** What was written by programs that these ones cannot take over from. */
function refuseStrange(manifest: Manifest, postgres: string): void {
  const { platform } = ofThisProgram();
  if (manifest.platform !== platform) {
    throw new BackupUnusable(
      `The backup was made on ${manifest.platform}, and PostgreSQL's files cannot be read on ${platform}.`,
    );
  }
  if (manifest.postgres.split('.')[0] !== postgres) {
    throw new BackupUnusable(
      `The backup is of PostgreSQL ${manifest.postgres}, and this release of Lectern has ${postgres}. ` +
        `Restore it with Lectern ${manifest.lectern}.`,
    );
  }
  const unknown = manifest.migrations.find((name) => !MIGRATION_NAMES.includes(name));
  if (unknown !== undefined) {
    throw new BackupUnusable(
      `The backup was made by a newer release (${manifest.lectern}, with ${unknown}). Install that one first.`,
    );
  }
}

/**
 * Makes sure that no process uses the data folder, or starts to.
 * @returns a function that releases it
 */
async function claimPlace(dataDir: string, replace: boolean): Promise<() => Promise<void>> {
  if (!existsSync(dataDir)) return async () => undefined;
  const claim = await claimFolder(dataDir);
  if (!claim) throw new Error(`Lectern runs on ${dataDir}. Stop it first, or set another DATA_DIR.`);
  try {
    const cluster = join(dataDir, 'postgres', 'cluster');
    const server = readPidFile(cluster);
    if (server && isServerOf(server.pid, cluster)) {
      throw new Error(
        `PostgreSQL still runs in ${dataDir} (process ${server.pid}), left by a Lectern that was killed. ` +
          'Start Lectern there and stop it with Ctrl-C first.',
      );
    }
    await finishExchange(dataDir);
    await removeLeftDrafts(dataDir);
    if (!replace && (await installationIn(dataDir)).length > 0) {
      throw new Error(
        `${dataDir} is not empty. Set DATA_DIR to another folder, or let --replace set aside what is there.`,
      );
    }
    return () => claim.release();
  } catch (error) {
    await claim.release();
    throw error;
  }
}

async function checkFiles(folder: string, manifest: Manifest, options: RestoreOptions): Promise<void> {
  let bytes = 0;
  for (const file of manifest.files) {
    options.signal.throwIfAborted();
    const content = await contentOf(join(folder, file.path)).catch((error: unknown) => {
      if (isAbsent(error)) throw new BackupUnusable(`The backup is damaged: ${file.path} is missing.`);
      throw error;
    });
    refuseOther(file, content);
    bytes += content.bytes;
    options.progress?.(bytes, 'checked');
  }
}

function refuseOther(file: BackupFile, content: { bytes: number; sha256: string }): void {
  if (content.bytes !== file.bytes) {
    throw new BackupUnusable(
      `The backup is damaged: ${file.path} has ${content.bytes} bytes instead of ${file.bytes}.`,
    );
  }
  if (content.sha256 !== file.sha256) {
    throw new BackupUnusable(`The backup is damaged: ${file.path} is not what was written.`);
  }
}

/** What a restore left inside the folder that was killed; whoever has the claim is alone here. */
async function removeLeftDrafts(dataDir: string): Promise<void> {
  for (const draft of await draftsInside(dataDir)) {
    const cluster = join(draft, 'postgres', 'cluster');
    const server = readPidFile(cluster);
    if (server && isServerOf(server.pid, cluster)) continue;
    await rm(draft, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Inside the data folder; where there is none yet, beside its place. */
async function makeDraft(dataDir: string): Promise<string> {
  const id = randomBytes(4).toString('hex');
  const draft = existsSync(dataDir) ? draftInside(dataDir, id) : `${dataDir}.restoring-${id}`;
  try {
    await mkdir(dirname(draft), { recursive: true });
    await mkdir(draft, { mode: 0o711 });
    return draft;
  } catch (error) {
    if (!isRefused(error)) throw error;
    throw new Error(`${dirname(draft)} cannot be written to. Set DATA_DIR to another folder.`, {
      cause: error,
    });
  }
}

async function fill(
  draft: string,
  folder: string,
  manifest: Manifest,
  options: RestoreOptions,
): Promise<void> {
  const place = (path: string) =>
    /^(?:cluster|password)(?:\/|$)/.test(path) ? join(draft, 'postgres', path) : join(draft, path);
  await mkdir(join(draft, 'postgres'), { mode: 0o711 });
  for (const path of manifest.folders) await mkdir(place(path), { recursive: true, mode: 0o700 });
  let bytes = 0;
  for (const file of manifest.files) {
    options.signal.throwIfAborted();
    refuseOther(file, await copyFile(join(folder, file.path), place(file.path)));
    bytes += file.bytes;
    options.progress?.(bytes, 'copied');
  }
  const user = unprivilegedUser();
  if (user) giveFolder(place('cluster'), user);
}

/** @returns where the previous contents are now */
async function putInPlace(draft: string, dataDir: string): Promise<string | undefined> {
  if (dirname(draft) === dataDir) return exchangeContents(dataDir, draft);
  await rename(draft, dataDir);
  await syncFolder(dirname(dataDir));
  return undefined;
}

function isRefused(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '');
}
