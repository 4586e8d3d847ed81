import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '#platform/package-root.js';
import { startPostgres } from '../embedded/postgres/postgres-server.js';
import { readPidFile } from '../embedded/postgres/running-server.js';

/** The whole product in a process of its own, as `npm start` runs it, on a data folder that is thrown away. */
export interface ProductProcess {
  url: string;
  pid: number;
  /** Of PostgreSQL's first process. */
  postmaster: number;
  databaseUrl: string;
  eventStoreUrl: string;
  /** What its tokens are signed with. */
  secret: string;
  /** Makes a further database in the product's PostgreSQL, and gives its connection string. */
  createDatabase(name: string): Promise<string>;
  /** Ends it as Ctrl-C does, and removes the folder. */
  stop(): Promise<void>;
}

/** Settings in the caller's environment that would point the product at other services. */
const ADDRESSES = [
  'DATABASE_URL',
  'EVENTSTORE_URL',
  'REDIS_URL',
  'REDIS_SENTINELS',
  'REDIS_CLUSTER_NODES',
  'SMTP_URL',
  'JWT_SECRET',
  'DEMO',
];

/** What Node is told by `npm start` of a release. */
function startFlags(release: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(release, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  return scripts.start.split(' ').filter((word) => word.startsWith('--'));
}

/**
 * Starts it. The caller stops it.
 * @param settings beside those that it needs; a `DATA_DIR` among them is kept when it ends
 * @param checkout the folder of another release, built, to start that one instead
 */
export async function startProductProcess(
  settings: NodeJS.ProcessEnv = {},
  checkout?: string,
): Promise<ProductProcess> {
  const release = checkout ?? packageRoot();
  const start = join(release, 'dist', 'embedded', 'start.js');
  const folder = settings['DATA_DIR'] ?? mkdtempSync(join(tmpdir(), 'lectern-bench-'));
  mkdirSync(folder, { recursive: true });
  // The unprivileged user that PostgreSQL runs as where we are root has to pass through.
  chmodSync(folder, 0o711);
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !ADDRESSES.includes(name)),
  );
  const child = spawn(process.execPath, [...startFlags(release), start], {
    env: {
      ...environment,
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: folder,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // A benchmark that ends by an error takes it along.
  const endToo = () => child.kill('SIGTERM');
  process.once('exit', endToo);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    process.off('exit', endToo);
    if (settings['DATA_DIR'] === undefined) rmSync(folder, { recursive: true, force: true });
  };
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let output = '';
      child.stdout.on('data', (chunk) => {
        output += String(chunk);
        const address = /Address +(\S+)/.exec(output)?.[1];
        if (address !== undefined) resolve(address);
      });
      void exited.then(() => reject(new Error('The product did not start.')));
    });
    // Running already: it is joined, and stays the product's.
    const postgres = await startPostgres(join(folder, 'postgres'));
    const running = JSON.parse(readFileSync(join(folder, 'running.json'), 'utf8')) as {
      eventStoreUrl: string;
    };
    return {
      url,
      pid: child.pid ?? 0,
      postmaster: readPidFile(join(folder, 'postgres', 'cluster'))?.pid ?? 0,
      databaseUrl: postgres.url('lectern'),
      eventStoreUrl: running.eventStoreUrl,
      secret: readFileSync(join(folder, 'jwt-secret'), 'utf8').trim(),
      createDatabase: async (name) => {
        await postgres.createDatabase(name);
        return postgres.url(name);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
