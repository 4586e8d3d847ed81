import { openDataSource } from '#platform/database/data-source.js';
import { openDatabase } from '#platform/database/database.js';
import { createLogger } from '#platform/logging.js';
import { createAccount } from '../server/accounts/registration/create-account.js';
import { createTestDatabase } from '../test-support/database/database.js';
import { registration, TEST_PASSWORD_HASH } from '../test-support/product/registrations.js';
import { shared } from '../test-support/shared.js';
import { accountNamed } from './account-named.js';

describe('whom a name on a command line means', () => {
  const database = shared(() => createTestDatabase('migrated'));
  const source = shared(() => openDataSource(openDatabase(database.url, 2, createLogger('silent'))));

  const account = async (username: string, email: string, emailConfirmed: boolean) => {
    const { password: _password, confirmPassword: _same, ...person } = registration({ username, email });
    const row = { ...person, passwordHash: TEST_PASSWORD_HASH, roles: ['Reader' as const], emailConfirmed };
    return (await createAccount(source.manager, row, new Date())).id;
  };
  const named = async (name: string) => (await accountNamed(source.manager, name)).id;

  it('is who has the user name, however it is typed, and nobody else by a part of it', async () => {
    const id = await account('Wanda', 'wanda@terminal.example', true);
    for (const name of ['wanda', 'ＷＡＮＤＡ', 'wаnda']) expect(await named(name)).toBe(id);
    await expect(named('wand')).rejects.toThrow('There is no account with the name wand.');
  });

  it('is who has confirmed the address, and not who only says that it is theirs', async () => {
    const stranger = await account('stranger', 'owner@terminal.example', false);
    await expect(named('owner@terminal.example')).rejects.toThrow(
      'There is no account that has confirmed the address owner@terminal.example. Say its user name.',
    );
    expect(await named('stranger')).toBe(stranger);
    // A librarian knows the stranger, whose account therefore stays.
    await source.query('update account set version = 2 where id = $1', [stranger]);
    const owner = await account('owner', 'owner@terminal.example', true);
    expect(await named('Owner@Terminal.example')).toBe(owner);
    expect(await named('stranger')).toBe(stranger);
  });
});
