import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CrashInstallation } from '../test-support/installation/crash-installation.js';
import { shared } from '../test-support/shared.js';
import { guestCaller } from './api-caller.js';
import { PASSWORDS } from './people.js';

describe('a data folder that was tried on this machine, and is then opened to others', () => {
  let session: string;
  const installation = shared(() => CrashInstallation.createOpened());
  beforeAll(async () => {
    await installation.start();
    session = await signIn('admin', PASSWORDS.admin);
    await installation.stop();
  });

  const signIn = async (username: string, password: string) =>
    (await guestCaller(installation.url).post<{ token: string }>('Account/login', { username, password }))
      .token;
  const startedWith = async (environment: NodeJS.ProcessEnv) => {
    const run = installation.launch(environment);
    await run.open;
    return run.output();
  };

  it('has no demo accounts, no mailbox and no sandbox, and says so and how they are turned on', async () => {
    const told = await startedWith({ HOST: '0.0.0.0' });
    expect(told).toContain(
      'Others may reach it (HOST is 0.0.0.0), so these are off: demo accounts (DEMO=on), the mailbox (MAILBOX=on), ' +
        'paying in the sandbox (SANDBOX_PAYMENTS=on), the description of the API (API_DOCS=on).',
    );
    expect(told).toContain('admin, auditor, reader of the demo can no longer sign in.');
    expect(told).toContain('Letters wait, as there is no mail server');
    for (const [username, password] of Object.entries(PASSWORDS)) {
      expect(told).not.toContain(password);
      await expect(signIn(username, password)).rejects.toThrow(/WrongCredentials/);
    }
    await expect(guestCaller(installation.url, session).get('User/profile')).rejects.toThrow(/SessionEnded/);
    expect((await fetch(`${installation.url}/dev/mail`)).status).toBe(404);
    await installation.stop();
  });

  it('has a demo with a password of its own where that is asked for, and the known ones at home again', async () => {
    const told = await startedWith({ HOST: '0.0.0.0', DEMO: 'on' });
    const file = join(installation.dataDir, 'demo-password');
    const own = readFileSync(file, 'utf8');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(told).toContain(`the password of all three is in ${file}`);
    expect(told).not.toContain('Admin123!');
    await expect(signIn('admin', PASSWORDS.admin)).rejects.toThrow(/WrongCredentials/);
    await signIn('admin', own);
    await installation.stop();

    expect(await startedWith({})).toContain('admin    Admin123!');
    await signIn('admin', PASSWORDS.admin);
    await expect(signIn('admin', own)).rejects.toThrow(/WrongCredentials/);
    await installation.stop();
  });
});
