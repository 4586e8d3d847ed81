import { Controller, Get } from '@nestjs/common';
import { jwtVerify, SignJWT, UnsecuredJWT } from 'jose';
import { listSessions } from '#contracts/accounts/account-calls.js';
import { UNATTENDED_HEADER } from '#contracts/accounts/account-requests.js';
import { signedInUserSchema } from '#contracts/accounts/account-views.js';
import { readerSchema } from '#contracts/accounts/reader.js';
import { inTransaction } from '#platform/database/database.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { createTestDatabase } from '../../test-support/database.js';
import { registration, TEST_PASSWORD } from '../../test-support/registrations.js';
import { startTestServer } from '../../test-support/server-app.js';
import { waitFor } from '../../test-support/wait-for.js';
import { shared } from '../../test-support/shared.js';
import { Allow } from '../http/access.js';
import { AccountsModule } from './accounts.module.js';
import { makeLinkToken } from './one-time-links.js';
import { ReadersCommands } from './readers/readers.commands.js';
import { SessionSweep } from './sessions/session-idle.js';
import { Sessions } from './sessions/sessions.js';
import { setPassword } from './passwords/password.commands.js';
import * as m from '#words/messages.js';

const HOUR = 3_600_000;
/** The secret of test servers. */
const SECRET = 'only-for-tests-only-for-tests-only-for-tests';
/** What it was before it was changed. */
const EARLIER = 'the-secret-of-tests-before-it-was-changed-to-that';
const key = (secret: string) => new TextEncoder().encode(secret);

@Controller('doors')
class DoorsController {
  @Get('forgotten')
  forgotten(): string[] {
    return ['nobody'];
  }

  @Get('admins')
  @Allow('roles', 'audit')
  admins(): string[] {
    return ['admins and auditors'];
  }

  @Get('everybody')
  @Allow('Everybody')
  everybody(): string[] {
    return ['everybody'];
  }
}

