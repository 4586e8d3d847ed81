import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  firstClosedFolder,
  giveFolder,
  unprivilegedUser,
  type UnixUser,
} from '#platform/unprivileged-user.js';
import { keptSecret, writeDurably } from '../durable-file.js';
import { postgresBinaries, type PostgresBinaries } from './binaries.js';
import { makeOwnedDatabase, OWNER, SUPERUSER } from './owner-role.js';
import { newPassword, settlePassword, superuserPassword } from './superuser-password.js';
import { isServerOf, readPidFile, runningServer } from './running-server.js';

const run = promisify(execFile);

/** A running PostgreSQL of our own, on loopback. */
export interface PostgresServer {
  port: number;
  /** The connection string by which the product works in a database of its own. Contains the password: never log it. */
  url(database: string): string;
  /** The superuser's connection string. Contains the password: never log it. */
  adminUrl(database: string): string;
  /** Makes the database where it is not there yet. */
  createDatabase(database: string): Promise<void>;
  /** Whether its process is there: one that was killed, or had to give up, does not come back by itself. */
  isRunning(): boolean;
  /**
   * Stops it and waits for its processes to be gone.
   * @param how `immediate` where nothing of it is kept: it writes nothing more
   */
  stop(how?: 'fast' | 'immediate'): Promise<void>;
}

const SETTINGS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '120',
  shared_buffers: '256MB',
  effective_cache_size: '2GB',
  work_mem: '16MB',
  maintenance_work_mem: '256MB',
  max_wal_size: '2GB',
  random_page_cost: '1.1',
  jit: 'off',
  log_min_messages: 'warning',
  log_timezone: 'UTC',
  timezone: 'UTC',
};

/** How the name of a cluster begins that is being made. */
const DRAFT = 'cluster-draft-';
const MAX_LAUNCHES = 5;
/** Seconds. After a crash, or from a backup that took long, it first works through its log; an end is seen at once. */
const MAX_STARTING = '900';

/** Connection strings of the server in a folder. */
class Addresses {
  constructor(
    private readonly folder: string,
    private readonly port: number,
  ) {}

  /** @param database one that the product's role owns */
  url(database: string): string {
    return this.of(OWNER, readFileSync(ownerPasswordFile(this.folder), 'utf8').trim(), database);
  }

  adminUrl(database: string): string {
    return this.of(SUPERUSER, superuserPassword(this.folder), database);
  }

  private of(role: string, password: string, database: string): string {
    return `postgres://${role}:${password}@127.0.0.1:${this.port}/${database}`;
  }
}

const ownerPasswordFile = (folder: string) => join(folder, 'owner-password');

/** Gives the product's role another password, which it has from the next `createDatabase` on. */
export function renewOwnerPassword(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  writeDurably(ownerPasswordFile(folder), newPassword());
}

/**
 * The connection strings of the server that another process runs in a folder. Only looks.
 * @throws when none runs there
 */
export function runningPostgres(folder: string): Pick<PostgresServer, 'url' | 'adminUrl'> {
  const file = readPidFile(join(folder, 'cluster'));
  if (!file) throw new Error(`No PostgreSQL runs in ${folder}.`);
  return new Addresses(folder, file.port);
}

/**
 * Starts PostgreSQL in a folder, making the folder's database cluster on the first start. A server that an
 * earlier, killed process left running there is adopted.
 * @param folder absolute path; holds the cluster, its passwords (mode 0600) and its log
 * @param settings further PostgreSQL settings, by name; without a `port` it takes any free one
 * @param onLaunched called when it is only waited for: this thread has time for other work
 * @throws with a sentence for the person at the terminal when the folder cannot be used
 */
export async function startPostgres(
  folder: string,
  settings: Record<string, string> = {},
  onLaunched: () => void = () => undefined,
): Promise<PostgresServer> {
  const binaries = await postgresBinaries();
  const user = unprivilegedUser();
  const cluster = join(folder, 'cluster');
  const logFile = join(folder, 'postgres.log');
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  if (user) refuseClosedFolders(user, cluster, binaries.postgres);

  const password = superuserPassword(folder);
  const ownerPassword = keptSecret(ownerPasswordFile(folder), newPassword);
  if (!existsSync(cluster)) {
    const made = initialise(binaries, folder, password, user);
    onLaunched();
    await made;
  }

  const adopted = await adoptRunning(binaries, cluster, password, user);
  const launching = { cluster, logFile, settings: { ...SETTINGS, ...settings }, user, onLaunched };
  const port = adopted ?? (await launch(binaries, launching));
  onLaunched();
  await settlePassword(folder, port);
  const addresses = new Addresses(folder, port);
  const pid = readPidFile(cluster)?.pid ?? 0;

  return {
    port,
    url: (database) => addresses.url(database),
    adminUrl: (database) => addresses.adminUrl(database),
    isRunning: () => isServerOf(pid, cluster),
    createDatabase: (database) =>
      makeOwnedDatabase((each) => addresses.adminUrl(each), database, ownerPassword),
    stop: async (how = 'fast') => {
      if (!isServerOf(pid, cluster)) return;
      await asUser(user, binaries.pg_ctl, ['stop', '-D', cluster, '-m', how, '-w', '-t', '60']);
    },
  };
}

