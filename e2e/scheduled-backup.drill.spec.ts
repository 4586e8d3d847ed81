import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import type { SystemStatusView } from '#contracts/dashboard/system-status.js';
import { runCommand } from '../test-support/command-line.js';
import { CrashInstallation } from '../test-support/crash-installation.js';
import { CAN_MOUNT, smallDisk } from '../test-support/mounts.js';
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
  const admin = async () => {
    const { token } = await guestCaller(product.url).post<{ token: string }>('Account/login', {
      ...{ username: 'admin', password: PASSWORDS.admin },
    });
    return guestCaller(product.url, token);
  };
  const house = async () => (await admin()).get<SystemStatusView>('Dashboard/house');
  const backUpNow = async () => (await admin()).post('Dashboard/house/backup', {});

  it('leave nothing behind, wherever they are killed with the product, and the next one is good', async () => {
    await product.start();
    await waitFor(() => good().length === 1, BACKUP);
    for (const untilKilled of [200, 1_000, 2_000, 3_500, 5_000]) {
      await waitFor(async () => (await house()).backups.running === null, BACKUP);
      await backUpNow();
      await waitFor(() => backupProcesses().length > 0, BACKUP);
      await sleep(untilKilled);
      const children = backupProcesses();
      await product.kill();
      for (const pid of children) {
        if (backupProcesses().includes(pid)) process.kill(Number(pid), 'SIGKILL');
      }
      const before = good();
      await product.start();
      await waitFor(() => left().length === 0, BACKUP);
      expect(processesOf(`${product.dataDir}/.restoring`)).toEqual([]);
      const { backups: told } = await house();
      expect(before).toEqual(expect.arrayContaining(good().slice(0, 1)));
      // Either it was done before, or it is told that it was broken off.
      if (told.lastFailed) expect(told.lastFailed.failure).toBe('interrupted');
    }
    const count = good().length;
    await backUpNow();
    await waitFor(() => good().length > count, BACKUP);
    await waitFor(async () =>
      (await house()).parts.some(({ part, level }) => part === 'backup' && level === 'ok'),
    );
    // The folder in which it was tried out goes last.
    await waitFor(() => left().length === 0, BACKUP);
  }, 600_000);

  it('can be restored', async () => {
    expect((await product.stop()).code).toBe(0);
    const [name = ''] = good().sort().reverse();
    const restored = await runCommand('restore', [join(backups, name)], { DATA_DIR: join(folder, 'one') });
    expect([restored.code, restored.output]).toEqual([0, expect.stringMatching(/no difference/)]);
  }, 120_000);

  it('are encrypted for the owners of keys, and tried out all the same', async () => {
    const identity = await generateIdentity();
    const key = join(folder, 'key.txt');
    writeFileSync(key, `${identity}\n`);
    await product.launch({ BACKUP_RECIPIENT: await identityToRecipient(identity) }).open;
    await waitFor(async () => (await house()).backups.running === null, BACKUP);
    await backUpNow();
    const name = await waitFor(() => good().find((each) => each.endsWith('.age')), BACKUP);
    // The page says what the process said last, every ten seconds.
    await waitFor(async () => (await house()).backups.encrypted, BACKUP);
    expect(execFileSync('head', ['-c', '21', join(backups, name)]).toString()).toBe('age-encryption.org/v1');
    expect((await product.stop()).code).toBe(0);
    const restored = await runCommand('restore', [join(backups, name), '--identity', key], {
      DATA_DIR: join(folder, 'two'),
    });
    expect([restored.code, restored.output]).toEqual([0, expect.stringMatching(/no difference/)]);
  }, 300_000);

  it('are encrypted with a passphrase from a file', async () => {
    const file = join(folder, 'passphrase');
    writeFileSync(file, 'correct horse battery staple\n');
    const sealed = new Set(good());
    await product.launch({ BACKUP_PASSPHRASE_FILE: file }).open;
    await waitFor(async () => (await house()).backups.running === null, BACKUP);
    await backUpNow();
    const name = await waitFor(
      () => good().find((each) => each.endsWith('.age') && !sealed.has(each)),
      BACKUP,
    );
    expect((await product.stop()).code).toBe(0);
    const restored = await runCommand('restore', [join(backups, name)], {
      ...{ DATA_DIR: join(folder, 'three'), BACKUP_PASSPHRASE_FILE: file },
    });
    expect([restored.code, restored.output]).toEqual([0, expect.stringMatching(/no difference/)]);
  }, 300_000);

  (CAN_MOUNT ? it : it.skip)(
    'are not begun where there is no room for them',
    async () => {
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
    },
    120_000,
  );
});
