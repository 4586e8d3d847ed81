import { accountSteps, parametersOf } from '../../../test-support/product/account-steps.js';
import { runCommand } from '../../../test-support/installation/command-line.js';
import { whileLocked } from '../../../test-support/database/locked.js';
import { startProduct } from '../../../test-support/product/product.js';
import { registration, TEST_PASSWORD } from '../../../test-support/product/registrations.js';
import { shared } from '../../../test-support/shared.js';
import { TestClock } from '../../../test-support/test-clock.js';

const WRONG = 'Wrong#2026';

describe('names and addresses of accounts', () => {
  const clock = new TestClock();
  const product = shared(() => startProduct(clock, { jobs: { rounds: false } }));
  const steps = accountSteps(product);
  const { confirm, idOf, linkToken, rows } = steps;

  const post = async (call: string, sent: unknown) => {
    const { status, body } = await steps.post(call, sent);
    return { status, code: body?.code as unknown, body };
  };
  const register = (username: string, email = `${username}@names.example`, password?: string) =>
    post(
      'register',
      registration({ username, email, ...(password && { password, confirmPassword: password }) }),
    );
  const login = (username: string, password = TEST_PASSWORD) => post('login', { username, password });
  /** Registers somebody and opens the link in their letter. */
  const confirmed = async (username: string, email = `${username}@names.example`) => {
    expect((await register(username, email)).status).toBe(201);
    const id = await idOf(username);
    expect((await confirm(id, await linkToken(email, 'confirm-email'))).status).toBe(200);
    return id;
  };
  const letters = (accountId: string, kind: string) =>
    rows('select kind from letters.letter where account_id = $1 and kind = $2', accountId, kind);

  describe('a name that cannot be told from another one', () => {
    it.each([
      ['admin', 'ａｄｍｉｎ'],
      ['Admiral', 'admıral'],
      ['copy', 'сору'],
      ['Bepa', 'Вера'],
      ['Zoe', 'ΖΟΕ'],
      ['dots', 'dots.'],
    ])('is taken: %s, and then %s', async (one, other) => {
      const id = await confirmed(one);
      const again = await register(other, `other-${one}@names.example`);
      expect([again.status, again.code]).toEqual([409, 'UsernameTaken']);
      expect((await login(other)).body.id).toBe(id);
    });

    it('is taken by one of those who register it at the same time', async () => {
      const names = ['once', 'ＯＮＣＥ', 'ONCE', '𝓸𝓷𝓬𝓮', 'once.', 'ᴏɴᴄᴇ'];
      const answers = await Promise.all(
        names.map((username, at) => register(username, `once-${at}@names.example`)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
    });

    it('counts as one name where wrong passwords are limited, whether somebody has it or not', async () => {
      await confirmed('mapo');
      for (const spelt of [
        ['mapo', 'ＭＡＰＯ', 'МАРО'],
        ['nemo', 'ＮＥＭＯ', 'nemo.'],
      ]) {
        const statuses: number[] = [];
        for (let guess = 0; guess < 12; guess += 1)
          statuses.push((await login(spelt[guess % 3] ?? '', WRONG)).status);
        expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
      }
      await clock.forward(900_001);
    });
  });

  describe('an address', () => {
    it('is no user name, and whoever has it as one has no part in its sign-in', async () => {
      const refused = await register('owner@names.example', 'thief@names.example');
      expect([refused.status, refused.body.errors]).toEqual([
        400,
        { username: ['A username cannot contain @.'] },
      ]);
      const thief = await confirmed('thief');
      await rows(
        'update account set username = $2, name_key = $2 where id = $1',
        ...[thief, 'owner@names.example'],
      );
      expect((await login('owner@names.example')).code).toBe('WrongCredentials');
      const owner = await confirmed('owner');
      expect((await login('owner@names.example')).body.id).toBe(owner);
      expect((await login('ＯＷＮＥＲ＠names.example')).body.id).toBe(owner);
      expect((await login('thief@names.example')).body.id).toBe(thief);
    });

    it('that a stranger registered is its owner’s: they register, confirm, sign in and get a new password', async () => {
      const email = 'bob@names.example';
      expect((await register('stranger', email, 'Stranger#1')).status).toBe(201);
      const stranger = await idOf('stranger');
      const link = await linkToken(email, 'confirm-email');
      expect((await post('forgot-password', { email })).status).toBe(200);
      expect(await letters(stranger, 'reset-password')).toEqual([]);

      expect((await register('bob', 'Bob@names.example')).status).toBe(201);
      const bob = await idOf('bob');
      expect(await letters(bob, 'confirm-email')).toHaveLength(1);
      for (const id of [stranger, bob]) expect((await confirm(id, link)).body.code).toBe('LinkInvalid');
      for (const name of ['stranger', email])
        expect((await login(name, 'Stranger#1')).code).toBe('WrongCredentials');
      expect((await login(email)).code).toBe('EmailNotConfirmed');

      const bobs = await linkToken(email, 'confirm-email', 2);
      expect((await confirm(bob, bobs)).status).toBe(200);
      expect((await login(email)).body.id).toBe(bob);
      expect((await post('forgot-password', { email })).status).toBe(200);
      expect(await letters(bob, 'reset-password')).toHaveLength(1);
      const token = await linkToken(email, 'reset-password');
      const reset = { email, token, newPassword: 'Another#2026' };
      expect((await post('reset-password', reset)).status).toBe(200);
      expect((await login(email, 'Another#2026')).body.id).toBe(bob);
      // Now it is somebody's. The stranger's name is free again.
      expect((await register('stranger', email)).code).toBe('EmailTaken');
      expect((await register('stranger')).status).toBe(201);
    });

    it('is one account’s when many register it at the same time, and nothing of the others is left', async () => {
      const email = 'many@names.example';
      const names = ['many-a', 'many-b', 'many-c', 'many-d'];
      const answers = await Promise.all(names.map((username) => register(username, email)));
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      expect(await rows('select username from account where email = $1', email)).toHaveLength(1);
    });

    it('is one account’s when it is confirmed while somebody registers it', async () => {
      for (let round = 0; round < 5; round += 1) {
        const email = `race-${round}@names.example`;
        const [first, second] = [`first-${round}`, `second-${round}`];
        expect((await register(first, email)).status).toBe(201);
        const id = await idOf(first);
        const token = await linkToken(email, 'confirm-email');
        const [opened, registered] = await Promise.all([confirm(id, token), register(second, email)]);
        const kept = await rows('select username, email_confirmed from account where email = $1', email);
        const outcome = [opened.body.code ?? opened.status, registered.code ?? registered.status];
        expect([
          [[200, 'EmailTaken'], [{ username: first, email_confirmed: true }]],
          [['LinkInvalid', 201], [{ username: second, email_confirmed: false }]],
        ]).toContainEqual([outcome, kept]);
      }
    });

    it('that is being confirmed is waited for by who registers it, and nothing fails', async () => {
      const email = 'waits@names.example';
      expect((await register('waits', email)).status).toBe(201);
      const id = await idOf('waits');
      const answer = await whileLocked(
        product.database,
        // As the confirmation does, until its link is used up.
        ['select from account where id = $1 for key share', [id]],
        () => register('waits-too', email),
        'update account set email_confirmed = true where id = $1',
      );
      expect(answer.code).toBe('EmailTaken');
      expect((await login(email)).body.id).toBe(id);
    });

    it('stays with who confirmed it, when another account that has it unconfirmed is kept', async () => {
      const email = 'kept@names.example';
      expect((await register('kept', email)).status).toBe(201);
      const kept = await idOf('kept');
      const link = await linkToken(email, 'confirm-email');
      // A librarian has put its owner's street right.
      await rows('update account set version = 2 where id = $1', kept);
      expect((await register('kept-owner', email)).status).toBe(201);
      const owner = await idOf('kept-owner');
      expect((await confirm(owner, await linkToken(email, 'confirm-email', 2))).status).toBe(200);
      expect(await idOf('kept')).toBe(kept);
      expect((await login(email)).body.id).toBe(owner);
      expect((await confirm(kept, link)).body.code).toBe('EmailTaken');
      // Made for it on the command line; the address alone would mean the other one.
      const { DATABASE_URL, EVENTSTORE_URL } = product.settings;
      const environment = { DATABASE_URL, EVENTSTORE_URL, PUBLIC_URL: product.url };
      const { output } = await runCommand('reset-password', ['kept'], environment);
      const token = parametersOf(new URL(/http\S+/.exec(output)?.[0] ?? '')).get('token');
      const reset = { email, token, newPassword: 'Another#2026' };
      expect((await post('reset-password', reset)).status).toBe(200);
      expect((await login('kept', 'Another#2026')).code).toBe('EmailNotConfirmed');
      expect((await login(email)).body.id).toBe(owner);
    });
  });
});
