import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import type { SystemStatusView } from '#contracts/dashboard/system-status.js';
import { runCommand } from '../test-support/installation/command-line.js';
import { CrashInstallation } from '../test-support/installation/crash-installation.js';
import { CAN_MOUNT, smallDisk } from '../test-support/installation/mounts.js';
import { waitFor } from '../test-support/wait-for.js';
import { shared, sharedFolder } from '../test-support/shared.js';
import { guestCaller } from './api-caller.js';
import { PASSWORDS } from './people.js';

const BACKUP = 120_000;
const BACKUP_PROCESS = resolve(import.meta.dirname, '../dist/embedded/backup/schedule/backup-process.js');

describe('backups on a schedule', () => {
  const folder = sharedFolder();
  const backups = join(folder, 'backups');

  const settings = { BACKUP_FOLDER: backups, BACKUP_EVERY: '1d' };

  const product = shared(() => CrashInstallation.createOpened(settings));

  const inBackups = () => (existsSync(backups) ? readdirSync(backups) : []);
  const good = () => inBackups().filter((name) => /^lectern-.*Z(?:\.age)?$/.test(name));
  const left = () => [
    ...inBackups().filter((name) => name.startsWith('.')),
    ...readdirSync(product.dataDir).filter((name) => name.startsWith('.restoring')),
  ];
  /** Processes that have this in their command line, or in their environment. */
  const processesOf = (words: string, told: 'cmdline' | 'environ' = 'cmdline') =>
    readdirSync('/proc').filter((pid) => {
      try {
        return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/${told}`, 'utf8').includes(words);
      } catch {
        return false;
      }
    });
  /** Of this product: others of the machine may make backups too. */
  const backupProcesses = () => {
    const own = new Set(processesOf(`DATA_DIR=${product.dataDir}`, 'environ'));
    return processesOf('backup-process.js').filter((pid) => own.has(pid));
  };
  /** How far a backup has come when the product is killed, and what tells. */
  const STAGES: [at: string, isThere: () => boolean][] = [
    ['when it begins', () => backupProcesses().length > 0],
    ['while it is copied', () => inBackups().some((name) => name.endsWith('.untried'))],
    ['when it is restored for its trial', () => left().some((name) => name.startsWith('.restoring'))],
    ['while its library is open', () => processesOf(`${product.dataDir}/.restoring`).length > 0],
  ];

  const admin = async () => {
    const { token } = await guestCaller(product.url).post<{ token: string }>('Account/login', {
      ...{ username: 'admin', password: PASSWORDS.admin },
    });
    return guestCaller(product.url, token);
  };
  const house = async () => (await admin()).get<SystemStatusView>('Dashboard/house');
  const backUpNow = async () => (await admin()).post('Dashboard/house/backup', {});

  const nothingRuns = () => waitFor(async () => (await house()).backups.running === null, BACKUP);
  const restore = async (name: string, environment: NodeJS.ProcessEnv = {}, ...options: string[]) => {
    const to = { DATA_DIR: join(folder, `restored ${name}`), ...environment };
    const { code, output } = await runCommand('restore', [join(backups, name), ...options], to);
    expect([code, output]).toEqual([0, expect.stringMatching(/no difference/)]);
  };

  it('are begun by the first start', async () => {
    await product.start();
    await waitFor(() => good().length === 1, BACKUP);
    await nothingRuns();
  });

  it.each(STAGES)('leave nothing behind, killed with the product %s', async (_at, isThere) => {
    await backUpNow();
    await waitFor(isThere, BACKUP);
    const children = backupProcesses();
    await product.kill();
    for (const pid of children) {
      if (backupProcesses().includes(pid)) process.kill(Number(pid), 'SIGKILL');
    }
    const before = good();
    await product.start();
    await waitFor(() => left().length === 0, BACKUP);
    expect(processesOf(`${product.dataDir}/.restoring`)).toEqual([]);
    expect(good()).toEqual(before);
    await nothingRuns();
    const { lastFailed } = (await house()).backups;
    // Either it was done before, or it is told that it was broken off.
    if (lastFailed) expect(lastFailed.failure).toBe('interrupted');
  });

  it('are good when the next one is made, and can be restored', async () => {
    const count = good().length;
    await backUpNow();
    await waitFor(() => good().length > count, BACKUP);
    await waitFor(async () =>
      (await house()).parts.some(({ part, level }) => part === 'backup' && level === 'ok'),
    );
    // The folder in which it was tried out goes last.
    await waitFor(() => left().length === 0, BACKUP);
    expect((await product.stop()).code).toBe(0);
    await restore(good().sort().at(-1) ?? '');
  });

  it.each(['for the owners of keys', 'with a passphrase from a file'])(
    'are encrypted %s, and tried out all the same',
    async (how) => {
      const [key, passphrase] = [join(folder, 'key.txt'), join(folder, 'passphrase')];
      const identity = await generateIdentity();
      writeFileSync(key, `${identity}\n`);
      writeFileSync(passphrase, 'correct horse battery staple\n');
      const isForOwners = how === 'for the owners of keys';
      const sealing = isForOwners
        ? { BACKUP_RECIPIENT: await identityToRecipient(identity) }
        : { BACKUP_PASSPHRASE_FILE: passphrase };
      const before = new Set(good());
      await product.launch(sealing).open;
      await backUpNow();
      const name = await waitFor(() => good().find((each) => !before.has(each)), BACKUP);
      expect(name).toMatch(/\.age$/);
      expect(readFileSync(join(backups, name), 'latin1').slice(0, 21)).toBe('age-encryption.org/v1');
      await Promise.all([
        isForOwners ? restore(name, {}, '--identity', key) : restore(name, sealing),
        // The page says what the process said last, every ten seconds.
        waitFor(async () => (await house()).backups.encrypted, BACKUP),
      ]);
      expect((await product.stop()).code).toBe(0);
    },
  );

  (CAN_MOUNT ? it : it.skip)('are not begun where there is no room for them', async () => {
    await product.start();
    const small = join(folder, 'small');
    mkdirSync(small);
    const [program = '', ...args] = [...smallDisk(small, 8), process.execPath, BACKUP_PROCESS];
    const told: unknown[] = [];
    const child = spawn(program, args, {
      env: { ...process.env, NODE_OPTIONS: '', DATA_DIR: product.dataDir, BACKUP_FOLDER: small },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('message', (message) => told.push(message));
    await new Promise((done) => child.once('close', done));
    expect(told).toEqual([
      { kind: 'failed', failure: 'no-room', why: expect.stringMatching(/MB free, and .* takes \d+ MB/) },
    ]);
    expect((await product.stop()).code).toBe(0);
  });
});
