import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { z } from 'zod';
import { queryRows } from '#platform/database/query-rows.js';
import { runCommand, startCommand } from '../test-support/installation/command-line.js';
import { CrashInstallation } from '../test-support/installation/crash-installation.js';
import { boundToItself, CAN_MOUNT } from '../test-support/installation/mounts.js';
import { waitFor } from '../test-support/wait-for.js';
import { shared, sharedFolder } from '../test-support/shared.js';
import { apiCaller, guestCaller } from './api-caller.js';
import { readLog, type LoggedEvent } from './crash/log-account.js';
import { coverAt, startLoad, type DoneWork } from './library-load.js';
import { PASSWORDS, registerByApi } from './people.js';

const MARIA = { username: 'maria', password: 'Sekret#2026', firstname: 'Maria', lastname: 'Dąbrowska' };
const ZENON = { ...MARIA, username: 'zenon' };

describe('a backup of the embedded default', () => {
  const folder = sharedFolder();
  const backup = join(folder, 'backup');

  const product = shared(() => CrashInstallation.createOpened());
  const restored = shared(() => CrashInstallation.create());

  const backUp = (target: string, ...options: string[]) => product.command('backup', [target, ...options]);
  const restore = (from: string, dataDir: string, ...options: string[]) =>
    runCommand('restore', [from, ...options], { DATA_DIR: dataDir });
  const slots = async () => {
    const client = new pg.Client({ connectionString: product.addresses().databaseUrl });
    await client.connect();
    try {
      return await queryRows(
        client,
        z.object({ slot_name: z.string() }),
        'select slot_name from pg_replication_slots',
      );
    } finally {
      await client.end();
    }
  };
  /** All that is in a folder, with sizes: to see that nothing changed. */
  const contentOf = (path: string) =>
    readdirSync(path, { recursive: true, encoding: 'utf8' })
      .map((name) => `${name} ${statSync(join(path, name)).size}`)
      .sort();
  /** A copy of the backup, damaged in some way. */
  const damaged = (name: string, damage: (copy: string) => void) => {
    const copy = join(folder, name);
    cpSync(backup, copy, { recursive: true });
    damage(copy);
    return copy;
  };

  let before: DoneWork;
  let original: LoggedEvent[];
  let oldToken: string;

  it('is made of a library that is at work, and hinders nobody', async () => {
    await product.start();
    await registerByApi(product.url, MARIA);
    const login = { username: MARIA.username, password: MARIA.password };
    ({ token: oldToken } = await guestCaller(product.url).post<{ token: string }>('Account/login', login));
    const load = await startLoad(product.url);
    await load.goesOn();

    before = load.done();
    const { code, output } = await backUp(backup);
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/\d+ events, \d+ books, \d+ covers and \d+ accounts/),
    ]);
    const during = load.done();
    expect(during.borrows.length).toBeGreaterThan(before.borrows.length);

    await load.goesOn();
    await load.stop();
    await registerByApi(product.url, ZENON);
    original = await readLog(product.addresses().eventStoreUrl);
    expect(await slots()).toEqual([]);
  });

  it('is closed to others, and names every file that it holds', () => {
    expect(statSync(backup).mode & 0o777).toBe(0o700);
    const { files } = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8')) as {
      files: { path: string; bytes: number }[];
    };
    for (const { path, bytes } of files) {
      const { mode, size } = statSync(join(backup, path));
      expect([path, mode & 0o777, size]).toEqual([path, 0o600, bytes]);
    }
    const present = readdirSync(backup, { recursive: true, withFileTypes: true }).filter((each) =>
      each.isFile(),
    );
    expect(present).toHaveLength(files.length + 1);
    expect(files.some(({ path }) => path.startsWith('mailbox/'))).toBe(true);
    expect(files.some(({ path }) => path.includes('postmaster.pid'))).toBe(false);
  });

  it('is restored into an empty folder, as of one moment, and the library opens from there', async () => {
    expect((await product.stop()).code).toBe(0);
    const { code, output } = await restore(backup, restored.dataDir);
    expect([code, output]).toEqual([0, expect.stringMatching(/no difference/)]);
    await restored.start();

    const log = (await readLog(restored.addresses().eventStoreUrl)).filter(
      // What the restored library itself settled of a rent that was under way.
      ({ event }) => event.type !== 'RentAbandoned',
    );
    expect(log).toEqual(original.slice(0, log.length));
    expect(log.length).toBeLessThan(original.length);
    const rented = new Set(log.map(({ event }) => event.data.borrowId));
    expect(before.borrows.filter((id) => !rented.has(id))).toEqual([]);

    for (const { url, bytes } of before.covers) expect(await coverAt(restored.url, url)).toBe(bytes);
    const verified = await restored.command('verify');
    expect([verified.code, verified.output]).toEqual([0, expect.stringMatching(/no difference/)]);
  });

  it('brings back accounts and sessions, not what came later, and the library works on', async () => {
    const maria = await apiCaller(restored.url, MARIA.username, MARIA.password);
    await expect(apiCaller(restored.url, ZENON.username, ZENON.password)).rejects.toThrow(/: 40[01] /);
    expect(await guestCaller(restored.url, oldToken).get('User/profile')).toMatchObject({
      userName: 'maria',
    });
    for (const username of before.accounts) {
      const again = guestCaller(restored.url).post('Account/register', {
        ...{
          username,
          email: `again-${username}@example.org`,
          password: 'Sekret#2026',
          confirmPassword: 'Sekret#2026',
        },
        ...{ firstname: 'A', lastname: 'B', dateOfBirth: '1990-04-12', gender: 'Other', country: 'Poland' },
        ...{ adress: 'C', city: 'D', postalCode: '31-146' },
      });
      await expect(again).rejects.toThrow(/UsernameTaken/);
    }
    const desk = await apiCaller(restored.url, 'admin', PASSWORDS.admin);
    const { items } = await desk.get<{ items: { id: number }[] }>('Book?pageNumber=1&pageSize=1');
    const borrowId = await maria.rent([items[0]?.id ?? 0]);
    await waitFor(() =>
      desk.issue(borrowId).then(
        () => true,
        () => false,
      ),
    );
    expect((await restored.stop()).code).toBe(0);
  });

  it('is refused where it is damaged or unfinished, and nothing changes', async () => {
    const target = join(folder, 'never');
    const table = readdirSync(join(backup, 'cluster/base/1'))[0] ?? '';
    const cases: [string, RegExp][] = [
      [
        damaged('changed', (copy) => {
          const file = join(copy, 'cluster/base/1', table);
          const bytes = readFileSync(file);
          bytes[Math.floor(bytes.length / 2)]! ^= 1;
          writeFileSync(file, bytes);
        }),
        /The backup is damaged: cluster\/base\/1\/\S+ is not what was written\./,
      ],
      [
        damaged('cut', (copy) => {
          const [segment = ''] = readdirSync(join(copy, 'cluster/pg_wal')).filter((name) =>
            /^\w{24}$/.test(name),
          );
          truncateSync(join(copy, 'cluster/pg_wal', segment), 4096);
        }),
        /The backup is damaged: cluster\/pg_wal\/\w+ has 4096 bytes instead of 16777216\./,
      ],
      [damaged('without', (copy) => rmSync(join(copy, 'password'))), /damaged: password is missing\./],
      [
        damaged('unfinished', (copy) => rmSync(join(copy, 'manifest.json'))),
        /has no manifest\.json: it is no backup of Lectern, or one that was not finished\./,
      ],
      [
        damaged('half-manifest', (copy) => truncateSync(join(copy, 'manifest.json'), 1000)),
        /manifest\.json is damaged: it cannot be read to its end\./,
      ],
      [
        damaged('other-manifest', (copy) => {
          const file = join(copy, 'manifest.json');
          writeFileSync(
            file,
            readFileSync(file, 'utf8').replace('"cluster/PG_VERSION"', '"cluster/../../x"'),
          );
        }),
        /manifest\.json is damaged: it is not what was written\./,
      ],
    ];
    for (const [copy, sentence] of cases) {
      const { code, output } = await restore(copy, target);
      expect([code, output]).toEqual([2, expect.stringMatching(sentence)]);
      expect(output).not.toContain('    at ');
      rmSync(copy, { recursive: true });
    }
    expect(readdirSync(folder).filter((name) => name.startsWith('never'))).toEqual([]);
  });

  it('is refused over an installation, which is kept where --replace is said', async () => {
    const present = contentOf(product.dataDir);
    const refused = await restore(backup, product.dataDir);
    expect([refused.code, refused.output]).toEqual([2, expect.stringMatching(/is not empty/)]);
    expect(contentOf(product.dataDir)).toEqual(present);

    const { code, output } = await restore(backup, product.dataDir, '--replace');
    expect([code, output]).toEqual([0, expect.stringMatching(/no difference/)]);
    const aside = /What was there before is in (\S+)/.exec(output)?.[1] ?? '';
    expect(contentOf(aside)).toEqual(present);
    expect(product.processes()).toEqual([]);
  });

  it('is refused beside a running library, and into a folder that holds something or is part of it', async () => {
    await product.start();
    const running = await restore(backup, product.dataDir, '--replace');
    expect([running.code, running.output]).toEqual([2, expect.stringMatching(/Lectern runs on/)]);

    const full = join(folder, 'full');
    mkdirSync(full);
    writeFileSync(join(full, 'letter.txt'), 'Dear reader');
    const intoFull = await backUp(full);
    expect([intoFull.code, intoFull.output]).toEqual([2, expect.stringMatching(/is not empty/)]);
    expect(readdirSync(full)).toEqual(['letter.txt']);

    const inside = await backUp(join(product.dataDir, 'backup'));
    expect([inside.code, inside.output]).toEqual([2, expect.stringMatching(/inside the data folder/)]);
    const nowhere = await product.command('backup', [join(folder, 'none')], {
      DATA_DIR: join(folder, 'nothing'),
    });
    expect([nowhere.code, nowhere.output]).toEqual([2, expect.stringMatching(/There is no library in/)]);
    expect(existsSync(join(folder, 'none'))).toBe(false);
  });

  it('leaves nothing behind where it is stopped, and no log is kept for one that was killed', async () => {
    const under = async (name: string, signal: NodeJS.Signals) => {
      const target = join(folder, name);
      const run = startCommand('backup', [target], { DATA_DIR: product.dataDir });
      await waitFor(() => existsSync(join(target, 'cluster', 'base')));
      run.child.kill(signal);
      await run.ended;
      return target;
    };
    expect(existsSync(await under('stopped', 'SIGINT'))).toBe(false);

    const killed = await under('killed', 'SIGKILL');
    const { code, output } = await restore(killed, join(folder, 'never'));
    expect([code, output]).toEqual([2, expect.stringMatching(/was not finished/)]);
    await waitFor(async () => (await slots()).length === 0);
  });

  it('can be made of a library that does not run, without its letters', async () => {
    expect((await product.stop()).code).toBe(0);
    const still = join(folder, 'still');
    expect((await backUp(still, '--without-mailbox')).code).toBe(0);
    expect(existsSync(join(still, 'mailbox'))).toBe(false);
    expect(product.processes()).toEqual([]);
    expect((await restore(still, join(folder, 'again'))).code).toBe(0);
  });

  it('is one encrypted file where that is asked for, which nothing but its passphrase opens', async () => {
    const sealed = join(folder, 'sealed.age');
    const target = join(folder, 'opened');
    const withPassphrase = (passphrase: string) => ({ BACKUP_PASSPHRASE: passphrase });
    const make = (passphrase: string) =>
      product.command('backup', ['--encrypt', sealed], withPassphrase(passphrase));
    const open = (from: string, passphrase: string) =>
      runCommand('restore', [from], { DATA_DIR: target, ...withPassphrase(passphrase) });

    const weak = await make('too short');
    expect([weak.code, weak.output]).toEqual([
      2,
      expect.stringMatching(/BACKUP_PASSPHRASE: must have at least 12/),
    ]);
    const unasked = await make('');
    expect([unasked.code, unasked.output]).toEqual([2, expect.stringMatching(/no terminal to ask/)]);
    expect(existsSync(sealed)).toBe(false);
    const { code, output } = await make('correct horse battery');
    expect([code, output]).toEqual([0, expect.stringMatching(/It is encrypted: [^\n]+\n$/)]);
    expect(statSync(sealed).mode & 0o777).toBe(0o600);

    const cut = join(folder, 'cut.age');
    cpSync(sealed, cut);
    truncateSync(cut, statSync(cut).size - 100_000);
    const refusals: [string, string, RegExp][] = [
      [sealed, '', /no terminal to ask/],
      [sealed, 'wrong horse battery', /^This passphrase does not open \S+\n$/],
      [cut, 'correct horse battery', /The backup is damaged: \S+ was changed or cut off\.\n$/],
    ];
    for (const [from, passphrase, sentence] of refusals) {
      const refused = await open(from, passphrase);
      expect([refused.code, refused.output]).toEqual([2, expect.stringMatching(sentence)]);
      expect(readdirSync(folder).filter((name) => name.startsWith('opened'))).toEqual([]);
    }
    const restoredOne = await open(sealed, 'correct horse battery');
    expect([restoredOne.code, restoredOne.output]).toEqual([0, expect.stringMatching(/no difference/)]);
  });

  (CAN_MOUNT ? it : it.skip)(
    'is restored where DATA_DIR is a mount point (skipped where nothing can be mounted)',
    async () => {
      const dataDir = join(folder, 'again');
      const still = join(folder, 'still');
      const mount = { mount: boundToItself(dataDir) };
      const restoreThere = (...options: string[]) =>
        runCommand('restore', [still, ...options], { DATA_DIR: dataDir }, '', mount);
      const present = contentOf(dataDir);
      const refused = await restoreThere();
      expect([refused.code, refused.output]).toEqual([2, expect.stringMatching(/is not empty/)]);
      expect(contentOf(dataDir)).toEqual(present);

      const { code, output } = await restoreThere('--replace');
      expect([code, output]).toEqual([0, expect.stringMatching(/no difference/)]);
      const aside = /What was there before is in (\S+)/.exec(output)?.[1] ?? '';
      expect(aside.startsWith(join(dataDir, '.before-'))).toBe(true);
      expect(contentOf(aside)).toEqual(present);

      // As where the power went between two moves: the next command that needs the library ends it.
      mkdirSync(join(dataDir, '.restoring-x'));
      renameSync(join(dataDir, 'postgres'), join(dataDir, '.restoring-x', 'postgres'));
      const unfinished = { draft: '.restoring-x', old: [], new: ['postgres'] };
      writeFileSync(join(dataDir, '.exchange.json'), JSON.stringify(unfinished));
      const verified = await runCommand('verify', [], { DATA_DIR: dataDir }, '', mount);
      expect([verified.code, verified.output]).toEqual([0, expect.stringMatching(/no difference/)]);
      expect(readdirSync(dataDir).filter((name) => /^\.(exchange|restoring)/.test(name))).toEqual([]);
    },
  );
});
