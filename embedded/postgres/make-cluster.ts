import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { chownFolder, type UnixUser } from '#platform/unprivileged-user.js';
import type { PostgresBinaries } from './binaries.js';
import { clusterUser, nobody, runAs } from './cluster-user.js';
import { SUPERUSER } from './owner-role.js';

/** How the name of a cluster begins that is being made. */
const DRAFT = 'cluster-draft-';
const MADE_BY_NOBODY =
  'The database was made as "nobody", as this machine knows no user namespaces: a program that ran as nobody at that ' +
  'moment could have changed it. Where you do not trust what runs here, start Lectern as an ordinary user, on a new folder.';

/**
 * Makes the cluster under another name, and gives it its own when it is complete: what an initdb leaves that was
 * killed on the way is never taken for a cluster, nor written to by it afterwards.
 */
export async function makeCluster(
  binaries: PostgresBinaries,
  folder: string,
  password: string,
  warnings: string[],
): Promise<void> {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(DRAFT)) rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
  }
  const draft = join(folder, `${DRAFT}${randomBytes(4).toString('hex')}`);
  const [cluster, passwordFile] = [join(draft, 'cluster'), join(draft, 'initial-password')];
  mkdirSync(draft, { mode: 0o700 });
  mkdirSync(cluster, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600, flag: 'wx' });
  const owner = clusterUser(draft);
  const named = hasName(owner) ? [] : await namingOf(owner, binaries);
  const maker = owner && !named ? nobody() : owner;
  if (owner && !named) {
    chownFolder(draft, nobody());
    warnings.push(MADE_BY_NOBODY);
  }
  try {
    const [program = '', ...options] = [
      ...(named ?? []),
      binaries.initdb,
      ...['-D', cluster, `--username=${SUPERUSER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
      ...[
        '--encoding=UTF8',
        '--locale-provider=icu',
        '--icu-locale=pl',
        '--locale=C.UTF-8',
        '--data-checksums',
      ],
    ];
    await runAs(maker, program, options);
    renameSync(cluster, join(folder, 'cluster'));
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Whether the system has a name for the user; without one, for that of this process. */
function hasName(user: UnixUser | undefined): boolean {
  if (user) return user.uid === nobody().uid;
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

/**
 * `initdb` asks for the name of its user, and a number has none: in a namespace of its own it has that of `nobody`.
 * @returns what to run it by; nothing where this system has no such namespaces
 */
async function namingOf(
  user: UnixUser | undefined,
  { initdb }: PostgresBinaries,
): Promise<string[] | undefined> {
  const { uid, gid } = nobody();
  const naming = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--'];
  const [program = '', ...options] = naming;
  return runAs(user, program, [...options, initdb, '--version']).then(
    () => naming,
    () => undefined,
  );
}
