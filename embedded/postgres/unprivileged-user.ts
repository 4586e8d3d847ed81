import { chownSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The Unix user that PostgreSQL runs as. PostgreSQL refuses to run as root. */
export interface UnixUser {
  uid: number;
  gid: number;
  name: string;
}

/** `nobody` when this process is root, otherwise nothing: then PostgreSQL runs as the same user as we do. */
export function unprivilegedUser(): UnixUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  return { uid: Number(uid ?? 65534), gid: Number(gid ?? 65534), name: 'nobody' };
}

/**
 * The first folder on the way to `path` that the user may not pass through, if there is one.
 * @param path an absolute path
 */
export function firstClosedFolder(path: string, user: UnixUser): string | undefined {
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
export function giveFolder(folder: string, user: UnixUser): void {
  chownSync(folder, user.uid, user.gid);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) giveFolder(path, user);
    else chownSync(path, user.uid, user.gid);
  }
}
