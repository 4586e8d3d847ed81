import { existsSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { SUPERUSER } from './owner-role.js';

/** Milliseconds for which a server that answers "not now" is waited for: it may be repairing after a crash. */
const PATIENCE = 30_000;

/** What PostgreSQL writes down of itself in its cluster. */
export interface PidFile {
  pid: number;
  port: number;
}

/** The server that the cluster names, whether it runs or not. */
export function readPidFile(cluster: string): PidFile | undefined {
  try {
    const [pid, , , port] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(pid), port: Number(port) };
  } catch {
    return undefined;
  }
}

/**
 * The port of a server that an earlier process left on this cluster, when it takes connections.
 * @returns nothing where none runs, `'unusable'` where one runs and does not let us in
 */
export async function runningServer(
  cluster: string,
  password: string,
): Promise<number | 'unusable' | undefined> {
  const until = Date.now() + PATIENCE;
  for (;;) {
    const file = readPidFile(cluster);
    if (!file) return undefined;
    if (!isServerOf(file.pid, cluster)) {
      // PostgreSQL would take a dead but unreaped postmaster, or whoever has its number now, for a living one.
      rmSync(join(cluster, 'postmaster.pid'), { force: true });
      return undefined;
    }
    const outcome = await tryToConnect(file.port, password);
    if (outcome === 'open') return file.port;
    if (outcome === 'refused' || Date.now() > until) return 'unusable';
    await sleep(200);
  }
}

/** SQLSTATEs. */
const CANNOT_CONNECT_NOW = '57P03';
const TOO_MANY_CONNECTIONS = '53300';

/** Whether the server at the port takes connections, and the password for the superuser's. */
export async function tryToConnect(port: number, password: string): Promise<'open' | 'later' | 'refused'> {
  // The last line it writes down on its way up.
  if (!Number.isInteger(port) || port <= 0) return 'later';
  const client = new pg.Client({
    connectionString: `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`,
    connectionTimeoutMillis: 3000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return 'open';
  } catch (error) {
    const { code } = error as { code?: string };
    // An answer of PostgreSQL has a code of five characters; all else is a server that is coming or going.
    const isAnswer = code?.length === 5 && code !== CANNOT_CONNECT_NOW && code !== TOO_MANY_CONNECTIONS;
    return isAnswer ? 'refused' : 'later';
  }
}

/** Whether the process lives and is the server of this cluster, as far as the system lets us see. */
export function isServerOf(pid: number, cluster: string): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  if (process.platform !== 'linux' || !existsSync('/proc/self/stat')) return true;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    if (['Z', 'X'].includes(stat.slice(stat.lastIndexOf(')') + 2)[0] ?? '')) return false;
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
