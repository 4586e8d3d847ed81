import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { CrashInstallation } from '../test-support/crash-installation.js';
import { shared } from '../test-support/shared.js';
import { READ_MODEL } from '#platform/database/read-model.js';

const COMMANDS = fileURLToPath(new URL('../dist/cli/', import.meta.url));

interface Outcome {
  code: number | null;
  output: string;
}

describe('the command lines of the projections', () => {
  const installation = shared(() => CrashInstallation.createOpened({ LOG_LEVEL: 'warn' }));

  const run = async (
    name: 'verify' | 'rebuild',
    args: string[] = [],
    settings: NodeJS.ProcessEnv = {},
  ): Promise<Outcome> => {
    const child = spawn(process.execPath, [`${COMMANDS}${name}.js`, ...args], {
      env: { ...process.env, NODE_OPTIONS: '', DATA_DIR: installation.dataDir, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, output };
  };
  const change = async (statement: string) => {
    const client = new pg.Client({ connectionString: installation.addresses().databaseUrl });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };

  it('work beside a running product, find a difference, and mend the lists from the log', async () => {
    await installation.start();
    await change(`insert into ${READ_MODEL}.borrow_count (status, borrows) values ('Issued', 3)`);
    expect(await run('verify')).toMatchObject({
      code: 1,
      output: expect.stringMatching(/borrows with status Issued: 3, the log says 0/),
    });
    expect(await run('rebuild')).toMatchObject({ code: 0, output: expect.stringMatching(/Rebuilt from/) });
    expect(await run('verify')).toMatchObject({ code: 0, output: expect.stringMatching(/no difference/) });

    await change(
      'update book set copies_available = copies_available - 1 where id = (select min(id) from book)',
    );
    expect(await run('verify')).toMatchObject({
      code: 1,
      output: expect.stringMatching(/which does not add up/),
    });
    await change(
      'update book set copies_available = copies_available + 1 where id = (select min(id) from book)',
    );
    expect((await fetch(`${installation.url}/api/Book`)).status).toBe(200);
  });

  it('work on the addresses that are set', async () => {
    const { databaseUrl, eventStoreUrl } = installation.addresses();
    const addresses = { DATABASE_URL: databaseUrl, EVENTSTORE_URL: eventStoreUrl, DATA_DIR: '/nowhere' };
    expect((await run('verify', [], addresses)).code).toBe(0);
    expect((await run('rebuild', [], addresses)).code).toBe(0);
    const closed = { ...addresses, DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none' };
    expect((await run('verify', [], closed)).code).toBe(2);
  });

  it('start what they need where the product does not run, and leave nothing running', async () => {
    expect((await installation.stop()).code).toBe(0);
    expect((await run('rebuild')).code).toBe(0);
    expect((await run('verify')).code).toBe(0);
    expect(installation.processes()).toEqual([]);
  });
});
