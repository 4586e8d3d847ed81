import { lstatSync, readFileSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { databaseFailure } from '#platform/database/database-failure.js';
import { belongsTo } from '../process-identity.js';
import { SUPERUSER } from './owner-role.js';

/** Whether PostgreSQL listens on a Unix socket alone: only Windows has none that Node could use. */
export const USES_UNIX_SOCKETS = process.platform !== 'win32';

/** Milliseconds for which a server that answers "not now" is waited for: it may be repairing after a crash. */
const TIMEOUT = 30_000;

/** Where a server takes connections: a folder with its Unix socket or, where Node knows none, an address. */
export interface ServerPlace {
  host: string;
  port: number;
}

/** What PostgreSQL writes down of itself in its cluster. */
export interface PidFile extends ServerPlace {
  pid: number;
}

/** The server that the cluster names, whether it runs or not. */
export function readPidFile(cluster: string): PidFile | undefined {
  try {
    const [pid, , , port, socketFolder, address = ''] = readFileSync(
      join(cluster, 'postmaster.pid'),
      'utf8',
    ).split('\n');
    return { pid: Number(pid), port: Number(port), host: socketFolder || address };
  } catch {
    return undefined;
  }
}

/**
 * Where a server takes connections that an earlier process left on this cluster.
 * @returns nothing where none runs, `'unusable'` where one runs and does not let us in
 */
export async function runningServer(
  cluster: string,
  password: string,
): Promise<ServerPlace | 'unusable' | undefined> {
  const until = Date.now() + TIMEOUT;
  for (;;) {
    const file = readPidFile(cluster);
    if (!file) return undefined;
    if (!isServerOf(file.pid, cluster)) {
      // PostgreSQL would take a dead but unreaped postmaster, or whoever has its number now, for a living one.
      rmSync(join(cluster, 'postmaster.pid'), { force: true });
      return undefined;
    }
    const outcome = await tryToConnect(file, cluster, password);
    if (outcome === 'open') return file;
    if (outcome === 'refused' || Date.now() > until) return 'unusable';
    await sleep(200);
  }
}

/** Whether the cluster's server takes connections, and the password for the superuser's. */
export async function tryToConnect(
  { host, port }: ServerPlace,
  cluster: string,
  password: string,
): Promise<'open' | 'later' | 'refused'> {
  // The last lines it writes down on its way up.
  if (host === '' || !Number.isInteger(port) || port <= 0) return 'later';
  if (!isPrivate(host, cluster)) return 'refused';
  const client = new pg.Client({
    ...{ host, port, database: 'postgres', user: SUPERUSER, password },
    connectionTimeoutMillis: 3000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return 'open';
  } catch (error) {
    // All but an answer of PostgreSQL is a server that is coming or going.
    const isRefusal = error instanceof pg.DatabaseError && databaseFailure(error) !== 'unavailable';
    return isRefusal ? 'refused' : 'later';
  }
}

/**
 * Whether nobody but the cluster's owner and root can listen in the folder of a socket: then it is PostgreSQL that is told the
 * password, whoever has its number or its port meanwhile.
 */
export function isPrivate(socketFolder: string, cluster: string): boolean {
  if (!USES_UNIX_SOCKETS) return true;
  const found = lstatSync(socketFolder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === lstatSync(cluster).uid && (found.mode & 0o027) === 0;
}

/** Whether the process lives and is the server of this cluster, as far as the system lets us see. */
export function isServerOf(pid: number, cluster: string): boolean {
  // PostgreSQL runs on no cluster that is not its user's own.
  const owner = statSync(cluster, { throwIfNoEntry: false })?.uid;
  if (owner === undefined || !belongsTo(pid, owner)) return false;
  if (process.platform !== 'linux') return true;
  try {
    // Its arguments name the cluster, or it works in its folder.
    const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return args.includes(cluster) || worksIn(pid, cluster);
  } catch {
    return false;
  }
}

function worksIn(pid: number, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
  } catch {
    return false;
  }
}
