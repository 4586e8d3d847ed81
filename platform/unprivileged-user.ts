import { chmodSync, lchownSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A Unix user that a part runs as where this process is root. */
export interface UnixUser {
  uid: number;
  gid: number;
  name: string;
}

/**
 * For the browser that prints, when this process is root: an id that nobody else has. A page that took the browser over
 * would reach neither root's files nor those of PostgreSQL.
 */
export function browserUser(): UnixUser | undefined {
  return process.getuid?.() === 0 ? { uid: 64_733, gid: 64_733, name: 'user 64733' } : undefined;
}

/**
 * The first folder on the way to `path` that the user may not pass through, if there is one.
 * @param path an absolute path
 */
export function firstInaccessibleFolder(path: string, user: UnixUser): string | undefined {
  const folders: string[] = [];
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder))
    folders.unshift(folder);
  return folders.find((folder) => {
    const { mode, uid, gid } = statSync(folder);
    if (uid === user.uid) return (mode & 0o100) === 0;
    if (gid === user.gid) return (mode & 0o010) === 0;
    return (mode & 0o001) === 0;
  });
}

/** Gives a folder and all below it to the user. */
export function chownFolder(folder: string, user: UnixUser): void {
  lchownSync(folder, user.uid, user.gid);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) chownFolder(path, user);
    else lchownSync(path, user.uid, user.gid);
  }
}

/** Lets everybody read a folder and all below it, and run what its owner may run. */
export function makeReadable(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) makeReadable(path);
    else if (entry.isFile()) chmodSync(path, (statSync(path).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}
