import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from './free-port.js';

/** Whether this machine has a Redis to test with. */
export const REDIS_INSTALLED = spawnSync('redis-server', ['--version']).status === 0;

export interface TestRedis {
  url: string;
  stop(): Promise<void>;
}

/** Starts a Redis of the test's own, on loopback, that keeps nothing. */
export async function startTestRedis(port?: number): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-redis-'));
  const listenAt = port ?? (await freePort());
  const server = spawn(
    'redis-server',
    [
      ...['--port', String(listenAt), '--bind', '127.0.0.1', '--dir', folder],
      ...['--save', '', '--appendonly', 'no', '--maxmemory-policy', 'noeviction'],
    ],
    { stdio: 'ignore' },
  );
  const url = `redis://127.0.0.1:${listenAt}`;
  const client = new Redis(url, { maxRetriesPerRequest: 100, retryStrategy: () => 20 });
  client.on('error', () => undefined);
  await client.ping();
  client.disconnect();
  return {
    url,
    stop: () =>
      new Promise((resolve) => {
        server.once('exit', () => {
          rmSync(folder, { recursive: true, force: true });
          resolve();
        });
        server.kill();
      }),
  };
}