describe('accounts over HTTP', () => {
  /** An admin who gives and takes roles. */
  let librarian: string;

  const testDatabase = shared(() => createTestDatabase('migrated'));
  const server = shared(() =>
    startTestServer(
      testDatabase.url,
      [AccountsModule, { module: class DoorsModule {}, controllers: [DoorsController] }],
      { JWT_SECRET_PREVIOUS: EARLIER },
    ),
  );
  beforeAll(async () => {
    librarian = (await confirmed()).id;
    await server.database.query(`update account set roles = '{Reader,Admin}' where id = $1`, [librarian]);
  });

  async function register(changes: Parameters<typeof registration>[0] = {}) {
    const body = registration(changes);
    const answer = await server.call('POST', 'Account/register', { body });
    expect(answer.status).toBe(201);
    const { rows } = await server.database.query<{ id: string }>(
      'select id from account where username = $1',
      [body.username],
    );
    return { ...body, id: rows[0]?.id ?? '' };
  }

  async function confirmed(changes: Parameters<typeof registration>[0] = {}) {
    const account = await register(changes);
    await server.database.query('update account set email_confirmed = true where id = $1', [account.id]);
    return account;
  }

  const login = (username: string, password = TEST_PASSWORD) =>
    server.call('POST', 'Account/login', { body: { username, password } });

  async function signedIn(changes: Parameters<typeof registration>[0] = {}) {
    const account = await confirmed(changes);
    const { body } = await login(account.username);
    return { account, token: String(body.token) };
  }

  const linkFor = (accountId: string) =>
    inTransaction(server.dataSource, (transaction) =>
      makeLinkToken(transaction, accountId, 'confirm-email', server.clock.now()),
    );

  const confirm = (userId: string, token: string) =>
    server.call('POST', 'Account/confirm-email', { body: { userId, token } });

  const setRoles: ReadersCommands['setRoles'] = (...asked) =>
    server.app.get(ReadersCommands).setRoles(...asked);

  describe('registering', () => {
    it('writes the account, with a hash, and the wish for an email, by id alone', async () => {
      const account = await register();
      const { rows } = await server.database.query(
        'select password_hash, roles, email_confirmed from account where id = $1',
        [account.id],
      );
      expect(rows[0]).toMatchObject({ roles: ['Reader'], email_confirmed: false });
      expect(rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      const { rows: letters } = await server.database.query(
        'select queue, kind, data from letters.letter where account_id = $1',
        [account.id],
      );
      expect(letters).toEqual([{ queue: 'mail', kind: 'confirm-email', data: { accountId: account.id } }]);
    });

    it('answers the messages by field', async () => {
      const { status, headers, body } = await server.call('POST', 'Account/register', {
        body: { ...registration(), email: 'nobody', password: 'abc', postalCode: '1' },
      });
      expect(status).toBe(400);
      expect(headers.get('content-type')).toContain('application/problem+json');
      expect(body).toMatchObject({
        code: 'ValidationFailed',
        errors: {
          email: ['Please enter a valid email address.'],
          password: [
            'Password must be at least 6 characters.',
            'Password must contain at least one number (0-9).',
            'Password must contain at least one uppercase letter.',
            'Password must contain at least one special character.',
          ],
          confirmPassword: ['Passwords do not match'],
          postalCode: ['Postal code is required (5 digits)'],
        },
      });
    });

    // spec 6.4
    it('takes no role from the body', async () => {
      const body = { ...registration(), roles: ['Admin'], emailConfirmed: true };
      expect((await server.call('POST', 'Account/register', { body })).status).toBe(201);
      const { rows } = await server.database.query(
        'select roles, email_confirmed from account where username = $1',
        [body.username],
      );
      expect(rows).toEqual([{ roles: ['Reader'], email_confirmed: false }]);
    });

    it('refuses a taken name and a taken address, whatever their case', async () => {
      const account = await confirmed();
      const sameName = await server.call('POST', 'Account/register', {
        body: { ...registration(), username: account.username.toUpperCase() },
      });
      expect([sameName.status, sameName.body.code]).toEqual([409, 'UsernameTaken']);
      const sameEmail = await server.call('POST', 'Account/register', {
        body: { ...registration(), email: account.email.toUpperCase() },
      });
      expect([sameEmail.status, sameEmail.body.code]).toEqual([409, 'EmailTaken']);
    });

    it('tells at the first step what the last one would refuse, and makes nothing', async () => {
      const account = await confirmed();
      const waiting = await register();
      const check = async (username: string, email: string) => {
        const { status, body } = await server.call('POST', 'Account/check-registration', {
          body: { username, email },
        });
        return status === 200 ? status : [status, body.code, body.errors];
      };
      const fresh = registration();
      expect(await check(fresh.username, fresh.email)).toBe(200);
      expect(await check(account.username.toUpperCase(), fresh.email)).toEqual([
        409,
        'UsernameTaken',
        undefined,
      ]);
      expect(await check(fresh.username, account.email.toUpperCase())).toEqual([
        409,
        'EmailTaken',
        undefined,
      ]);
      expect(await check(fresh.username, 'no address')).toEqual([
        400,
        'ValidationFailed',
        { email: ['Please enter a valid email address.'] },
      ]);
      // An address that waits for its confirmation can be registered again, by its own name too.
      expect(await check(waiting.username, waiting.email)).toBe(200);
      expect(await check(waiting.username, fresh.email)).toEqual([409, 'UsernameTaken', undefined]);
      expect((await server.call('POST', 'Account/register', { body: fresh })).status).toBe(201);
    });

    it('makes one account of same registrations at the same time, and writes to the last', async () => {
      const body = registration();
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => server.call('POST', 'Account/register', { body })),
      );
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
      const { rows } = await server.database.query(
        `select count(*)::integer as letters from letters.letter
         where account_id in (select id from account where username = $1)`,
        [body.username],
      );
      expect(rows).toEqual([{ letters: 1 }]);
    });
  });

  describe('confirming the email', () => {
    // spec 7.4
    it('opens the account, and is kind to who opens the same link again', async () => {
      const account = await register();
      const token = await linkFor(account.id);
      expect((await login(account.username)).body.code).toBe('EmailNotConfirmed');
      expect((await confirm(account.id, token)).status).toBe(200);
      expect((await login(account.username)).status).toBe(200);
      expect((await confirm(account.id, token)).status).toBe(200);
    });

    it('keeps only a digest of the token', async () => {
      const account = await register();
      const token = await linkFor(account.id);
      const { rows } = await server.database.query('select digest from account_token where account_id = $1', [
        account.id,
      ]);
      expect(rows).toHaveLength(1);
      expect(rows[0].digest).toMatch(/^[0-9a-f]{64}$/);
      expect(rows[0].digest).not.toContain(token);
    });

    it('refuses a wrong token, a foreign one, and one that a newer link replaced', async () => {
      const [account, other] = [await register(), await register()];
      const first = await linkFor(account.id);
      const second = await linkFor(account.id);
      const foreign = await linkFor(other.id);
      for (const token of ['wrong', foreign, first]) {
        const answer = await confirm(account.id, token);
        expect([answer.status, answer.body.code]).toEqual([400, 'LinkInvalid']);
      }
      expect((await confirm(account.id, second)).status).toBe(200);
      // Once it is used it is still nobody else's.
      expect((await confirm(other.id, second)).body.code).toBe('LinkInvalid');
    });

    it('refuses a link after a day', async () => {
      const account = await register();
      const token = await inTransaction(server.dataSource, (transaction) =>
        makeLinkToken(
          transaction,
          account.id,
          'confirm-email',
          new Date(server.clock.now().getTime() - 24 * HOUR - 1),
        ),
      );
      expect((await confirm(account.id, token)).body.code).toBe('LinkInvalid');
    });

    // spec 7.6
    it('answers the same to a resend for a name that waits, one that is confirmed and one that does not exist', async () => {
      const waiting = await register();
      const done = await confirmed();
      const answers = [];
      for (const username of [waiting.username, done.username, 'nobody-of-that-name']) {
        const { status, body } = await server.call('POST', 'Account/resend-confirmation-email', {
          body: { username },
        });
        answers.push({ status, body });
      }
      expect(answers[0]?.status).toBe(200);
      expect(answers[1]).toEqual(answers[0]);
      expect(answers[2]).toEqual(answers[0]);
      const { rows } = await server.database.query(
        `select account_id as id, count(*)::integer as letters from letters.letter
         where account_id = any($1) group by 1`,
        [[waiting.id, done.id]],
      );
      expect(rows).toEqual(
        expect.arrayContaining([
          { id: waiting.id, letters: 2 },
          { id: done.id, letters: 1 },
        ]),
      );
    });

    it('sends few letters to one mailbox, by whatever name, and says the same to names that nobody has', async () => {
      const waiting = await register();
      const resend = (username: string) =>
        server.call('POST', 'Account/resend-confirmation-email', { body: { username } });
      for (const name of [waiting.username, 'nobody-waits-here']) {
        const statuses = [];
        for (let time = 0; time < 5; time += 1) statuses.push((await resend(name.toUpperCase())).status);
        expect(statuses).toEqual([200, 200, 200, 429, 429]);
      }
      const mailbox = `jadwiga-${waiting.username}`;
      const statuses = [];
      for (let time = 0; time < 7; time += 1) {
        const body = registration({ email: `${mailbox}+${time}@People.example` });
        statuses.push((await server.call('POST', 'Account/register', { body })).status);
      }
      expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429]);
      server.clock.forward(HOUR / 4);
      expect((await resend(waiting.username)).status).toBe(200);
    });
  });

  describe('signing in', () => {
    // spec 7.4
    it('works by username or email address, whatever their case', async () => {
      const account = await confirmed();
      for (const name of [account.username, account.username.toUpperCase(), account.email.toUpperCase()]) {
        const { status, body } = await login(name);
        expect(status).toBe(200);
        expect(signedInUserSchema.parse(body)).toMatchObject({ id: account.id, username: account.username });
      }
    });

    it('says the same to an unknown name and a wrong password', async () => {
      const account = await confirmed();
      const wrong = await login(account.username, 'Wrong#2026');
      const unknown = await login('nobody-of-that-name', 'Wrong#2026');
      expect([wrong.status, wrong.body.code]).toEqual([401, 'WrongCredentials']);
      expect({ ...unknown.body, correlationId: '' }).toEqual({ ...wrong.body, correlationId: '' });
    });

    it('tells of the missing confirmation only to who knows the password', async () => {
      const account = await register();
      const wrong = await login(account.username, 'Wrong#2026');
      expect([wrong.status, wrong.body.code]).toEqual([401, 'WrongCredentials']);
      const right = await login(account.username);
      expect([right.status, right.body.code]).toEqual([403, 'EmailNotConfirmed']);
    });

    it('stops guessing after ten wrong passwords, also when they come at once', async () => {
      const account = await confirmed();
      const answers = await Promise.all(
        Array.from({ length: 14 }, () => login(account.username, 'Wrong#2026')),
      );
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
      const refused = await login(account.username.toUpperCase());
      expect([refused.status, refused.body.code]).toEqual([429, 'TooManyAttempts']);
      const seconds = Number(refused.headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(850);
      expect(seconds).toBeLessThanOrEqual(900);
      server.clock.forward(HOUR / 4);
      expect((await login(account.username)).status).toBe(200);
    });
  });

  describe('sessions', () => {
    it('show the caller their profile', async () => {
      const { account, token } = await signedIn();
      const { status, body } = await server.call('GET', 'User/profile', { token });
      expect(status).toBe(200);
      expect(readerSchema.parse(body)).toMatchObject({
        id: account.id,
        userName: account.username,
        fullname: 'Zofia Wiśniewska',
        dateOfBirth: '1990-04-12',
        roles: ['Reader'],
      });
      expect(JSON.stringify(body)).not.toContain('argon2');
    });

    const profile = (token: string | undefined) => server.call('GET', 'User/profile', { token });

    const endSessions = (id: string, token: string) =>
      server.call('POST', `User/end-sessions?id=${id}`, { token });

    it('end at once when their owner ends them, and nobody else’s do', async () => {
      const { account, token } = await signedIn();
      const { account: other, token: othersToken } = await signedIn();
      expect((await server.call('GET', 'User/profile', { token })).status).toBe(200);
      expect((await endSessions(other.id, token)).body.code).toBe('NotAllowed');
      expect((await endSessions(account.id, token)).status).toBe(200);
      expect((await server.call('GET', 'User/profile', { token: othersToken })).status).toBe(200);
      const refused = await server.call('GET', 'User/profile', { token });
      expect([refused.status, refused.body.code]).toEqual([401, 'SessionEnded']);
      const again = await login(account.username);
      expect((await server.call('GET', 'User/profile', { token: again.body.token })).status).toBe(200);
    });

    it('end also when another process revokes them', async () => {
      const { account, token } = await signedIn();
      const other = await startTestServer(testDatabase.url, [AccountsModule]);
      try {
        expect((await other.call('GET', 'User/profile', { token })).status).toBe(200);
        expect((await endSessions(account.id, token)).status).toBe(200);
        await waitFor(async () => (await other.call('GET', 'User/profile', { token })).status === 401);
      } finally {
        await other.stop();
      }
    });

    it('have the roles that the account has now', async () => {
      const { account, token } = await signedIn();
      expect((await server.call('GET', 'doors/admins', { token })).body.code).toBe('NotAllowed');
      await setRoles(account.id, ['Admin', 'Reader', 'Admin'], librarian);
      expect((await server.call('GET', 'doors/admins', { token })).status).toBe(200);
      const { body } = await server.call('GET', 'User/profile', { token });
      expect(body.roles).toEqual(['Reader', 'Admin']);
      await setRoles(account.id, ['Reader'], librarian);
      expect((await server.call('GET', 'doors/admins', { token })).status).toBe(403);
    });

    it('carry one role as a value and several as a list', async () => {
      const { account, token } = await signedIn();
      expect(claimsOf(token)).toMatchObject({ role: 'Reader', sub: account.id, iss: 'lectern', session: 1 });
      await setRoles(account.id, ['Reader', 'Auditor'], librarian);
      const again = await login(account.username);
      expect(claimsOf(again.body.token).role).toEqual(['Reader', 'Auditor']);
    });

    it('end when their owner logs out, and so does nothing else of theirs', async () => {
      const { account, token } = await signedIn();
      const { body: elsewhere } = await login(account.username);
      expect((await server.call('POST', 'Account/logout', { token })).status).toBe(200);
      for (const path of ['User/profile', 'Account/sessions']) {
        const refused = await server.call('GET', path, { token });
        expect([refused.status, refused.body.code]).toEqual([401, 'SessionEnded']);
      }
      expect((await profile(elsewhere.token)).status).toBe(200);
    });

    it('are listed for their owner, and end one by one or all but their own', async () => {
      const { account, token } = await signedIn();
      const { token: strangers } = await signedIn();
      const others: string[] = [];
      for (let device = 0; device < 3; device += 1) {
        server.clock.forward(1000);
        others.push(String((await login(account.username)).body.token));
      }
      const list = async () =>
        listSessions.answer.parse((await server.call('GET', 'Account/sessions', { token })).body);
      const listed = await list();
      expect(listed).toHaveLength(4);
      expect(listed.map(({ current }) => current)).toEqual([true, false, false, false]);
      expect(listed[1]).toMatchObject({ id: claimsOf(others[2] ?? '').sid, network: 'this machine' });
      expect(JSON.stringify(listed)).not.toMatch(/127\.0\.0\.1|::1/);

      const one = claimsOf(others[0] ?? '').sid as string;
      const end = (by: string) => server.call('DELETE', `Account/sessions/${one}`, { token: by });
      const notTheirs = await end(strangers);
      expect([notTheirs.status, notTheirs.body.code]).toEqual([404, 'NotFound']);
      expect((await profile(others[0])).status).toBe(200);
      expect((await end(token)).status).toBe(200);
      expect((await profile(others[0])).body.code).toBe('SessionEnded');
      expect((await end(token)).body.code).toBe('NotFound');
      expect((await profile(others[1])).status).toBe(200);

      expect((await server.call('POST', 'Account/sessions/end-others', { token })).status).toBe(200);
      for (const other of others) expect((await profile(other)).body.code).toBe('SessionEnded');
      expect((await profile(token)).status).toBe(200);
      expect((await profile(strangers)).status).toBe(200);
      expect((await list()).map(({ current }) => current)).toEqual([true]);
    });

    it('end when nobody uses them: those of staff after an hour, a reader’s after four', async () => {
      const reader = await signedIn();
      const staff = await signedIn();
      await setRoles(staff.account.id, ['Auditor'], librarian);
      const [used, unused, looking] = await Promise.all(
        [0, 1, 2].map(async () => String((await login(staff.account.username)).body.token)),
      );
      for (let minutes = 0; minutes < 120; minutes += 40) {
        server.clock.forward((40 / 60) * HOUR);
        // A page that looks for news by itself is no use.
        await server.call('GET', 'User/profile', { token: looking, headers: { [UNATTENDED_HEADER]: '1' } });
        expect((await profile(used)).status).toBe(200);
      }
      await waitFor(async () => {
        const { rows } = await server.database.query('select last_used from session where id = $1', [
          claimsOf(used ?? '').sid,
        ]);
        return rows[0].last_used > new Date(server.clock.now().getTime() - 60_000);
      });
      for (const token of [unused, looking]) expect((await profile(token)).body.code).toBe('SessionEnded');
      expect((await profile(reader.token)).status).toBe(200);
      server.clock.forward(4 * HOUR + 61_000);
      expect((await profile(reader.token)).body.code).toBe('SessionEnded');

      await server.app.get(SessionSweep).sweep();
      const { rows } = await server.database.query('select id from session where account_id = any($1)', [
        [reader.account.id, staff.account.id],
      ]);
      expect(rows).toEqual([]);
    });

    it('cannot begin with a password that was changed meanwhile', async () => {
      const { account } = await signedIn();
      const sessions = server.app.get(Sessions);
      const read = await server.dataSource.manager.findOneOrFail(AccountEntity, {
        where: { id: account.id },
        select: { id: true, username: true, roles: true, session: true, passwordHash: true },
      });
      await inTransaction(server.dataSource, (manager) =>
        setPassword(manager, {
          accountId: account.id,
          passwordHash: 'another hash',
          at: server.clock.now(),
          correlationId: 'test',
        }),
      );
      await expect(
        sessions.start(read, { device: '', network: '', source: { address: '', browser: '' } }),
      ).rejects.toMatchObject({
        code: 'WrongCredentials',
      });
    });

    it('run out after eight hours, known to the cache or not', async () => {
      const [known, unknown] = [await signedIn(), await signedIn()];
      expect((await profile(known.token)).status).toBe(200);
      const { expiresAt } = await server.app.get(Sessions).verify(known.token);
      expect(expiresAt.getTime() - server.clock.now().getTime()).toBeGreaterThan(7.9 * HOUR);
      server.clock.forward(8 * HOUR);
      for (const { token } of [known, unknown]) {
        const answer = await server.call('GET', 'User/profile', { token });
        expect([answer.status, answer.body.code]).toEqual([401, 'SessionEnded']);
      }
    });

    it('go on where the secret was changed, and new ones are signed with the new one', async () => {
      const { token } = await signedIn();
      const begunBefore = await new SignJWT(claimsOf(token))
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .sign(key(EARLIER));
      expect((await profile(begunBefore)).status).toBe(200);
      const currentDate = server.clock.now();
      await expect(jwtVerify(token, key(SECRET), { currentDate })).resolves.toBeDefined();
      await expect(jwtVerify(token, key(EARLIER), { currentDate })).rejects.toThrow('signature');
    });

    it('cannot be forged', async () => {
      const { token } = await signedIn();
      const { iss: _issuer, ...claims } = claimsOf(token);
      const [header, , signature] = token.split('.');
      const admin = Buffer.from(JSON.stringify({ ...claims, iss: 'lectern', role: 'Admin' })).toString(
        'base64url',
      );
      const forged = {
        'no signature': new UnsecuredJWT(claims).setIssuer('lectern').encode(),
        'another secret': await new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256' })
          .setIssuer('lectern')
          .sign(key('another-secret-another-secret-another-secret')),
        'another issuer': await new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256' })
          .setIssuer('elsewhere')
          .sign(key(SECRET)),
        'another algorithm': await new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS512' })
          .setIssuer('lectern')
          .sign(key(SECRET.repeat(2))),
        'without expiry': await new SignJWT({ ...claims, exp: undefined })
          .setProtectedHeader({ alg: 'HS256' })
          .setIssuer('lectern')
          .sign(key(SECRET)),
        'changed claims': `${header}.${admin}.${signature}`,
        nonsense: 'nonsense',
      };
      const answers = await Promise.all(
        Object.entries(forged).map(async ([name, each]) => {
          const { status, body } = await server.call('GET', 'User/profile', { token: each });
          return [name, status, body.code];
        }),
      );
      expect(answers).toEqual(Object.keys(forged).map((name) => [name, 401, 'NotSignedIn']));
    });
  });

  describe('changing the password while signed in', () => {
    const NEXT = 'Zielony#Krokodyl9';
    const change = (token: string, currentPassword: string, newPassword: string) =>
      server.call('POST', 'Account/change-password', { token, body: { currentPassword, newPassword } });
    const status = async (token: string) => (await server.call('GET', 'User/profile', { token })).status;

    it('takes the present one, ends all other sessions and links, and tells by letter', async () => {
      const { account, token } = await signedIn();
      const elsewhere = String((await login(account.username)).body.token);
      const link = await inTransaction(server.dataSource, (transaction) =>
        makeLinkToken(transaction, account.id, 'reset-password', server.clock.now()),
      );
      expect((await change(token, TEST_PASSWORD, NEXT)).status).toBe(200);
      expect([await status(token), await status(elsewhere)]).toEqual([200, 401]);
      expect((await login(account.username)).body.code).toBe('WrongCredentials');
      expect((await login(account.username, NEXT)).status).toBe(200);
      const reset = await server.call('POST', 'Account/reset-password', {
        body: { email: account.email, token: link, newPassword: TEST_PASSWORD },
      });
      expect(reset.body.code).toBe('LinkInvalid');
      const { rows } = await server.database.query(
        `select data from letters.letter where kind = 'password-changed' and account_id = $1`,
        [account.id],
      );
      expect(rows).toMatchObject([{ data: { elsewhere: true } }]);
    });

    it('refuses a wrong present one, the same again, and one against the rules, each under its field', async () => {
      const { token } = await signedIn();
      const answers = [
        await change(token, 'Wrong#2026', NEXT),
        await change(token, TEST_PASSWORD, TEST_PASSWORD),
        await change(token, TEST_PASSWORD, 'short'),
      ];
      expect(answers.map(({ status: code, body }) => [code, Object.keys(body.errors)])).toEqual([
        [400, ['currentPassword']],
        [400, ['newPassword']],
        [400, ['newPassword']],
      ]);
      expect(await status(token)).toBe(200);
    });

    it('lets nobody who found a device open guess the present one', async () => {
      const { token } = await signedIn();
      const answers = await Promise.all(
        Array.from({ length: 13 }, (_, each) => change(token, `Wrong#${each}`, NEXT)),
      );
      expect(answers.filter(({ status: code }) => code === 400)).toHaveLength(10);
      expect(answers.filter(({ status: code }) => code === 429)).toHaveLength(3);
      server.clock.forward(HOUR / 4);
    });

    it('is told beforehand that a password is weak, and for whom', async () => {
      const check = async (password: string, owner: object = {}) =>
        (await server.call('POST', 'Account/check-password', { body: { password, ...owner } })).body;
      expect(await check('Password1!')).toEqual({ weakness: m.password_too_common(), refused: false });
      expect(await check('Zielony#Krokodyl9')).toEqual({ weakness: null, refused: false });
      expect(await check('Zielony#Krokodyl9', { username: 'krokodyl' })).toMatchObject({
        weakness: m.password_with_own_name(),
      });
    });
  });

  describe('the guard', () => {
    it('refuses a call that no handler allows, to anybody', async () => {
      const { account } = await signedIn();
      await setRoles(account.id, ['Reader', 'Admin', 'Auditor'], librarian);
      const { body } = await login(account.username);
      const answer = await server.call('GET', 'doors/forgotten', { token: body.token });
      expect([answer.status, answer.body.code]).toEqual([403, 'NotAllowed']);
      expect((await server.call('GET', 'doors/forgotten')).status).toBe(401);
    });

    it('asks who calls, unless everybody may', async () => {
      const answer = await server.call('GET', 'doors/admins');
      expect([answer.status, answer.body.code]).toEqual([401, 'NotSignedIn']);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect((await server.call('GET', 'doors/everybody')).status).toBe(200);
    });
  });

  it('records who signed in and what was refused, with a source that names nobody', async () => {
    const account = await confirmed();
    const since = server.log.length;
    await login(account.username, 'Wrong#2026');
    const { body } = await login(account.username);
    await server.call('GET', 'User', { token: body.token });
    await server.call('GET', 'User?search=nobody');
    const lines = server.log
      .slice(since)
      .map((line) => JSON.parse(line))
      .filter(({ security }) => security);
    expect(lines.map(({ msg, code, call, accountId }) => [msg, code, call, accountId])).toEqual([
      ['security: refused', 'WrongCredentials', 'POST /api/Account/login', undefined],
      ['security: signed in', undefined, 'POST /api/Account/login', body.id],
      ['security: refused', 'NotAllowed', 'GET /api/User', body.id],
      ['security: refused', 'NotSignedIn', 'GET /api/User', undefined],
    ]);
    expect(new Set(lines.map(({ source }) => source)).size).toBe(1);
    expect(lines[0].source).toMatch(/^[\w-]{16}$/);
    expect(JSON.stringify(lines)).not.toContain('127.0.0.1');
  });

  it('logs no secret and nothing personal, not even of an error nobody foresaw', async () => {
    const account = await register();
    const { token } = await signedIn();
    await server.database.query('alter table account rename column adress to moved');
    try {
      const body = registration();
      const broken = await server.call('POST', 'Account/register', { body });
      expect(broken.status).toBe(500);
      expect(JSON.stringify(broken.body)).not.toContain('moved');
      expect((await server.call('GET', 'User/profile', { token })).status).toBe(500);
      const lines = server.log.join('');
      expect(lines).toContain('a request failed unexpectedly');
      for (const secret of [body.email, body.lastname, account.email, TEST_PASSWORD, token, 'argon2id$']) {
        expect(lines).not.toContain(secret);
      }
    } finally {
      await server.database.query('alter table account rename column moved to adress');
    }
  });
});

function claimsOf(token: string) {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}
