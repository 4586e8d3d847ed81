import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  type Stats,
  fsyncSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import * as m from '#words/messages.js';
import { packageRoot } from '#platform/package-root.js';
import { StartupError } from '#platform/startup-error.js';
import { mayOwnCluster } from './postgres/cluster-user.js';

const OTHERS_WRITE = 0o022;
const EVERYBODY_WRITES = 0o002;
const STICKY = 0o1000;
/** Windows has no owners that Node could ask for: there the folders' own rights decide. */
const HAS_OWNERS = process.geteuid !== undefined;

/** Why a folder may not be used. */
class NotOurs extends Error {}

/**
 * Refuses a folder that another user made, or could exchange, with anything in it that this user did not make: a secret laid there
 * would be taken for ours, and a link would be followed to files elsewhere. Of one that is not there yet, the folders above it.
 * @param setting that names the folder
 * @throws StartupError in one line
 */
export function refuseForeignFolder(setting: string, folder: string): void {
  if (!HAS_OWNERS) return;
  const named = resolve(folder);
  try {
    foldersAbove(named).forEach(refuseOpen);
    const found = lstatSync(named, { throwIfNoEntry: false });
    if (!found) return;
    const real = realpathSync(named);
    if (found.isSymbolicLink()) [named, ...foldersAbove(real)].forEach(refuseOpen);
    refuseForeign(real);
  } catch (error) {
    if (!(error instanceof NotOurs)) throw error;
    throw new StartupError(m.start_folder_unsafe({ setting, folder, reason: error.message }));
  }
}

/** Those that somebody who cannot change the program itself may own. */
function foldersAbove(path: string): string[] {
  const program = `${packageRoot()}/`;
  const folders: string[] = [];
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) folders.push(folder);
  return folders.filter((folder) => !program.startsWith(`${folder}/`));
}

/** Who may write to a folder may put another in the place of one below it, unless the folder is like `/tmp`. */
function refuseOpen(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found) return;
  if (!isTrusted(found.uid))
    throw new NotOurs(m.start_belongs_to_other({ path: folder, uid: String(found.uid) }));
  if (found.isSymbolicLink() || (found.mode & STICKY) !== 0) return;
  const open = isOwnGroup(found.gid) ? EVERYBODY_WRITES : OTHERS_WRITE;
  if ((found.mode & open) !== 0) throw new NotOurs(m.start_others_may_write({ path: folder }));
}

/** Looks at everything below, and takes rights to write away from all but the owner. */
function refuseForeign(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  // It went meanwhile: a product may be at work here.
  if (!found) return;
  if (found.isSymbolicLink()) throw new NotOurs(m.start_is_link({ path }));
  if (!isTrusted(found.uid)) {
    // PostgreSQL itself refuses a cluster that others may enter.
    if (isOfPostgres(path, found)) return;
    throw new NotOurs(m.start_belongs_to_other({ path, uid: String(found.uid) }));
  }
  if (found.uid !== process.geteuid?.()) {
    // What is root's is in nobody else's hands.
    if ((found.mode & EVERYBODY_WRITES) !== 0) throw new NotOurs(m.start_others_may_write({ path }));
    return;
  }
  if ((found.mode & OTHERS_WRITE) !== 0) chmodSync(path, found.mode & 0o7755);
  if (!found.isDirectory() || isCluster(path)) return;
  for (const name of namesIn(path)) refuseForeign(join(path, name));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

const isTrusted = (uid: number) => uid === process.geteuid?.() || uid === 0;
const isOwnGroup = (gid: number) => gid === process.getegid?.() || gid === 0;

const isBelowPostgres = (path: string) => basename(dirname(path)) === 'postgres';
const isCluster = (path: string) => isBelowPostgres(path) && basename(path).startsWith('cluster');
const isOfPostgres = (path: string, found: Stats) =>
  process.geteuid?.() === 0 && isBelowPostgres(path) && found.isDirectory() && mayOwnCluster(found.uid);

/**
 * Opens a file of ours, and neither a link nor what another user laid there.
 * @param flags of `constants`
 * @throws StartupError; the system's error
 */
export function openPrivate(file: string, flags: number): number {
  let descriptor: number;
  try {
    descriptor = openSync(file, flags | (constants.O_NOFOLLOW ?? 0), 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOOP') throw error;
    throw new StartupError(m.start_file_is_link({ file }));
  }
  const found = fstatSync(descriptor);
  if (!HAS_OWNERS || (isTrusted(found.uid) && found.isFile())) return descriptor;
  closeSync(descriptor);
  throw new StartupError(m.start_file_of_other({ file, uid: String(found.uid) }));
}

/** What a file of ours says. @throws as `openPrivate` does */
export function readPrivate(file: string): string {
  const descriptor = openPrivate(file, constants.O_RDONLY);
  try {
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Writes a file that only its owner may read, whole or not at all: after a kill or a power cut the old content is
 * there or the new one, never a part of it.
 */
export function writeDurably(file: string, text: string): void {
  const draft = `${file}.new`;
  // What lies there goes: neither a link nor a file of somebody else's is written to.
  rmSync(draft, { force: true });
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, file);
  // The new name is in the folder: without this a power cut may take it back. Windows has no such call.
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** The secret in a file, generated on first use. Whatever rights the file had: from then on its owner alone may read it. */
export function storedSecret(file: string, make: () => string): string {
  let text = '';
  try {
    text = readPrivate(file).trim();
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  if (text === '') {
    text = make();
    writeDurably(file, text);
  }
  return text;
}
