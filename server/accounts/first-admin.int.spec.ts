import { caller } from '../../test-support/product/caller.js';
import { startProduct } from '../../test-support/product/product.js';
import { TEST_PASSWORD } from '../../test-support/product/registrations.js';
import { shared } from '../../test-support/shared.js';
import { siteFact } from '../../test-support/browser/site-fact.js';

const setUpCode = 'shown-at-the-terminal';

describe('the first account of an installation', () => {
  const product = shared(() => startProduct());
  const server = shared(() => product.startServer({}, { setUpCode }));
  const make = (changes: object = {}, { url }: { url: string } = server) =>
    caller(url, '').post('Account/first-admin', {
      ...{
        code: setUpCode,
        username: 'anna',
        email: 'anna@example.org',
        firstname: 'Anna',
        lastname: 'Nowak',
      },
      ...{ password: TEST_PASSWORD, confirmPassword: TEST_PASSWORD, ...changes },
    });
  const accounts = async () =>
    (await product.database.query('select username, roles, email_confirmed from account')).rows;
  const isAwaited = async () => (await siteFact(server.url, 'set-up')) === 'awaited';

  it('is made by nobody where no code was shown, and by nobody without it', async () => {
    expect((await make({}, product)).body).toMatchObject({ status: 400, code: 'LinkInvalid' });
    expect((await make({ code: 'guessed' })).body).toMatchObject({ status: 400, code: 'LinkInvalid' });
    expect((await make({ code: '' })).status).toBe(400);
    expect(await accounts()).toEqual([]);
  });

  it('says what is missing by field, and is still awaited then', async () => {
    const { body } = await make({ username: '', confirmPassword: 'another', email: 'nowhere' });
    expect(Object.keys(body.errors)).toEqual(
      expect.arrayContaining(['username', 'confirmPassword', 'email']),
    );
    expect(await isAwaited()).toBe(true);
  });

  it('is one, whoever was first: an admin who is signed in and needs no letter', async () => {
    const both = await Promise.all([make(), make({ username: 'ewa', email: 'ewa@example.org' })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 400]);
    const user = both.find(({ status }) => status === 201)?.body;
    expect(user).toMatchObject({ roles: ['Reader', 'Admin'] });
    expect(await accounts()).toEqual([
      { username: user.username, roles: ['Reader', 'Admin'], email_confirmed: true },
    ]);
    const sessions = await caller(server.url, user.token).get('Account/sessions');
    expect(sessions.body).toHaveLength(1);
  });

  it('is not made again, not with the code either', async () => {
    expect(await isAwaited()).toBe(false);
    const another = { username: 'ola', email: 'ola@example.org' };
    expect((await make(another)).status).toBe(400);
    // A process that knows of no account: it was made by the command line, or by another process, meanwhile.
    expect((await make(another, await product.startServer({}, { setUpCode }))).status).toBe(400);
    expect(await accounts()).toHaveLength(1);
  });
});
