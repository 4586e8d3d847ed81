import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openDatabase } from '#platform/database/database.js';
import { createLogger } from '#platform/logging.js';
import { readSettings, type ResolvedSettings } from '#platform/settings.js';
import { startEventStoreThread } from '../embedded/event-store/event-store-thread.js';
import { startPostgres, type PostgresServer } from '../embedded/postgres/postgres-server.js';
import { startServer } from '../server/create-server.js';

const FLOOR_POOL = 16;
/** What the tokens of the server under load are signed with. */
export const SECRET = 'x'.repeat(32);
const logger = createLogger('fatal');

/** A server in a process of its own. */
export interface ServerProcess {
  url: string;
  child: ChildProcess;
  stop: () => Promise<void>;
}

/**
 * Starts a benchmark's own file again, as another process.
 * @param role what the process is to be, its first argument
 */
export async function startRole(file: string, role: string, databaseUrl: string): Promise<ServerProcess> {
  const child = fork(file, [role, databaseUrl], { cwd: tmpdir() });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the process of the ${role} ended before its time`);
  });
  const [url] = (await Promise.race([once(child, 'message'), ended])) as [string];
  ended.catch(() => undefined);
  return {
    url,
    child,
    stop: async () => {
      const exited = once(child, 'exit');
      child.send('stop');
      await exited;
    },
  };
}

/** The product's own server, as `npm start` starts it, in this process. */
export async function runServer(databaseUrl: string): Promise<void> {
  // A server whose benchmark has died ends with it.
  process.once('disconnect', () => process.exit());
  const settings = {
    ...readSettings({}),
    PORT: 0,
    DATABASE_URL: databaseUrl,
    JWT_SECRET: SECRET,
    // Asked for at the start; nothing here sends a mail.
    SMTP_URL: 'smtp://127.0.0.1:9',
  };
  const store = await startEventStoreThread({ databaseUrl });
  const resolved: ResolvedSettings = { ...settings, EVENTSTORE_URL: store.connectionString };
  const server = await startServer(resolved, { logger });
  process.once('message', () => {
    void server
      .close()
      .then(() => store.stop())
      .then(() => process.disconnect());
  });
  process.send?.(server.url);
}

/** What no list can be faster than here: one statement by primary keys, and its rows as JSON. */
export function runFloor(databaseUrl: string, text: string, keys: () => unknown[]): void {
  process.once('disconnect', () => process.exit());
  const database = openDatabase(databaseUrl, FLOOR_POOL, logger);
  const server = createServer((_request, response) => {
    void database.query({ name: 'floor', text, values: [keys()] }).then((result) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(result.rows));
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`);
  });
  process.once('message', () => {
    server.closeAllConnections();
    server.close(() => void database.end().then(() => process.disconnect()));
  });
}

/** A PostgreSQL whose folder stays for the next run. */
export async function startStored(folder: string): Promise<PostgresServer> {
  const path = resolve(folder);
  if (!existsSync(path)) mkdirSync(path, { recursive: true });
  // The unprivileged user that PostgreSQL runs as where we are root has to pass through.
  chmodSync(path, 0o711);
  return startPostgres(join(path, 'postgres'));
}

/** What a process has used so far, where the system tells (Linux): seconds of processor time, megabytes of memory. */
export function usedBy(pid: number | undefined): { seconds: number; megabytes: number } {
  const file = (name: string) => `/proc/${pid}/${name}`;
  if (!existsSync(file('stat'))) return { seconds: NaN, megabytes: NaN };
  const fields = readFileSync(file('stat'), 'utf8').split(') ')[1]?.split(' ') ?? [];
  const [, kilobytes = NaN] = /VmRSS:\s+(\d+)/.exec(readFileSync(file('status'), 'utf8')) ?? [];
  return { seconds: (Number(fields[11]) + Number(fields[12])) / 100, megabytes: Number(kilobytes) / 1024 };
}
