import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort } from '../test-support/installation/free-port.js';
import { CAN_MOUNT, smallDisk } from '../test-support/installation/mounts.js';
import { waitFor } from '../test-support/wait-for.js';
import { atEnd, sharedFolder } from '../test-support/shared.js';

const START = resolve(import.meta.dirname, '../dist/embedded/start.js');
const PERSON = {
  ...{ password: 'Sekret#2026', confirmPassword: 'Sekret#2026', firstname: 'Maria', lastname: 'Kot' },
  ...{ dateOfBirth: '1990-04-12', gender: 'Female', country: 'Poland', adress: 'Długa 7', city: 'Łódź' },
  postalCode: '90-001',
};

// Only where a small disk can be mounted: for root on Linux.
(CAN_MOUNT ? describe : describe.skip)('the embedded default on a disk that is full', () => {
  const folder = sharedFolder();
  const dataDir = join(folder, 'data');
  let product: ChildProcess;
  let url: string;

  beforeAll(async () => {
    mkdirSync(dataDir);
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const [program = '', ...args] = [...smallDisk(dataDir, 260), process.execPath, START];
    product = spawn(program, args, {
      env: { ...process.env, NODE_OPTIONS: '', DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'fatal' },
      stdio: 'ignore',
    });
    await waitFor(
      () =>
        fetch(`${url}/readyz`).then(
          ({ status }) => status === 200,
          () => false,
        ),
      90_000,
    );
  });
  atEnd(async () => {
    const ended = once(product, 'exit');
    product.kill('SIGTERM');
    await ended;
  });

  const register = async (username: string) => {
    const answer = await fetch(`${url}/api/Account/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...PERSON, username, email: `${username}@example.org` }),
      signal: AbortSignal.timeout(30_000),
    });
    const { code } = (await answer.json()) as { code?: string };
    return { status: answer.status, code, retryAfter: Number(answer.headers.get('retry-after')) };
  };

  it('refuses what it cannot keep, shows what it has, loses nothing, and goes on when there is room', async () => {
    // The disk is in the product's own view of the file system.
    const ballast = `/proc/${product.pid}/root${join(dataDir, 'ballast')}`;
    const file = openSync(ballast, 'w');
    for (const bytes of [1 << 20, 4096]) {
      expect(() => {
        for (;;) writeSync(file, Buffer.alloc(bytes));
      }).toThrow(/ENOSPC/);
    }
    closeSync(file);

    const kept: string[] = [];
    const refused = await waitFor(async () => {
      const username = `reader-${kept.length}`;
      const answer = await register(username);
      if (answer.status !== 201) return answer;
      kept.push(username);
      return undefined;
    });
    expect(refused).toMatchObject({ status: 503, code: 'DatabaseUnavailable' });
    expect(refused.retryAfter).toBeGreaterThan(0);
    expect((await fetch(`${url}/api/Book?pageNumber=1&pageSize=5`)).status).toBe(200);

    rmSync(ballast);
    await waitFor(async () => (await register('reader-with-room')).status === 201);
    for (const username of kept) expect((await register(username)).code).toBe('UsernameTaken');
  });
});
