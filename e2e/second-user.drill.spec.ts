import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { firstInaccessibleFolder } from '#platform/unprivileged-user.js';
import { CrashInstallation } from '../test-support/installation/crash-installation.js';
import { shared } from '../test-support/shared.js';

const ATTEMPTS = fileURLToPath(new URL('../test-support/installation/second-user.mjs', import.meta.url));
const OTHER = { uid: 64_999, gid: 64_999, name: 'a second user' };

interface Attempt {
  what: string;
  succeeded: boolean;
  error?: string;
}

/** Only root may start a process as somebody else, who then has to reach Node and the packages. */
const mayStartOther = process.getuid?.() === 0;
const reachable =
  mayStartOther &&
  [process.execPath, ATTEMPTS].every((path) => firstInaccessibleFolder(path, OTHER) === undefined);
const asOther = reachable ? it : it.skip;
const onLinux = process.platform === 'linux' ? it : it.skip;

describe('another user of the machine', () => {
  const installation = shared(() => CrashInstallation.createOpened({ LOG_LEVEL: 'info' }));
  beforeAll(async () => {
    await installation.start();
  });

  const secretFiles = () =>
    ['event-store-secret', 'jwt-secret', 'running.json', 'postgres/password', 'postgres/owner-password'].map(
      (name) => join(installation.dataDir, name),
    );

  async function tryAll(user?: typeof OTHER): Promise<Attempt[]> {
    const closed = ['postgres/cluster', 'postgres/socket', 'postgres/postgres.log', 'mailbox'];
    const files = user ? [...secretFiles(), ...closed.map((name) => join(installation.dataDir, name))] : [];
    // The web server's own port is everybody's.
    const ports = listeningPorts(installation.processes()).filter((port) => port !== installation.port);
    // Of the event store and of the mailbox: PostgreSQL has none.
    expect(ports).toHaveLength(2);
    const socket = join(installation.dataDir, 'postgres', 'socket');
    const child = spawn(
      process.execPath,
      [ATTEMPTS, ports.join(','), files.join(',') || '/nowhere', socket],
      {
        ...(user && { uid: user.uid, gid: user.gid }),
        cwd: '/',
        env: { PATH: process.env['PATH'], NODE_OPTIONS: '' },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await once(child, 'close');
    return JSON.parse(output) as Attempt[];
  }

  function expectRefused(attempts: Attempt[]): void {
    expect(attempts.filter(({ succeeded }) => succeeded)).toEqual([]);
    const errors = attempts.map(({ error = '' }) => error);
    // Every door was there, and was shut because of who knocked.
    expect(errors.filter((error) => /UNAUTHENTICATED|access-denied|Access Denied/i.test(error))).toHaveLength(
      5,
    );
    expect(errors.filter((error) => /failed: 530 /.test(error))).toHaveLength(1);
    expect(errors.filter((error) => /SASL|28P01|connect EACCES/.test(error))).toHaveLength(6);
  }

  const stored = async () => {
    const client = new pg.Client({ connectionString: installation.addresses().databaseUrl });
    await client.connect();
    const { rows } = await client.query(
      'select (select count(*)::integer from eventstore.event) as events, current_user, usesuper from pg_user where usename = current_user',
    );
    await client.end();
    return rows[0] as { events: number; current_user: string; usesuper: boolean };
  };

  asOther('reads nothing, writes nothing, deletes nothing and sends nothing', async () => {
    const before = await stored();
    const attempts = await tryAll(OTHER);
    expectRefused(attempts);
    const files = attempts.filter(({ what }) => what.startsWith('/'));
    expect(files.map(({ error }) => /EACCES/.test(error ?? ''))).toEqual(
      Array.from({ length: 9 }, () => true),
    );
    expect(await stored()).toEqual(before);
  });

  onLinux('can no more than anybody who does not have the secrets', async () => {
    const before = await stored();
    expectRefused(await tryAll());
    expect(await stored()).toEqual(before);
    expect(before).toMatchObject({ current_user: 'library', usesuper: false });
  });

  it('finds no secret in logs, arguments and environments', async () => {
    const secrets = secretFiles()
      .filter((file) => !file.endsWith('.json'))
      .map((file) => readFileSync(file, 'utf8').trim());
    const told = [
      installation.output(),
      readFileSync(join(installation.dataDir, 'running.json'), 'utf8'),
      readFileSync(join(installation.dataDir, 'postgres', 'postgres.log'), 'utf8'),
      ...installation
        .processes()
        .flatMap((pid) => [read(`/proc/${pid}/cmdline`), read(`/proc/${pid}/environ`)]),
    ].join('\n');
    expect(told).toContain('event-store-secret');
    expect(secrets.filter((secret) => told.includes(secret))).toEqual([]);
  });

  it('cannot use a secret for long: new ones are made while the product runs, and it goes on', async () => {
    const read = () => secretFiles().map((file) => readFileSync(file, 'utf8'));
    const before = read();
    expect(await installation.command('rotate-secrets', ['--store', '--database'])).toMatchObject({
      code: 0,
    });
    const after = read();
    expect(after.map((text, index) => text !== before[index])).toEqual([true, false, false, true, false]);
    expect(await installation.command('verify')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/no difference/),
    });
    // The product itself follows.
    expect((await fetch(`${installation.url}/readyz`)).status).toBe(200);
    expect(installation.output()).not.toMatch(/Access Denied|UNAUTHENTICATED/);
    expect((await installation.stop()).code).toBe(0);
    await installation.start();
    expect(await installation.command('verify')).toMatchObject({ code: 0 });
  });
});

/** Loopback ports at which these processes listen. */
function listeningPorts(pids: number[]): number[] {
  const sockets = new Set(
    pids.flatMap((pid) =>
      descriptorsOf(pid).map((name) => /socket:\[(\d+)\]/.exec(linkOf(`/proc/${pid}/fd/${name}`))?.[1]),
    ),
  );
  const ports = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    read(file)
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === '0A' && sockets.has(inode))
      .map(([, local = '']) => parseInt(local.split(':')[1] ?? '', 16)),
  );
  return [...new Set(ports)];
}

/** None where the process has ended since it was found. */
function descriptorsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch {
    return [];
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
