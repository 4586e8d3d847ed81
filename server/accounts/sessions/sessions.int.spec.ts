import { jwtVerify, SignJWT } from 'jose';
import { io } from 'socket.io-client';
import { listSessions } from '#contracts/accounts/account-calls.js';
import { UNATTENDED_HEADER } from '#contracts/accounts/account-requests.js';
import { signedInUserSchema } from '#contracts/accounts/account-views.js';
import { hashPassword } from '../passwords/passwords.js';
import { accountSteps } from '../../../test-support/product/account-steps.js';
import type { Answer } from '../../../test-support/product/caller.js';
import { whileLocked } from '../../../test-support/database/locked.js';
import { startProduct } from '../../../test-support/product/product.js';
import { registration, TEST_PASSWORD } from '../../../test-support/product/registrations.js';
import { shared } from '../../../test-support/shared.js';
import { TestClock } from '../../../test-support/test-clock.js';
import { tokenTricks } from '../../../test-support/product/token-tricks.js';
import { waitFor } from '../../../test-support/wait-for.js';

const HOUR = 3_600_000;
const WRONG = 'Wrong#2026';
/** What the secret of sessions was before it was changed. */
const EARLIER = 'the-secret-of-tests-before-it-was-changed-to-that';
/** Minutes. */
const IDLE = { SESSION_IDLE_MINUTES: 240, STAFF_SESSION_IDLE_MINUTES: 60 };

