import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isServerOf, readPidFile } from '../../postgres/running-server.js';
import { isAbsent } from '../copied-file.js';
import { stagingFolderIn } from '../folder-swap.js';

/** A draft of a restore is called like this too: whatever cleans up after those knows it. */
const TRIAL = 'trial-';
/** Milliseconds for PostgreSQL to end. */
const TIMEOUT = 10_000;

/** A new folder inside the data folder, in which a backup is tried out: nothing of it is ever outside unencrypted. */
export async function makeScratchFolder(dataDir: string): Promise<string> {
  const spare = stagingFolderIn(resolve(dataDir), `${TRIAL}${randomBytes(4).toString('hex')}`);
  await mkdir(spare, { mode: 0o711 });
  return spare;
}

/** Removes the spare folders of processes that were killed, and ends the PostgreSQL that may still run in one. */
export async function removeScratchFolders(dataDir: string): Promise<void> {
  const begin = stagingFolderIn(resolve(dataDir), TRIAL);
  for (const name of readdirSync(dataDir)) {
    const spare = join(resolve(dataDir), name);
    if (spare.startsWith(begin)) await removeScratchFolder(spare);
  }
}

export async function removeScratchFolder(spare: string): Promise<void> {
  for (const name of existsSync(spare) ? readdirSync(spare) : []) {
    await endServer(join(spare, name, 'postgres', 'cluster'));
  }
  await rm(spare, { recursive: true, force: true, maxRetries: 5 });
}

/** At once: nothing in it is kept. */
async function endServer(cluster: string): Promise<void> {
  const server = readPidFile(cluster);
  if (!server || !isServerOf(server.pid, cluster)) return;
  process.kill(server.pid, 'SIGQUIT');
  for (const until = Date.now() + TIMEOUT; isServerOf(server.pid, cluster);) {
    if (Date.now() > until) throw new Error(`PostgreSQL does not end in ${cluster} (process ${server.pid}).`);
    await sleep(50);
  }
}

/** The bytes of all files in a folder; one that disappears meanwhile does not count. */
export async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }).catch(nothingThere)) {
    if (!entry.isFile()) continue;
    const { size } = await stat(join(entry.parentPath, entry.name)).catch((error: unknown) => {
      if (isAbsent(error)) return { size: 0 };
      throw error;
    });
    bytes += size;
  }
  return bytes;
}

function nothingThere(error: unknown): [] {
  if (isAbsent(error)) return [];
  throw error;
}
