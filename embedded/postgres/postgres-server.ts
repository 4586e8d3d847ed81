import { chmodSync, existsSync, mkdirSync, rmSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as m from '#words/messages.js';
import { firstInaccessibleFolder, type UnixUser, chownFolder } from '#platform/unprivileged-user.js';
import { storedSecret, writeDurably, readPrivate } from '../private-files.js';
import { postgresBinaries, type PostgresBinaries } from './binaries.js';
import { clusterUser, nobody, runAs } from './cluster-user.js';
import { launchServer, isElsewhere } from './launch-server.js';
import { makeOwnedDatabase, OWNER, SUPERUSER } from './owner-role.js';
import { newPassword, settlePassword, superuserPassword } from './superuser-password.js';
import { isPrivate, isServerOf, readPidFile, runningServer, type ServerPlace } from './running-server.js';
import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';

/** A running PostgreSQL of our own, which nobody but its owner and root can reach. */
export interface PostgresServer {
  /** The connection string by which the product works in a database of its own. Contains the password: never log it. */
  url(database: string): string;
  /** The superuser's connection string. Contains the password: never log it. */
  adminUrl(database: string): string;
  /** Makes the database where it is not there yet. */
  createDatabase(database: string): Promise<void>;
  /** Whether its process is there: one that was killed, or had to give up, does not come back by itself. */
  isRunning(): boolean;
  /** What the system did not let us do for its safety, in a sentence each. */
  warnings: readonly string[];
  /**
   * Stops it and waits for its processes to be gone.
   * @param how `immediate` where nothing of it is kept: it writes nothing more
   */
  stop(how?: 'fast' | 'immediate'): Promise<void>;
}

/** Connection strings of the server in a folder. */
class Addresses {
  constructor(
    private readonly folder: string,
    private readonly place: ServerPlace,
  ) {}

  /** @param database one that the product's role owns */
  url(database: string): string {
    return this.of(OWNER, readPrivate(ownerPasswordFile(this.folder)).trim(), database);
  }

  adminUrl(database: string): string {
    return this.of(SUPERUSER, superuserPassword(this.folder), database);
  }

  private of(role: string, password: string, database: string): string {
    const { host, port } = this.place;
    // The host that counts is the one behind: a folder cannot stand where a URL has its host.
    return `postgres://${role}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
  }
}

const SHARED_USER =
  'PostgreSQL runs as "nobody", as this machine has no number of a user to spare: programs that others run as nobody ' +
  'could read the library. Start Lectern as an ordinary user.';
const ownerPasswordFile = (folder: string) => join(folder, 'owner-password');

/** Gives the product's role another password, which it has from the next `createDatabase` on. */
export function rotateOwnerPassword(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  writeDurably(ownerPasswordFile(folder), newPassword());
}

/**
 * The connection strings of the server that another process runs in a folder. Only looks.
 * @throws when none runs there
 */
export function runningPostgres(folder: string): Pick<PostgresServer, 'url' | 'adminUrl'> {
  const cluster = join(folder, 'cluster');
  const file = readPidFile(cluster);
  if (!file || !isServerOf(file.pid, cluster) || !isPrivate(file.host, cluster))
    throw new Error(m.start_no_postgres_runs({ folder }));
  return new Addresses(folder, file);
}

/**
 * Starts PostgreSQL in a folder, making the folder's database cluster on the first start. A server that an
 * earlier, killed process left running there is adopted.
 * @param folder absolute path; holds the cluster, its socket, its passwords (mode 0600) and its log
 * @param settings further PostgreSQL settings, by name
 * @param onLaunched called when it is only waited for: this thread has time for other work
 * @throws with a sentence for the person at the terminal when the folder cannot be used
 */
export async function startPostgres(
  folder: string,
  settings: Record<string, string> = {},
  onLaunched: () => void = () => undefined,
): Promise<PostgresServer> {
  const binaries = await postgresBinaries();
  const cluster = join(folder, 'cluster');
  const warnings: string[] = [];
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  if (process.getuid?.() === 0) {
    // The user has to reach the cluster through a folder that stays ours.
    chmodSync(folder, 0o711);
    refuseClosedFolders(cluster, binaries.postgres);
  }

  const password = superuserPassword(folder);
  const ownerPassword = storedSecret(ownerPasswordFile(folder), newPassword);
  if (!existsSync(cluster)) {
    const made = makeCluster(binaries, folder, password, warnings);
    onLaunched();
    await made;
  }
  const user = clusterUser(cluster);
  if (user?.uid === nobody().uid) warnings.push(SHARED_USER);

  const adopted = await adoptRunning(binaries, cluster, password, user);
  const place = adopted ?? (await launchServer(binaries, { folder, cluster, settings, user, onLaunched }));
  onLaunched();
  await settlePassword(folder, place);
  const addresses = new Addresses(folder, place);
  const pid = readPidFile(cluster)?.pid ?? 0;

  return {
    warnings,
    url: (database) => addresses.url(database),
    adminUrl: (database) => addresses.adminUrl(database),
    isRunning: () => isServerOf(pid, cluster),
    createDatabase: (database) => makeOwnedDatabase(addresses.adminUrl('postgres'), database, ownerPassword),
    stop: async (how = 'fast') => {
      if (isServerOf(pid, cluster))
        await runAs(user, binaries.pg_ctl, ['stop', '-D', cluster, '-m', how, '-w', '-t', '60']);
      if (!adopted && isElsewhere(place, folder)) rmSync(place.host, { recursive: true, force: true });
    },
  };
}

function refuseClosedFolders(...paths: string[]): void {
  for (const path of paths) {
    const closed = firstInaccessibleFolder(path, nobody());
    if (closed === undefined) continue;
    throw new Error(m.start_postgres_as_root({ folder: closed }));
  }
}

/** A server that already runs on this cluster; one that cannot be used is stopped. */
async function adoptRunning(
  binaries: PostgresBinaries,
  cluster: string,
  password: string,
  user: UnixUser | undefined,
): Promise<ServerPlace | undefined> {
  const found = await runningServer(cluster, password);
  if (found !== 'unusable') return found;
  await runAs(user, binaries.pg_ctl, ['stop', '-D', cluster, '-m', 'immediate', '-w']).catch(() => undefined);
  return undefined;
}

/** How the name of a cluster begins that is being made. */
const DRAFT = 'cluster-draft-';
const MADE_BY_NOBODY =
  'The database was made as "nobody", as this machine knows no user namespaces: a program that ran as nobody at that ' +
  'moment could have changed it. Where you do not trust what runs here, start Lectern as an ordinary user, on a new folder.';

/**
 * Makes the cluster under another name, and gives it its own when it is complete: what an initdb leaves that was
 * killed on the way is never taken for a cluster, nor written to by it afterwards.
 */
async function makeCluster(
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