describe('signing in', () => {
  const clock = new TestClock();
  const product = shared(() =>
    startProduct(clock, {
      staySignedIn: true,
      environment: { JWT_SECRET_PREVIOUS: EARLIER },
      jobs: { rounds: false },
    }),
  );
  /** Another process of the installation, for which sessions end sooner when nobody uses them. */
  const other = shared(() => product.startServer(IDLE));
  const admin = shared(() => product.account('Admin'));
  const { account, call, login, post, profile, register, rows, signedIn } = accountSteps(product);
  const elsewhere = accountSteps(product, other);

  const told = ({ status, body }: Answer) => [status, body.code];
  const tokenOf = async (username: string) => (await login(username)).body.token as string;
  const setRoles = async (id: string, ...roles: string[]) =>
    expect((await admin.put(`User/roles?id=${id}`, { roles })).status).toBe(200);
  const endSessions = (id: string, token: string) => call('POST', `User/end-sessions?id=${id}`, { token });

  // spec 7.4
  it('works by username or email address, whatever their case', async () => {
    const { id, username, email } = await account();
    for (const name of [username, username.toUpperCase(), email.toUpperCase()]) {
      const { status, body } = await login(name);
      expect(status).toBe(200);
      expect(signedInUserSchema.parse(body)).toMatchObject({ id, username });
    }
  });

  it('says the same to an unknown name and a wrong password', async () => {
    const wrong = await login((await account()).username, WRONG);
    const unknown = await login('nobody-of-that-name', WRONG);
    expect(told(wrong)).toEqual([401, 'WrongCredentials']);
    expect({ ...unknown.body, correlationId: '' }).toEqual({ ...wrong.body, correlationId: '' });
  });

  it('tells of the missing confirmation only to who knows the password', async () => {
    const { username } = await register();
    expect(told(await login(username, WRONG))).toEqual([401, 'WrongCredentials']);
    expect(told(await login(username))).toEqual([403, 'EmailNotConfirmed']);
  });

  it('does not succeed with a password that is changed meanwhile', async () => {
    const { id, username } = await account();
    const another = await hashPassword('Another#2026');
    const change = `update account set password_hash = '${another}' where id = $1`;
    const answer = await whileLocked(product.database, [change, [id]], () => login(username));
    expect(told(answer)).toEqual([401, 'WrongCredentials']);
  });

  describe('begins a session that', () => {
    it('ends at once when its owner ends all of theirs, and nobody else’s does', async () => {
      const [owner, stranger] = [await signedIn(), await signedIn()];
      expect((await elsewhere.profile(owner.token)).status).toBe(200);
      expect((await profile(owner.token)).status).toBe(200);
      expect((await endSessions(stranger.id, owner.token)).body.code).toBe('NotAllowed');
      expect((await endSessions(owner.id, owner.token)).status).toBe(200);
      expect((await profile(stranger.token)).status).toBe(200);
      expect(told(await profile(owner.token))).toEqual([401, 'SessionEnded']);
      expect((await profile(await tokenOf(owner.username))).status).toBe(200);
      // Other processes learn it.
      await waitFor(async () => (await elsewhere.profile(owner.token)).status === 401);
    });

    it('carries one role as a value and several as a list', async () => {
      const { id, username, token } = await signedIn();
      expect(claimsOf(token)).toMatchObject({ role: 'Reader', sub: id, iss: 'lectern', session: 1 });
      await setRoles(id, 'Reader', 'Auditor');
      expect(claimsOf(await tokenOf(username)).role).toEqual(['Reader', 'Auditor']);
    });

    it('ends when its owner logs out, and nothing else of theirs does', async () => {
      const { username, token } = await signedIn();
      const second = await tokenOf(username);
      expect((await post('logout', {}, { token })).status).toBe(200);
      for (const path of ['User/profile', 'Account/sessions'])
        expect(told(await call('GET', path, { token }))).toEqual([401, 'SessionEnded']);
      expect((await profile(second)).status).toBe(200);
    });

    it('is listed for its owner, and ended with others, one by one or all but their own', async () => {
      const [{ username, token }, stranger] = [await signedIn(), await signedIn()];
      const others: string[] = [];
      for (let device = 0; device < 3; device += 1) {
        await clock.forward(1000);
        others.push(await tokenOf(username));
      }
      const list = async () =>
        listSessions.answer.parse((await call('GET', 'Account/sessions', { token })).body);
      const listed = await list();
      expect(listed.map(({ current }) => current)).toEqual([true, false, false, false]);
      expect(listed[1]).toMatchObject({ id: claimsOf(others[2] ?? '').sid, network: 'this machine' });
      expect(JSON.stringify(listed)).not.toMatch(/127\.0\.0\.1|::1/);

      const path = `Account/sessions/${claimsOf(others[0] ?? '').sid}`;
      const end = (by: string) => call('DELETE', path, { token: by });
      expect(told(await end(stranger.token))).toEqual([404, 'NotFound']);
      expect((await profile(others[0])).status).toBe(200);
      expect((await end(token)).status).toBe(200);
      expect((await profile(others[0])).body.code).toBe('SessionEnded');
      expect((await end(token)).body.code).toBe('NotFound');
      expect((await profile(others[1])).status).toBe(200);

      expect((await post('sessions/end-others', {}, { token })).status).toBe(200);
      for (const each of others) expect((await profile(each)).body.code).toBe('SessionEnded');
      expect((await profile(stranger.token)).status).toBe(200);
      expect((await list()).map(({ current }) => current)).toEqual([true]);
    });

    it('ends when nobody uses it: one of staff after an hour, a reader’s after four', async () => {
      const [reader, staff] = [await signedIn(), await account('Auditor')];
      const [used, unused, looking] = await Promise.all(
        [staff, staff, staff].map(({ username }) => tokenOf(username)),
      );
      const [token, headers] = [looking, { [UNATTENDED_HEADER]: '1' }];
      for (let minutes = 0; minutes < 120; minutes += 40) {
        await clock.forward((40 / 60) * HOUR);
        // A page that looks for news by itself is no use.
        await elsewhere.call('GET', 'User/profile', { token, headers });
        expect((await elsewhere.profile(used)).status).toBe(200);
      }
      await waitFor(async () => {
        const [session] = await rows<{ last_used: Date }>(
          'select last_used from session where id = $1',
          claimsOf(used ?? '').sid,
        );
        return session && session.last_used.getTime() > clock.now().getTime() - 60_000;
      });
      for (const each of [unused, looking])
        expect((await elsewhere.profile(each)).body.code).toBe('SessionEnded');
      expect((await elsewhere.profile(reader.token)).status).toBe(200);
      await clock.forward(4 * HOUR + 61_000);
      expect((await elsewhere.profile(reader.token)).body.code).toBe('SessionEnded');

      await product.removeEndedSessions(IDLE);
      expect(await rows('select from session where account_id = any($1)', [reader.id, staff.id])).toEqual([]);
    });

    it('runs out after eight hours, known to the cache or not', async () => {
      const [known, unknown] = [await signedIn(), await signedIn()];
      expect((await profile(known.token)).status).toBe(200);
      expect(claimsOf(known.token).exp * 1000 - clock.now().getTime()).toBeGreaterThan(7.9 * HOUR);
      await clock.forward(8 * HOUR);
      for (const { token } of [known, unknown])
        expect(told(await profile(token))).toEqual([401, 'SessionEnded']);
    });

    it('goes on where the secret was changed, and new ones are signed with the new one', async () => {
      const { token } = await signedIn();
      const begunBefore = await new SignJWT(claimsOf(token))
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .sign(key(EARLIER));
      expect((await profile(begunBefore)).status).toBe(200);
      const currentDate = clock.now();
      const { JWT_SECRET } = product.settings;
      await expect(jwtVerify(token, key(JWT_SECRET), { currentDate })).resolves.toBeDefined();
      await expect(jwtVerify(token, key(EARLIER), { currentDate })).rejects.toThrow('signature');
    });
  });

  describe('is not possible by a token that', () => {
    const owner = shared(() => product.account('Reader', 'Admin', 'Auditor'));
    const status = async (headers: Record<string, string>, path = 'User/profile') =>
      told(await call('GET', path, { headers }))
        .join(' ')
        .trim();
    const handshake = (token: string) =>
      new Promise<string>((resolve) => {
        const socket = io(product.url, { auth: { token }, transports: ['websocket'], reconnection: false });
        socket.once('hello', () => resolve('let in'));
        socket.once('connect_error', ({ message }) => resolve(message));
      });

    // spec 6.1
    it('is not the library’s, or not this person’s, at any call or live connection', async () => {
      const calls = ['User/profile', 'Dashboard/stats', 'Audit/readers'];
      const { token } = owner;
      for (const path of calls) expect(await status({ authorization: `Bearer ${token}` }, path)).toBe('200');
      const [secret, at] = [product.settings.JWT_SECRET, clock.now()];
      const tricks = Object.entries(
        tokenTricks({ token, secret, at, other: await product.account('Admin') }),
      );
      expect(tricks.length).toBeGreaterThan(35);
      const opened: string[] = [];
      for (const [trick, forged] of tricks) {
        const answers = await Promise.all([
          ...calls.map((path) => status({ authorization: `Bearer ${forged}` }, path)),
          handshake(forged),
        ]);
        for (const answer of answers)
          if (!/^(401 )?(NotSignedIn|SessionEnded)$/.test(answer)) opened.push(`${trick}: ${answer}`);
      }
      expect(opened).toEqual([]);
      expect(await status({ authorization: `Bearer ${token}` })).toBe('200');
    });

    it('stands elsewhere than in its header, or there twice', async () => {
      const { token } = owner;
      for (const headers of [
        { authorization: token },
        { authorization: `Basic ${token}` },
        { authorization: `Bearer ${token}, Bearer ${token}` },
        { authorization: `Bearer "${token}"` },
        { authorization: `Bearer ${token.replace('.', '%2E')}` },
        { 'x-authorization': `Bearer ${token}` },
        { cookie: `token=${token}; authorization=Bearer ${token}` },
      ] as Record<string, string>[])
        expect(await status(headers)).toBe('401 NotSignedIn');
      expect(await status({}, `User/profile?access_token=${token}&token=${token}`)).toBe('401 NotSignedIn');
    });
  });

  it('is recorded with what was refused, and a source that names nobody', async () => {
    const { id, username } = await account();
    const since = (await product.lines()).length;
    await login(username, WRONG);
    await call('GET', 'User', { token: await tokenOf(username) });
    const asGuest = await call('GET', 'User?search=nobody');
    expect(asGuest.headers.get('www-authenticate')).toBe('Bearer');
    const lines = (await product.lines())
      .slice(since)
      .map((line) => JSON.parse(line))
      .filter(({ security }) => security);
    expect(lines.map((line) => [line.msg, line.code, line.call, line.accountId])).toEqual([
      ['security: refused', 'WrongCredentials', 'POST /api/Account/login', undefined],
      ['security: signed in', undefined, 'POST /api/Account/login', id],
      ['security: refused', 'NotAllowed', 'GET /api/User', id],
      ['security: refused', 'NotSignedIn', 'GET /api/User', undefined],
    ]);
    expect(new Set(lines.map(({ source }) => source)).size).toBe(1);
    expect(lines[0].source).toMatch(/^[\w-]{16}$/);
    expect(JSON.stringify(lines)).not.toContain('127.0.0.1');
  });

  it('leaves no secret and nothing personal in the log, not even of an error nobody foresaw', async () => {
    const [waiting, { token }, body] = [await register(), await signedIn(), registration()];
    await product.database.query('alter table account rename column adress to moved');
    try {
      const broken = await post('register', body);
      expect(broken.status).toBe(500);
      expect(JSON.stringify(broken.body)).not.toContain('moved');
      expect((await profile(token)).status).toBe(500);
      const lines = (await product.lines()).join('');
      expect(lines).toContain('a request failed unexpectedly');
      for (const secret of [body.email, body.lastname, waiting.email, TEST_PASSWORD, token, 'argon2id$'])
        expect(lines).not.toContain(secret);
    } finally {
      await product.database.query('alter table account rename column moved to adress');
    }
  });
});

const key = (secret: string) => new TextEncoder().encode(secret);

function claimsOf(token: string) {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}