function refuseClosedFolders(user: UnixUser, ...paths: string[]): void {
  for (const path of paths) {
    const closed = firstClosedFolder(path, user);
    if (closed === undefined) continue;
    throw new Error(
      `PostgreSQL does not run as root, so Lectern runs it as "${user.name}", who may not enter ${closed}. ` +
        'Start Lectern as an ordinary user, or keep the project and DATA_DIR in a folder that others may enter ' +
        '(for instance below /srv or /opt), or set DATABASE_URL.',
    );
  }
}

/**
 * Makes the cluster under another name, and gives it its own when it is complete: what an initdb leaves that was
 * killed on the way is never taken for a cluster, nor written to by it afterwards.
 */
async function initialise(
  binaries: PostgresBinaries,
  folder: string,
  password: string,
  user: UnixUser | undefined,
): Promise<void> {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(DRAFT)) rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
  }
  const draft = join(folder, `${DRAFT}${randomBytes(4).toString('hex')}`);
  mkdirSync(draft, { mode: 0o700 });
  const passwordFile = join(folder, 'initial-password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) {
    giveFolder(draft, user);
    giveFile(passwordFile, user);
  }
  try {
    await asUser(user, binaries.initdb, [
      '-D',
      draft,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=icu',
      '--icu-locale=pl',
      '--locale=C.UTF-8',
      '--data-checksums',
    ]);
    renameSync(draft, join(folder, 'cluster'));
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

function giveFile(file: string, user: UnixUser): void {
  // The user has to reach it through a folder that stays ours.
  chmodSync(join(file, '..'), 0o711);
  chownSync(file, user.uid, user.gid);
}

/** The port of a server that already runs on this cluster; one that cannot be used is stopped. */
async function adoptRunning(
  binaries: PostgresBinaries,
  cluster: string,
  password: string,
  user: UnixUser | undefined,
): Promise<number | undefined> {
  const port = await runningServer(cluster, password);
  if (port !== 'unusable') return port;
  await asUser(user, binaries.pg_ctl, ['stop', '-D', cluster, '-m', 'immediate', '-w']).catch(
    () => undefined,
  );
  return undefined;
}

interface Launch {
  cluster: string;
  logFile: string;
  settings: Record<string, string>;
  user: UnixUser | undefined;
  onLaunched: () => void;
}

async function launch(
  binaries: PostgresBinaries,
  { cluster, logFile, settings, user, onLaunched }: Launch,
): Promise<number> {
  if (user) {
    writeFileSync(logFile, '', { flag: 'a', mode: 0o600 });
    giveFile(logFile, user);
  }
  for (let attempt = 1; ; attempt += 1) {
    const port = Number(settings['port'] ?? (await freePort()));
    const options = Object.entries({ ...settings, port: String(port) })
      .map(([name, value]) => `-c ${name}='${value}'`)
      .join(' ');
    try {
      const started = asUser(user, binaries.pg_ctl, [
        'start',
        '-D',
        cluster,
        '-l',
        logFile,
        '-w',
        '-t',
        MAX_STARTING,
        '-o',
        options,
      ]);
      onLaunched();
      await started;
      return port;
    } catch (error) {
      // Somebody may have taken the port between our look and PostgreSQL's bind; or the last processes of a
      // server that was killed have not noticed yet, and still hold its memory.
      if (attempt < MAX_LAUNCHES) {
        await sleep(attempt * 300);
        continue;
      }
      const log = existsSync(logFile) ? readFileSync(logFile, 'utf8').split('\n').slice(-12).join('\n') : '';
      throw new Error(`PostgreSQL did not start in ${cluster}. The end of its log:\n${log}`, {
        cause: error,
      });
    }
  }
}

async function asUser(user: UnixUser | undefined, program: string, args: string[]): Promise<void> {
  await run(program, args, {
    cwd: '/',
    env: { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' },
    ...(user && { uid: user.uid, gid: user.gid }),
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
