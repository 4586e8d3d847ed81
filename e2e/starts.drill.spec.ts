import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort } from '../test-support/installation/free-port.js';
import { dataFolder } from '../test-support/installation/temporary-folder.js';
import { waitFor } from '../test-support/wait-for.js';
import { sharedFolder } from '../test-support/shared.js';

const ROOT = resolve(import.meta.dirname, '..');

interface Run {
  child: ChildProcess;
  output: string;
}

function run(command: string, args: string[], environment: NodeJS.ProcessEnv = {}): Run {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: '', ...environment },
  });
  const started = { child, output: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (started.output += chunk.toString()));
  }
  return started;
}

async function endOf({ child }: Run): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  return child.exitCode;
}

describe('a start that cannot go on', () => {
  const folder = sharedFolder();
  const file = join(folder, 'file');
  writeFileSync(file, '');

  it('says in one line which setting does not hold, and ends with 1', async () => {
    const nowhere = `postgres://maria:hidden@127.0.0.1:${await freePort()}/library`;
    const others = { EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false', JWT_SECRET: 'j'.repeat(32) };
    const starts: [string, NodeJS.ProcessEnv, RegExp][] = [
      ['embedded/start.js', { DATA_DIR: file }, /^DATA_DIR: .*file is a file\..*$/m],
      [
        'embedded/start.js',
        { DATA_DIR: join(folder, 'data'), DATABASE_URL: nowhere },
        /^DATABASE_URL: nothing listens at .*$/m,
      ],
      ['server/main.js', { ...others, DATABASE_URL: nowhere }, /^DATABASE_URL: nothing listens at .*$/m],
      [
        'cli/verify.js',
        { DATA_DIR: folder, DATABASE_URL: nowhere },
        /^DATABASE_URL: nothing listens at .*$/m,
      ],
    ];
    await Promise.all(
      starts.map(async ([entry, environment, line]) => {
        const started = run(process.execPath, [join('dist', entry)], environment);
        const code = await endOf(started);
        expect({ entry, code, told: started.output.trim().split('\n').at(-1) }).toEqual({
          entry,
          code: entry.startsWith('cli/') ? 2 : 1,
          told: expect.stringMatching(line) as string,
        });
        expect(started.output).not.toMatch(/hidden|maria|\n +at /);
      }),
    );
  });
});

describe('an error that nothing handles', () => {
  it.each([
    [
      'a promise that nobody waits for',
      'Promise.reject(new TypeError("this was not foreseen"))',
      'unhandledRejection',
    ],
    [
      'a throw from a timer',
      'setTimeout(() => { throw new TypeError("this was not foreseen") })',
      'uncaughtException',
    ],
  ])('ends the process by a line that names it, after its parts: %s', async (_what, failure, kind) => {
    const script = `
      import { runProcess } from './dist/platform/run-process.js';
      import { readSettings } from './dist/platform/settings.js';
      runProcess({ name: 'the part', readSettings, maxClosing: () => 5000, open: async (parts) => {
        parts.opened(async () => console.log('closed'));
        setInterval(() => undefined, 1000);
        ${failure};
      }});`;
    const failed = run(process.execPath, ['--input-type=module', '-e', script], { LOG_LEVEL: 'warn' });
    expect(await endOf(failed)).toBe(1);
    // The two streams that write here may change places.
    const lines = failed.output.trim().split('\n').sort();
    expect(lines).toEqual(['closed', expect.stringMatching(/^\{/)]);
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({
      msg: 'the part met an error that nothing handles, and ends',
      unexpected: kind,
      error: { type: 'TypeError', message: 'this was not foreseen' },
    });
  });
});

// npm on Windows has neither these signals nor a shell that ends before what it runs.
(process.platform === 'win32' ? describe.skip : describe)('npm start', () => {
  it('takes the product along when it ends by a signal, or is killed', async () => {
    await Promise.all([takesAlong('SIGTERM'), takesAlong('SIGKILL')]);
  });

  async function takesAlong(signal: NodeJS.Signals): Promise<void> {
    const dataDir = dataFolder();
    const started = run('npm', ['start'], { DATA_DIR: dataDir, PORT: String(await freePort()), DEMO: 'off' });
    try {
      const url = await waitFor(() => /Lectern is open\.[^]*?Address +(\S+)/.exec(started.output)?.[1]);
      started.child.kill(signal);
      // It left in order, and so did its PostgreSQL.
      const traces = ['running.json', 'postgres/cluster/postmaster.pid'].map((name) => join(dataDir, name));
      await waitFor(() => !traces.some((trace) => existsSync(trace)));
      await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    } finally {
      started.child.kill('SIGKILL');
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
    }
  }
});
