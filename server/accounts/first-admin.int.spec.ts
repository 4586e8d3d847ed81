import { createTestDatabase } from '../../test-support/database.js';
import { caller } from '../../test-support/product.js';
import { TEST_PASSWORD } from '../../test-support/registrations.js';
import { startTestServer } from '../../test-support/server-app.js';
import { shared } from '../../test-support/shared.js';
import { AccountsModule } from './accounts.module.js';
import { FirstAdmin } from './first-admin.js';

const CODE = 'shown-at-the-terminal';

describe('the first account of an installation', () => {
  const database = shared(() => createTestDatabase('migrated'));
  const server = shared(() => startTestServer(database.url, [AccountsModule]));
  const make = async (changes: object = {}) =>
    caller(await server.app.getUrl(), '').post('Account/first-admin', {
      ...{ code: CODE, username: 'anna', email: 'anna@example.org', firstname: 'Anna', lastname: 'Nowak' },
      ...{ password: TEST_PASSWORD, confirmPassword: TEST_PASSWORD, ...changes },
    });
  const accounts = async () =>
    (await server.database.query('select username, roles, email_confirmed from account')).rows;

  it('is made by nobody where no code was shown, and by nobody without it', async () => {
    expect((await make()).body).toMatchObject({ status: 400, code: 'LinkInvalid' });
    server.app.get(FirstAdmin).await(CODE);
    expect((await make({ code: 'guessed' })).body).toMatchObject({ status: 400, code: 'LinkInvalid' });
    expect((await make({ code: '' })).status).toBe(400);
    expect(await accounts()).toEqual([]);
  });

  it('says what is missing by field, and is still awaited then', async () => {
    const { body } = await make({ username: '', confirmPassword: 'another', email: 'nowhere' });
    expect(Object.keys(body.errors)).toEqual(
      expect.arrayContaining(['username', 'confirmPassword', 'email']),
    );
    expect(server.app.get(FirstAdmin).isAwaited).toBe(true);
  });

  it('is one, whoever was first: an admin who is signed in and needs no letter', async () => {
    const both = await Promise.all([make(), make({ username: 'ewa', email: 'ewa@example.org' })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 400]);
    const user = both.find(({ status }) => status === 201)?.body;
    expect(user).toMatchObject({ roles: ['Reader', 'Admin'] });
    expect(await accounts()).toEqual([
      { username: user.username, roles: ['Reader', 'Admin'], email_confirmed: true },
    ]);
    const sessions = await caller(await server.app.getUrl(), user.token).get('Account/sessions');
    expect(sessions.body).toHaveLength(1);
  });

  it('is not made again, not with the code either', async () => {
    expect(server.app.get(FirstAdmin).isAwaited).toBe(false);
    expect((await make({ username: 'ola', email: 'ola@example.org' })).status).toBe(400);
    // Made by the command line, or by another process, meanwhile.
    server.app.get(FirstAdmin).await(CODE);
    expect((await make({ username: 'ola', email: 'ola@example.org' })).status).toBe(400);
    expect(await accounts()).toHaveLength(1);
  });
});
