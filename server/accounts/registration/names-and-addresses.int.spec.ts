import { inTransaction } from '#platform/database/database.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { createTestDatabase } from '../../../test-support/database.js';
import { registration, TEST_PASSWORD } from '../../../test-support/registrations.js';
import { startTestServer } from '../../../test-support/server-app.js';
import { waitFor } from '../../../test-support/wait-for.js';
import { shared } from '../../../test-support/shared.js';
import { AccountsModule } from '../accounts.module.js';
import { makeLinkToken, consumeLinkToken, type LinkPurpose } from '../one-time-links.js';

describe('names and addresses of accounts', () => {
  const database = shared(() => createTestDatabase('migrated'));
  const server = shared(() => startTestServer(database.url, [AccountsModule]));

  const post = async (call: string, body: unknown) => {
    const answer = await server.call('POST', `Account/${call}`, { body });
    return { status: answer.status, code: answer.body?.code as unknown, body: answer.body };
  };
  const register = (changes: Parameters<typeof registration>[0]) => post('register', registration(changes));
  const login = (username: string, password = TEST_PASSWORD) => post('login', { username, password });
  const idOf = async (username: string) => {
    const { rows } = await server.database.query<{ id: string }>(
      'select id from account where username = $1',
      [username],
    );
    return rows[0]?.id ?? '';
  };
  const linkFor = (accountId: string, purpose: LinkPurpose) =>
    inTransaction(server.dataSource, (transaction) =>
      makeLinkToken(transaction, accountId, purpose, server.clock.now()),
    );
  const confirm = (userId: string, token: string) => post('confirm-email', { userId, token });
  const registerConfirmed = async (changes: Parameters<typeof registration>[0]) => {
    const body = registration(changes);
    expect(await post('register', body)).toMatchObject({ status: 201 });
    const id = await idOf(body.username);
    expect((await confirm(id, await linkFor(id, 'confirm-email'))).status).toBe(200);
    return { ...body, id };
  };
  const lettersTo = async (accountId: string, kind: string) => {
    const { rows } = await server.database.query(
      'select 1 from letters.letter where account_id = $1 and kind = $2',
      [accountId, kind],
    );
    return rows.length;
  };

  describe('a name that cannot be told from another one', () => {
    it.each([
      ['admin', 'ａｄｍｉｎ'],
      ['Admiral', 'admıral'],
      ['copy', 'сору'],
      ['Bepa', 'Вера'],
      ['Zoe', 'ΖΟΕ'],
      ['dots', 'dots.'],
    ])('is taken: %s, and then %s', async (one, other) => {
      const owner = await registerConfirmed({ username: one, email: `${one}@names.example` });
      const again = await register({ username: other, email: `other-${one}@names.example` });
      expect([again.status, again.code]).toEqual([409, 'UsernameTaken']);
      expect((await login(other)).body.id).toBe(owner.id);
    });

    it('is taken by one of those who register it at the same time', async () => {
      const names = ['once', 'ＯＮＣＥ', 'ONCE', '𝓸𝓷𝓬𝓮', 'once.', 'ᴏɴᴄᴇ'];
      const answers = await Promise.all(
        names.map((username, at) => register({ username, email: `once-${at}@names.example` })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
    });

    it('counts as one name where wrong passwords are limited, whether somebody has it or not', async () => {
      await registerConfirmed({ username: 'mapo', email: 'mapo@names.example' });
      for (const spelt of [
        ['mapo', 'ＭＡＰＯ', 'МАРО'],
        ['nemo', 'ＮＥＭＯ', 'nemo.'],
      ]) {
        const statuses: number[] = [];
        for (let guess = 0; guess < 12; guess += 1) {
          statuses.push((await login(spelt[guess % 3] ?? '', 'Wrong#2026')).status);
        }
        expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
      }
      server.clock.forward(900_001);
    });
  });

  describe('an address', () => {
    it('is no user name, and whoever has it as one has no part in its sign-in', async () => {
      const refused = await register({ username: 'owner@names.example', email: 'thief@names.example' });
      expect([refused.status, refused.body.errors]).toEqual([
        400,
        { username: ['A username cannot contain @.'] },
      ]);
      const named = await registerConfirmed({ username: 'thief', email: 'thief@names.example' });
      await server.database.query('update account set username = $2, name_key = $2 where id = $1', [
        named.id,
        'owner@names.example',
      ]);
      expect((await login('owner@names.example')).code).toBe('WrongCredentials');
      const owner = await registerConfirmed({ username: 'owner', email: 'owner@names.example' });
      expect((await login('owner@names.example')).body.id).toBe(owner.id);
      expect((await login('ＯＷＮＥＲ＠names.example')).body.id).toBe(owner.id);
      expect((await login('thief@names.example')).body.id).toBe(named.id);
    });

    it('that a stranger registered is its owner’s: they register, confirm, sign in and get a new password', async () => {
      const email = 'bob@names.example';
      expect(
        (
          await register({
            username: 'stranger',
            email,
            password: 'Stranger#1',
            confirmPassword: 'Stranger#1',
          })
        ).status,
      ).toBe(201);
      const stranger = await idOf('stranger');
      const link = await linkFor(stranger, 'confirm-email');
      expect((await post('forgot-password', { email })).status).toBe(200);
      expect(await lettersTo(stranger, 'reset-password')).toBe(0);

      expect((await register({ username: 'bob', email: 'Bob@names.example' })).status).toBe(201);
      const bob = await idOf('bob');
      expect(await lettersTo(bob, 'confirm-email')).toBe(1);
      expect((await confirm(stranger, link)).code).toBe('LinkInvalid');
      expect((await confirm(bob, link)).code).toBe('LinkInvalid');
      expect((await login('stranger', 'Stranger#1')).code).toBe('WrongCredentials');
      expect((await login(email, 'Stranger#1')).code).toBe('WrongCredentials');
      expect((await login(email)).code).toBe('EmailNotConfirmed');

      expect((await confirm(bob, await linkFor(bob, 'confirm-email'))).status).toBe(200);
      expect((await login(email)).body.id).toBe(bob);
      expect((await post('forgot-password', { email })).status).toBe(200);
      expect(await lettersTo(bob, 'reset-password')).toBe(1);
      const reset = { email, token: await linkFor(bob, 'reset-password'), newPassword: 'Another#2026' };
      expect((await post('reset-password', reset)).status).toBe(200);
      expect((await login(email, 'Another#2026')).body.id).toBe(bob);
      // Now it is somebody's. The stranger's name is free again.
      expect((await register({ username: 'stranger', email })).code).toBe('EmailTaken');
      expect((await register({ username: 'stranger', email: 'stranger@names.example' })).status).toBe(201);
    });

    it('is one account’s when many register it at the same time, and nothing of the others is left', async () => {
      const email = 'many@names.example';
      const names = ['many-a', 'many-b', 'many-c', 'many-d'];
      const answers = await Promise.all(names.map((username) => register({ username, email })));
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      const { rows } = await server.database.query('select username from account where email = $1', [email]);
      expect(rows).toHaveLength(1);
    });

    it('is one account’s when it is confirmed while somebody registers it', async () => {
      for (let round = 0; round < 5; round += 1) {
        const email = `race-${round}@names.example`;
        expect((await register({ username: `first-${round}`, email })).status).toBe(201);
        const first = await idOf(`first-${round}`);
        const token = await linkFor(first, 'confirm-email');
        const [confirmed, registered] = await Promise.all([
          confirm(first, token),
          register({ username: `second-${round}`, email }),
        ]);
        const { rows } = await server.database.query(
          'select username, email_confirmed from account where email = $1',
          [email],
        );
        const outcome = [confirmed.code ?? confirmed.status, registered.code ?? registered.status];
        expect([
          [[200, 'EmailTaken'], [{ username: `first-${round}`, email_confirmed: true }]],
          [['LinkInvalid', 201], [{ username: `second-${round}`, email_confirmed: false }]],
        ]).toContainEqual([outcome, rows]);
      }
    });

    it('that is being confirmed is waited for by who registers it, and nothing fails', async () => {
      const email = 'waits@names.example';
      expect((await register({ username: 'waits', email })).status).toBe(201);
      const id = await idOf('waits');
      const token = await linkFor(id, 'confirm-email');
      let registering: ReturnType<typeof register> | undefined;
      await inTransaction(server.dataSource, async (manager) => {
        await consumeLinkToken(manager, id, 'confirm-email', token, server.clock.now());
        registering = register({ username: 'waits-too', email });
        await waitFor(async () => {
          const { rows } = await server.database.query(
            `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          );
          return rows.length === 1;
        });
        await manager.update(AccountEntity, { id }, { emailConfirmed: true });
      });
      expect((await registering)?.code).toBe('EmailTaken');
      expect((await login(email)).body.id).toBe(id);
    });

    it('stays with who confirmed it, when another account that has it unconfirmed is kept', async () => {
      const email = 'kept@names.example';
      expect((await register({ username: 'kept', email })).status).toBe(201);
      const kept = await idOf('kept');
      // A librarian has put its owner's street right.
      await server.database.query('update account set version = 2 where id = $1', [kept]);
      const owner = await registerConfirmed({ username: 'kept-owner', email });
      expect(await idOf('kept')).toBe(kept);
      expect((await login(email)).body.id).toBe(owner.id);
      expect((await confirm(kept, await linkFor(kept, 'confirm-email'))).code).toBe('EmailTaken');
      // Made for it on the command line; the address alone would mean the other one.
      const reset = { email, token: await linkFor(kept, 'reset-password'), newPassword: 'Another#2026' };
      expect((await post('reset-password', reset)).status).toBe(200);
      expect((await login('kept', 'Another#2026')).code).toBe('EmailNotConfirmed');
      expect((await login(email)).body.id).toBe(owner.id);
    });
  });
});
