import type { RoleChange } from '#contracts/accounts/readers.js';
import { chownSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CrashInstallation } from '../test-support/installation/crash-installation.js';
import { lettersTo } from '../test-support/mail/mailed.js';
import { waitFor } from '../test-support/wait-for.js';
import { shared } from '../test-support/shared.js';
import { apiCaller, guestCaller } from './api-caller.js';
import { PASSWORDS, registerByApi } from './people.js';

const MARIA = { username: 'maria', password: 'Sekret#2026', firstname: 'Maria', lastname: 'Dąbrowska' };

/** Only root may give a file to somebody else. */
const asRoot = process.getuid?.() === 0 ? it : it.skip;

describe('the command lines for accounts and the catalogue', () => {
  const installation = shared(() => CrashInstallation.createOpened());
  beforeAll(async () => {
    await installation.start();
  });

  const run = (name: string, args: string[], input?: string, settings: NodeJS.ProcessEnv = {}) =>
    installation.command(name, args, { PORT: String(installation.port), ...settings }, input);
  const createAdmin = (username: string, input: string, ...more: string[]) =>
    run(
      'create-admin',
      ['--username', username, '--email', `${username}@example.org`, '--password-stdin', ...more],
      input,
    );
  const setAside = (by: string, password: string) => {
    const event = ['--stream', 'borrows-nobody', '--revision', '0', '--code', 'other', '--reason', 'a test'];
    return run('skip-event', [...event, '--by', by, '--password-stdin', '--yes'], `${password}\n`);
  };
  const tokenOf = async (username: string, password: string) =>
    (await guestCaller(installation.url).post<{ token: string }>('Account/login', { username, password }))
      .token;
  const canSignIn = (username: string, password: string) =>
    tokenOf(username, password).then(
      () => true,
      () => false,
    );

  /** Tries wrong passwords until no more are taken. */
  const lockOut = async (username: string) => {
    for (let attempt = 0; attempt < 10; attempt += 1)
      await tokenOf(username, 'Wrong#2026').catch(() => undefined);
    await expect(tokenOf(username, 'Wrong#2026')).rejects.toThrow(/TooManyAttempts/);
  };

  it.each([
    ['backup', 2, /argument 'folder'/],
    ['restore', 2, /argument 'folder'/],
    ['verify', 2, /There is no library in/],
    ['rebuild', 2, /There is no library in/],
    ['check-export', 2, /argument 'file'/],
    ['move-log', 2, /^Say where to: --to/],
    ['import', 2, /argument 'file'/],
    ['export', 1, /argument 'file'/],
    ['generate', 1, /--books <n>/],
    ['create-admin', 1, /--username <name>/],
    ['reset-password', 1, /argument 'username'/],
    ['reset-second-factor', 1, /argument 'username'/],
    ['rotate-secrets', 1, /Say which ones to change/],
  ])('say what they do, what they do not know and what they need: %s', async (name, refused, missing) => {
    const settings = { DATA_DIR: join(installation.folder, 'nothing') };
    const [help, unknown, bare] = await Promise.all([
      run(name, ['--help']),
      run(name, ['--nonsense']),
      run(name, [], '', settings),
    ]);
    expect(help).toMatchObject({ code: 0, output: expect.stringMatching(/\nExit code: 0 when /) });
    expect(unknown).toEqual({
      code: refused,
      output: expect.stringContaining(
        `unknown option '--nonsense'\nWhat it takes: npm run ${name} -- --help`,
      ),
    });
    expect(bare).toEqual({ code: refused, output: expect.stringMatching(missing) });
    expect(existsSync(settings.DATA_DIR)).toBe(false);
  });

  it('never print the password of an address, and move no log that is in use', async () => {
    const address = 'esdb://library:Tajne2026@127.0.0.1:1';
    const [unknown, inUse] = await Promise.all([
      run('move-log', ['--to', `${address}?nonsense=1`]),
      run('move-log', ['--to', `${address}?tls=false`]),
    ]);
    expect(unknown).toEqual({ code: 2, output: '--to: has an option that is not known: nonsense\n' });
    expect(inUse).toMatchObject({
      code: 2,
      output: expect.stringMatching(
        /^The password in --to can be seen .*\nLectern already runs on this data folder/,
      ),
    });
    expect(inUse.output).not.toContain('Tajne2026');
  });

  it('make an admin beside the running product, on the record', async () => {
    const { code, output } = await createAdmin(
      'zofia',
      'Tajne#2026\n',
      '--firstname',
      'Zofia',
      '--lastname',
      'Kot',
    );
    expect([code, output]).toEqual([0, 'zofia is an admin and may sign in.\n']);
    const zofia = await apiCaller(installation.url, 'zofia', 'Tajne#2026');
    const { id, roles, fullname } = await zofia.get<{ id: string; roles: string[]; fullname: string }>(
      'User/profile',
    );
    expect([roles, fullname]).toEqual([['Reader', 'Admin'], 'Zofia Kot']);
    const [change] = await zofia.get<RoleChange[]>(`User/role-changes?id=${id}`);
    expect(change).toMatchObject({ by: { fullname: '(command line)' }, given: ['Admin'], taken: [] });
  });

  it('refuse what does not hold, and change nothing', async () => {
    const refusals: [Promise<{ code: number | null; output: string }>, RegExp][] = [
      [
        createAdmin('weak', 'secret\n', '--country', 'Atlantis'),
        /at least one number.*\n.*uppercase[^]*choose a country from the list/,
      ],
      [createAdmin('zofia', 'Tajne#2026\n'), /already taken.*\n.*--existing/],
      [
        run('create-admin', ['--username', 'weak', '--email', 'weak@example.org']),
        /no terminal.*--password-stdin/,
      ],
      [run('create-admin', ['--username', 'weak'], 'Tajne#2026\n'), /--email <address>/],
      [
        run('create-admin', ['--username', 'weak', '--password', 'Tajne#2026']),
        /unknown option '--password'/,
      ],
      [run('reset-password', ['nobody']), /no account with the name nobody/],
      [run('reset-password', ['reader', '--password-stdin'], 'short\n'), /at least 6 characters/],
      [run('reset-second-factor', ['reader']), /reader has no second factor/],
      [setAside('admin', 'Wrong#2026'), /not the password of admin/],
      [setAside('reader', PASSWORDS.reader), /reader may not look after the system/],
      // Whoever it is: there is no such event.
      [setAside('admin', PASSWORDS.admin), /borrows-nobody/],
    ];
    for (const [refused, sentence] of refusals) {
      const { code, output } = await refused;
      expect([code, output]).toEqual([1, expect.stringMatching(sentence)]);
      expect(output).not.toContain('    at ');
    }
    const { totalCount } = await (
      await apiCaller(installation.url, 'admin', PASSWORDS.admin)
    ).get<{ totalCount: number }>('User?SearchTerm=weak');
    expect(totalCount).toBe(0);
    expect(await canSignIn('reader', PASSWORDS.reader)).toBe(true);
  });

  it('make an account an admin that is there, from its next call on', async () => {
    await registerByApi(installation.url, MARIA);
    const maria = await apiCaller(installation.url, MARIA.username, MARIA.password);
    await expect(maria.get('User')).rejects.toThrow(/403/);
    const { code, output } = await run('create-admin', ['--username', 'Maria', '--existing']);
    expect([code, output]).toEqual([0, 'maria is an admin.\n']);
    await waitFor(() =>
      maria.get('User').then(
        () => true,
        () => false,
      ),
    );
    const { id } = await maria.get<{ id: string }>('User/profile');
    expect(await maria.get<RoleChange[]>(`User/role-changes?id=${id}`)).toHaveLength(1);
    expect((await run('create-admin', ['--username', 'maria', '--existing'])).code).toBe(0);
    expect(await maria.get<RoleChange[]>(`User/role-changes?id=${id}`)).toHaveLength(1);
  });

  it('print a link that sets a new password once, and end the sessions', async () => {
    const session = guestCaller(installation.url, await tokenOf('reader', PASSWORDS.reader));
    await lockOut('reader');
    // The port is no setting here: where the product runs is read from its data folder.
    const { code, output } = await run('reset-password', ['reader'], '', { PORT: '' });
    expect(code).toBe(0);
    const link = /^(\S+)/.exec(output)?.[1] ?? '';
    expect(link.startsWith(`${installation.url}/#/reset-password?`)).toBe(true);
    // Nothing is held against who had tried too often.
    expect(await canSignIn('reader', PASSWORDS.reader)).toBe(true);
    await waitFor(() =>
      session.get('User/profile').then(
        () => false,
        () => true,
      ),
    );

    const query = new URL(link.replace('/#/', '/')).searchParams;
    const reset = { email: query.get('email'), token: query.get('token'), newPassword: 'Nowe#2026' };
    await guestCaller(installation.url).post('Account/reset-password', reset);
    expect(await canSignIn('reader', 'Nowe#2026')).toBe(true);
    await expect(guestCaller(installation.url).post('Account/reset-password', reset)).rejects.toThrow(
      /LinkInvalid/,
    );
  });

  it('set a password, end the sessions and tell the owner', async () => {
    const session = guestCaller(installation.url, await tokenOf('reader', 'Nowe#2026'));
    await lockOut('julia.kaczmarek@lectern.example');
    const byEmail = ['julia.kaczmarek@lectern.example', '--password-stdin'];
    const { code, output } = await run('reset-password', byEmail, 'Inne#2026\n');
    expect([code, output]).toEqual([0, 'reader has the new password. All sessions have ended.\n']);
    await waitFor(() =>
      session.get('User/profile').then(
        () => false,
        () => true,
      ),
    );
    expect([await canSignIn('reader', 'Nowe#2026'), await canSignIn('reader', 'Inne#2026')]).toEqual([
      false,
      true,
    ]);
    await waitFor(async () => {
      const letters = await lettersTo(installation.url, 'julia.kaczmarek@lectern.example');
      return JSON.stringify(letters).includes('password');
    });
  });

  it('write the catalogue into a file, and over none by chance', async () => {
    const file = join(installation.folder, 'books.csv');
    const { code, output } = await run('export', [file]);
    expect([code, output]).toEqual([0, expect.stringMatching(/^[\d,]+ books in /)]);
    const text = readFileSync(file, 'utf8');
    expect(text.startsWith('isbn,catalogue_number,title,original_title,')).toBe(true);

    const again = await run('export', [file]);
    expect([again.code, again.output]).toEqual([1, expect.stringMatching(/There is a file \S+ already/)]);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect((await run('export', [file, '--force', '--bom'])).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(`\uFEFF${text}`);

    const summary = await run('import', [file]);
    expect(summary.output).toMatch(
      /: 0 added, [\d,]+ already there, 0 refused; 0 with something put in its place/,
    );
  });

  it('work on the database that is set', async () => {
    const settings = { DATABASE_URL: installation.addresses().databaseUrl, DATA_DIR: '/nowhere' };
    const args = ['--username', 'far', '--email', 'far@example.org', '--password-stdin'];
    expect((await run('create-admin', args, 'Daleko#1\n', settings)).code).toBe(0);
    expect((await run('reset-password', ['far', '--password-stdin'], 'Daleko#2\n', settings)).code).toBe(0);
    expect((await run('export', [join(installation.folder, 'far.csv')], '', settings)).code).toBe(0);
    expect(await canSignIn('far', 'Daleko#2')).toBe(true);
    const refused = await run('backup', [join(installation.folder, 'far')], '', settings);
    expect([refused.code, refused.output]).toEqual([2, expect.stringMatching(/DATABASE_URL is set/)]);
  });

  asRoot('make no secrets that the product’s own user could not read', async () => {
    const file = join(installation.dataDir, 'jwt-secret');
    const { uid, gid } = statSync(file);
    chownSync(file, 64_999, 64_999);
    const refused = await run('rotate-secrets', ['--sessions']);
    chownSync(file, uid, gid);
    expect([refused.code, refused.output]).toEqual([1, expect.stringMatching(/belongs to another user/)]);
  });

  it('work where the product does not run, and leave nothing running', async () => {
    const signedIn = guestCaller(installation.url, await tokenOf('far', 'Daleko#2'));
    const beside = await run('rotate-secrets', ['--sessions']);
    expect([beside.code, beside.output]).toEqual([1, expect.stringMatching(/^Lectern runs on \S+ Stop it/)]);

    expect((await installation.stop()).code).toBe(0);
    const secret = () => readFileSync(join(installation.dataDir, 'jwt-secret'), 'utf8');
    const before = secret();
    const rotated = await run('rotate-secrets', ['--sessions']);
    expect([rotated.code, rotated.output]).toEqual([0, expect.stringMatching(/accepted until 20\S+Z\.\n$/)]);
    expect(secret()).not.toBe(before);
    expect((await createAdmin('night', 'Nocne#2026\n')).code).toBe(0);
    expect((await run('export', [join(installation.folder, 'night.csv')])).code).toBe(0);
    expect(installation.processes()).toEqual([]);
    await installation.start();
    expect(await signedIn.get('User/profile')).toMatchObject({ userName: 'far' });
    expect(await canSignIn('night', 'Nocne#2026')).toBe(true);
  });
});
