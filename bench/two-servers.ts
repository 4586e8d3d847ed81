import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '#platform/database/migrate.js';
import { packageRoot } from '#platform/package-root.js';
import { startThrowAwayPostgres } from './floor-postgres.js';
import type { ProductProcess } from './product-process.js';
import { SECRET } from './server-process.js';
import { startStoreProcess } from './store-process.js';

/** Milliseconds between two looks at a process that is starting. */
const LOOK = 100;

/** The product, as one process or as several: where it is called, and the processes of its servers. */
export interface Library extends Pick<ProductProcess, 'url' | 'databaseUrl' | 'secret' | 'stop'> {
  pids: number[];
  /** The database of the event store. */
  eventsUrl: string;
}

/** Two servers behind a proxy that gives each connection to the next of them, a projection, an event store; no letters. */
export async function startTwoServers(settings: NodeJS.ProcessEnv): Promise<Library> {
  const closers: (() => Promise<unknown> | void)[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'));
    closers.push(() => rmSync(folder, { recursive: true, force: true }));
    const postgres = await startThrowAwayPostgres();
    closers.push(() => postgres.stop());
    for (const name of ['lectern', 'events']) await postgres.createDatabase(name);
    const [databaseUrl, eventsUrl] = [postgres.url('lectern'), postgres.url('events')];
    await migrate(databaseUrl);
    const store = await startStoreProcess(eventsUrl, folder);
    closers.push(() => store.stop());
    const environment = {
      ...process.env,
      NODE_ENV: 'development',
      DATABASE_URL: databaseUrl,
      EVENTSTORE_URL: store.connectionString,
      JWT_SECRET: SECRET,
      JOBS: 'off',
      // Asked for at the start; nothing here sends a mail.
      SMTP_URL: 'smtp://127.0.0.1:9',
      ...settings,
    };
    const run = (entry: string, own: NodeJS.ProcessEnv) => {
      const file = join(packageRoot(), 'dist', entry);
      const child = spawn(process.execPath, [file], {
        env: { ...environment, ...own },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      closers.push(() => ended(child));
      return child;
    };
    const [first, second, behindOperations] = await Promise.all([freePort(), freePort(), freePort()]);
    run('projections/main.js', { OPERATIONS_PORT: String(behindOperations) });
    const ports = [first, second];
    const servers = ports.map((port) => run('server/main.js', { PORT: String(port) }));
    for (const port of [behindOperations, ...ports]) await ready(port);
    const proxy = createServer({ noDelay: true });
    let turn = 0;
    proxy.on('connection', (client) => {
      turn += 1;
      const onward = connect({ host: '127.0.0.1', port: ports[turn % ports.length] ?? first, noDelay: true });
      for (const [one, other] of [
        [client, onward],
        [onward, client],
      ] as const) {
        one.pipe(other);
        one.on('error', () => other.destroy());
        one.on('close', () => other.destroy());
      }
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    closers.push(() => void proxy.close());
    return {
      url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      databaseUrl,
      eventsUrl,
      secret: SECRET,
      pids: servers.flatMap(({ pid }) => pid ?? []),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function ready(port: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.status === 200) return;
    await sleep(LOOK);
  }
}
