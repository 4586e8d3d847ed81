import { randomInt } from 'node:crypto';
import { chownSync, existsSync, lstatSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { chownFolder, type UnixUser } from '#platform/unprivileged-user.js';
import { spawn } from 'node:child_process';

/** Numbers of users that neither distributions nor systemd give to anybody: systemd.io/UIDS-GIDS. */
const FIRST = 60_706;
const LAST = 61_183;

const MAX_TRIES = 20;

/** Whose number PostgreSQL's files have, and its processes, where this process is root. */
const isOfClusters = (uid: number) => uid >= FIRST && uid <= LAST;

/**
 * The user that PostgreSQL, which refuses to run as root, runs as: a number of the cluster's own, which its files
 * keep, where this process is root; `nobody` where the system knows no such numbers, as in some containers.
 * @param folder the cluster's; belongs to that user from then on
 * @returns nothing where this process is not root: then PostgreSQL runs as the same user as we do
 */
export function clusterUser(folder: string): UnixUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const { uid } = lstatSync(folder);
  if (isOfClusters(uid)) return numbered(uid);
  // A server that is left there goes on as the one that it was started as.
  const isInUse = uid === nobody().uid && existsSync(join(folder, 'postmaster.pid'));
  const user = isInUse ? nobody() : (freeUser(folder) ?? nobody());
  if (user.uid !== uid) chownFolder(folder, user);
  return user;
}

/** Whether root may find a folder of this owner among PostgreSQL's. */
export function mayOwnCluster(uid: number): boolean {
  return isOfClusters(uid) || uid === nobody().uid;
}

function freeUser(folder: string): UnixUser | undefined {
  const taken = takenNumbers();
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const uid = randomInt(FIRST, LAST + 1);
    if (taken.has(uid)) continue;
    try {
      chownSync(folder, uid, uid);
      return numbered(uid);
    } catch {
      // The kernel gives this container fewer numbers.
      return undefined;
    }
  }
  return undefined;
}

/** By the list of users, and by the processes that run. */
function takenNumbers(): Set<number> {
  const listed = users().map(({ uid }) => uid);
  const running = (existsSync('/proc') ? readdirSync('/proc') : [])
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statSync(`/proc/${name}`, { throwIfNoEntry: false })?.uid ?? []);
  return new Set([...listed, ...running]);
}

const numbered = (uid: number): UnixUser => ({ uid, gid: uid, name: `user ${uid}` });

/** @returns `nobody`, whom every system has; other programs may run as this user too */
export function nobody(): UnixUser {
  return users().find(({ name }) => name === 'nobody') ?? { uid: 65_534, gid: 65_534, name: 'nobody' };
}

function users(): UnixUser[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
}

/**
 * Runs a program to its end.
 * @param user whom it runs as, if not as this process does
 * @param log where it writes to; without, what it says of a failure is in the error
 * @throws an Error where it fails
 */
export async function runAs(
  user: UnixUser | undefined,
  program: string,
  args: string[],
  log?: number,
): Promise<void> {
  const child = spawn(program, args, {
    cwd: '/',
    env: { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' },
    stdio: ['ignore', log ?? 'ignore', log ?? 'pipe'],
    ...(user && { uid: user.uid, gid: user.gid }),
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    // Not `close`: PostgreSQL keeps what it writes to.
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${program}: ${said}`))));
  });
}
