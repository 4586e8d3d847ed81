import { chmodSync, chownSync, closeSync, constants, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as m from '#words/messages.js';
import { browserUser, type UnixUser } from '#platform/unprivileged-user.js';
import { openPrivate, readPrivate } from '../private-files.js';
import type { PostgresBinaries } from './binaries.js';
import { runAs } from './cluster-user.js';
import { USES_UNIX_SOCKETS, type ServerPlace } from './running-server.js';

const SETTINGS: Record<string, string> = {
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

const MAX_LAUNCHES = 5;
/** Seconds. After a crash, or from a backup that took long, it first works through its log; an end is seen at once. */
const MAX_STARTING = '900';

/** Of a socket, in bytes: what the systems take. */
const MAX_SOCKET_PATH = process.platform === 'linux' ? 107 : 103;
/** It is part of the socket's name; a port of the machine only where there are no sockets. */
const SOCKET_NUMBER = 5432;

interface Launch {
  /** Holds the cluster, its socket and its log. */
  folder: string;
  cluster: string;
  settings: Record<string, string>;
  user: UnixUser | undefined;
  onLaunched: () => void;
}

/**
 * Starts the server, and waits until it takes connections.
 * @throws an Error with the end of its log
 */
export async function launchServer(
  binaries: PostgresBinaries,
  { folder, cluster, settings, user, onLaunched }: Launch,
): Promise<ServerPlace> {
  const logFile = join(folder, 'postgres.log');
  for (let attempt = 1; ; attempt += 1) {
    const place = USES_UNIX_SOCKETS
      ? { host: await makeSocketFolder(folder, user), port: SOCKET_NUMBER }
      : { host: '127.0.0.1', port: await freePort() };
    const listening = USES_UNIX_SOCKETS
      ? { listen_addresses: '', unix_socket_directories: `"${place.host.replaceAll('"', '""')}"` }
      : { listen_addresses: place.host, unix_socket_directories: '' };
    const options = Object.entries({ ...SETTINGS, ...settings, ...listening, port: String(place.port) })
      .map(([name, value]) => `-c ${name}='${value.replaceAll("'", String.raw`'\''`)}'`)
      .join(' ');
    const log = openPrivate(logFile, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT);
    try {
      const started = runAs(
        user,
        binaries.pg_ctl,
        ['start', '-s', '-D', cluster, '-w', '-t', MAX_STARTING, '-o', options],
        log,
      );
      onLaunched();
      await started;
      return place;
    } catch (error) {
      // Somebody may have taken the port between our look and PostgreSQL's bind; or the last processes of a
      // server that was killed have not noticed yet, and still hold its memory.
      if (attempt < MAX_LAUNCHES) {
        await sleep(attempt * 300);
        continue;
      }
      const end = readPrivate(logFile).split('\n').slice(-12).join('\n');
      throw new Error(m.start_postgres_failed({ cluster, end }), {
        cause: error,
      });
    } finally {
      closeSync(log);
    }
  }
}

const socketFolderIn = (folder: string) => join(folder, 'socket');

/** Whether its socket is not in the server's own folder, which may take none. */
export const isElsewhere = ({ host }: ServerPlace, folder: string) =>
  USES_UNIX_SOCKETS && host !== socketFolderIn(folder);

/** The folder of its socket, which nobody else may enter but the browser that prints: that reads its data itself. */
async function makeSocketFolder(folder: string, user: UnixUser | undefined): Promise<string> {
  const own = socketFolderIn(folder);
  // With the name that a killed server left in it, which may be another process's by now.
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own, { mode: 0o700 });
  const place = (await takesSockets(own)) ? own : mkdtempSync(join(tmpdir(), 'lectern-'));
  if (user) {
    chownSync(place, user.uid, browserUser()?.gid ?? user.gid);
    chmodSync(place, 0o710);
  }
  return place;
}

/** Its path may be too long for one, and some file systems that are shared with other machines have none. */
async function takesSockets(folder: string): Promise<boolean> {
  const path = join(folder, `.s.PGSQL.${SOCKET_NUMBER}`);
  // Node would cut the rest off.
  if (Buffer.byteLength(path) > MAX_SOCKET_PATH) return false;
  const server = createServer();
  try {
    server.listen(path);
    await once(server, 'listening');
    await new Promise((resolve) => server.close(resolve));
    return true;
  } catch {
    return false;
  }
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
