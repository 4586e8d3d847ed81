import { randomBytes } from 'node:crypto';
import { Secret } from 'otpauth';
import type { ResolvedSettings } from '#platform/settings.js';
import { accountSteps } from '../../../test-support/product/account-steps.js';
import type { Answer } from '../../../test-support/product/caller.js';
import { addCodeApp, beginCodeApp } from '../../../test-support/product/code-app.js';
import { runCommand } from '../../../test-support/installation/command-line.js';
import { startProduct } from '../../../test-support/product/product.js';
import { TEST_PASSWORD } from '../../../test-support/product/registrations.js';
import { shared } from '../../../test-support/shared.js';
import { SoftwarePasskey } from '../../../test-support/browser/software-passkey.js';
import { TestClock } from '../../../test-support/test-clock.js';

const PAGE = { origin: 'https://library.example' };
const MINUTE = 60_000;
const WRONG = 'Wrong#2026';
const WRONG_CODE = '000000';

describe('second factors over HTTP', () => {
  const clock = new TestClock();
  const environment = { PUBLIC_URL: PAGE.origin, TRUST_PROXY: '1' };
  const product = shared(() => startProduct(clock, { environment, jobs: { rounds: false } }));

  /** What a browser does at one of the product's servers. */
  const stepsAt = (server: { url: string } = product) => {
    const { call, post: send, profile } = accountSteps(product, server);
    const post = (path: string, body: unknown, token?: string) => send(path, body, { token, headers: PAGE });
    const login = (username: string) => post('login', { username, password: TEST_PASSWORD });
    return {
      ...{ call, post, profile, login },
      ticketOf: async (username: string) => (await login(username)).body.secondFactor.ticket as string,
      giveCode: (ticket: string, code: string) => post('login/second-factor', { ticket, code }),
      confirm: (token: string) => post('confirm', { password: TEST_PASSWORD }, token),
    };
  };
  const { account, rows } = accountSteps(product);
  const { call, post, profile, login, ticketOf, giveCode, confirm } = stepsAt();

  /** Somebody who is signed in and has confirmed it. */
  async function signedIn() {
    const person = await account();
    const { body } = await login(person.username);
    expect((await confirm(body.token)).status).toBe(200);
    return { ...person, token: body.token as string };
  }

  async function withCodeApp() {
    const person = await signedIn();
    return { ...person, ...(await addCodeApp(product.url, person.token, clock)) };
  }

  async function withPasskey() {
    const person = await signedIn();
    const passkey = new SoftwarePasskey();
    const { ticket, options } = (await post('second-factor/passkeys/options', {}, person.token)).body;
    const made = { ticket, name: 'Phone', passkey: passkey.made(options.challenge, PAGE) };
    const added = await post('second-factor/passkeys', made, person.token);
    expect(added.status).toBe(201);
    return { ...person, passkey, recoveryCodes: added.body.recoveryCodes as string[] };
  }

  const told = ({ status, body }: Answer) => [status, body.code];
  const stateOf = async (token: string) => (await call('GET', 'Account/second-factor', { token })).body;
  const lettersTo = async (accountId: string) => {
    const changes = await rows<{ change: string }>(
      `select data ->> 'change' as change from letters.letter where kind = 'second-factor-changed'
         and account_id = $1 order by caused_at`,
      accountId,
    );
    return changes.map(({ change }) => change);
  };

  describe('a code app', () => {
    it('counts once its first code was given, and is asked for at the next login', async () => {
      const person = await signedIn();
      const app = await beginCodeApp(product.url, person.token, clock);
      expect(app.uri).toContain(app.secret);
      expect(app.qr).toMatch(/^<svg /);
      expect((await login(person.username)).body.token).toBeDefined();
      expect(told(await app.confirm(WRONG_CODE))).toEqual([400, 'ProofRefused']);
      const { body } = await app.confirm(await app.code());
      expect(body.recoveryCodes).toHaveLength(10);

      const asked = await login(person.username);
      expect(asked.status).toBe(200);
      expect(asked.body).toEqual({
        secondFactor: {
          ticket: expect.any(String),
          methods: ['code', 'recoveryCode'],
          expiresAt: expect.any(String),
        },
      });
      expect(await lettersTo(person.id)).toEqual(['code-app-added']);
    });

    it('ends the sessions that were begun without it, and keeps the one in which it was added', async () => {
      const person = await account();
      const other = (await login(person.username)).body.token as string;
      const mine = (await login(person.username)).body.token as string;
      await addCodeApp(product.url, mine, clock);
      expect((await profile(other)).body.code).toBe('SessionEnded');
      expect((await profile(mine)).status).toBe(200);
    });

    it('lets in with each code once, the ticket once, and within five minutes', async () => {
      const { username, code } = await withCodeApp();
      const [given, ticket] = [await code(), await ticketOf(username)];
      const { status, body } = await giveCode(ticket, given);
      expect([status, body.username]).toEqual([200, username]);
      expect(told(await giveCode(await ticketOf(username), given))).toEqual([400, 'ProofRefused']);
      expect((await giveCode(ticket, await code())).body.code).toBe('TicketInvalid');
      const late = await ticketOf(username);
      await clock.forward(5 * MINUTE);
      expect((await giveCode(late, await code())).body.code).toBe('TicketInvalid');
    });

    it.each([
      ['change-password', { currentPassword: TEST_PASSWORD, newPassword: 'Zielony#Krokodyl9' }],
      ['sessions/end-others', {}],
    ])('lets nobody in who was half-way in at %s', async (path, body) => {
      const { username, token, code } = await withCodeApp();
      const ticket = await ticketOf(username);
      expect((await post(path, body, token)).status).toBe(200);
      expect((await giveCode(ticket, await code())).body.code).toBe('TicketInvalid');
    });

    it('lets in one of two who give the same code at once', async () => {
      const { username, code } = await withCodeApp();
      const tickets = [await ticketOf(username), await ticketOf(username)];
      const given = await code();
      const answers = await Promise.all(tickets.map((ticket) => giveCode(ticket, given)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    });

    it('is removed with its recovery codes, and the password alone does again', async () => {
      const person = await withCodeApp();
      await call('DELETE', 'Account/second-factor/code-app', { token: person.token });
      expect((await login(person.username)).body.token).toBeDefined();
      expect(await stateOf(person.token)).toMatchObject({ codeAppSince: null, recoveryCodesLeft: 0 });
      expect(await lettersTo(person.id)).toEqual(['code-app-added', 'code-app-removed']);
    });

    it('is stored so that neither the database nor the log holds its secret or a code', async () => {
      const { id, secret, recoveryCodes } = await withCodeApp();
      const plain = Buffer.from(Secret.fromBase32(secret).buffer).toString('hex');
      const kept = await rows(
        `select encode(secret, 'hex') as kept from totp where account_id = $1
         union all select encode(digest, 'hex') from recovery_code where account_id = $1`,
        id,
      );
      expect(kept).toHaveLength(11);
      const everything = JSON.stringify(kept) + (await product.lines()).join('');
      for (const word of [plain, secret, ...recoveryCodes]) expect(everything).not.toContain(word);
    });

    it('survives a change of the secrets, as long as one start knows both', async () => {
      const { username, code } = await withCodeApp();
      const [before, after, own] = ['a', 'b', 'c'].map((each) => each.repeat(44)) as [string, string, string];
      const { JWT_SECRET } = product.settings;
      const answerWith = async (changes: Partial<ResolvedSettings>) => {
        const there = stepsAt(await product.startServer(changes));
        return (await there.giveCode(await there.ticketOf(username), await code())).status;
      };
      expect(await answerWith({ JWT_SECRET: after })).toBe(503);
      expect(await answerWith({ JWT_SECRET: after, JWT_SECRET_PREVIOUS: [JWT_SECRET] })).toBe(200);
      expect(await answerWith({ JWT_SECRET: after, SECOND_FACTOR_SECRET: own })).toBe(200);
      expect(await answerWith({ JWT_SECRET: before, SECOND_FACTOR_SECRET: own })).toBe(200);
    });

    it('is no use to another account, even with its row', async () => {
      const [victim, thief] = [await withCodeApp(), await withCodeApp()];
      await rows(
        `update totp set secret = thief.secret, key_id = thief.key_id, last_step = null
         from totp thief where totp.account_id = $1 and thief.account_id = $2`,
        ...[victim.id, thief.id],
      );
      const answer = await giveCode(await ticketOf(victim.username), await thief.code());
      expect(told(answer)).toEqual([503, 'SecretUnreadable']);
    });
  });

  describe('recovery codes', () => {
    it('let in once each, however they are typed, and their use is told', async () => {
      const { id, username, recoveryCodes } = await withCodeApp();
      const [first = ''] = recoveryCodes;
      const give = async (recoveryCode: string) =>
        post('login/second-factor', { ticket: await ticketOf(username), recoveryCode });
      const { body } = await give(first.toUpperCase().replaceAll('-', ' '));
      expect((await stateOf(body.token)).recoveryCodesLeft).toBe(9);
      expect(told(await give(first))).toEqual([400, 'ProofRefused']);
      expect(await lettersTo(id)).toEqual(['code-app-added', 'recovery-code-used']);
    });

    it('are worth nothing once new ones were made', async () => {
      const { username, token, recoveryCodes } = await withCodeApp();
      const { status, body } = await post('second-factor/recovery-codes', {}, token);
      expect([status, body.recoveryCodes.length]).toEqual([201, 10]);
      const give = async (recoveryCode: string) =>
        (await post('login/second-factor', { ticket: await ticketOf(username), recoveryCode })).status;
      expect([await give(recoveryCodes[1] ?? ''), await give(body.recoveryCodes[1])]).toEqual([400, 200]);
    });
  });

  describe('a passkey', () => {
    type Page = Parameters<SoftwarePasskey['proof']>[1];
    const signInBy = async (passkey: SoftwarePasskey, page: Page = PAGE) => {
      const { ticket, options } = (await post('login/passkey-options', {})).body;
      expect(options.userVerification).toBe('required');
      return post('login/passkey', { ticket, passkey: passkey.proof(options.challenge, page) });
    };

    it('signs in alone, and as the second factor', async () => {
      const { id, username, passkey, recoveryCodes } = await withPasskey();
      expect(recoveryCodes).toHaveLength(10);
      passkey.counter = 1;
      expect((await signInBy(passkey)).body).toMatchObject({ id, username });

      const asked = (await login(username)).body.secondFactor;
      expect(asked.methods).toEqual(['passkey', 'recoveryCode']);
      const { body } = await post('login/passkey-options', { ticket: asked.ticket });
      expect(body.options.allowCredentials).toHaveLength(1);
      passkey.counter = 2;
      const proof = passkey.proof(body.options.challenge, PAGE);
      expect((await post('login/second-factor', { ticket: asked.ticket, passkey: proof })).body.id).toBe(id);
    });

    it('has to be this page’s, verified by its person, with a challenge of ours that it signs once', async () => {
      const { passkey } = await withPasskey();
      for (const page of [
        { origin: 'https://libraty.example', rpId: 'library.example' },
        { ...PAGE, rpId: 'libraty.example' },
        { ...PAGE, verified: false },
      ])
        expect((await signInBy(passkey, page)).body.code).toBe('ProofRefused');
      const { body } = await post('login/passkey-options', {});
      const invented = passkey.proof(randomBytes(32).toString('base64url'), PAGE);
      const with_ = (proof: unknown) => post('login/passkey', { ticket: body.ticket, passkey: proof });
      expect((await with_(invented)).body.code).toBe('ProofRefused');
      // The wrong answer used the challenge up.
      expect((await with_(passkey.proof(body.options.challenge, PAGE))).body.code).toBe('TicketInvalid');
      expect((await signInBy(passkey)).status).toBe(200);
    });

    it('is refused where its counter goes back, as that of a copy does', async () => {
      const { passkey } = await withPasskey();
      for (const [counter, answer] of [
        [7, 200],
        [6, 400],
        [8, 200],
      ] as const) {
        passkey.counter = counter;
        expect((await signInBy(passkey)).status).toBe(answer);
      }
    });

    it('is not another’s, nor is its ticket', async () => {
      const [victim, thief] = [await withPasskey(), await withPasskey()];
      const asked = (await login(victim.username)).body.secondFactor;
      const { body } = await post('login/passkey-options', { ticket: asked.ticket });
      const proof = thief.passkey.proof(body.options.challenge, PAGE);
      const stolen = await post('login/second-factor', { ticket: asked.ticket, passkey: proof });
      expect(stolen.body.code).toBe('ProofRefused');

      const begun = (await post('second-factor/passkeys/options', {}, victim.token)).body;
      const made = new SoftwarePasskey().made(begun.options.challenge, PAGE);
      const added = { ticket: begun.ticket, name: 'Mine', passkey: made };
      const { token } = thief;
      expect((await post('second-factor/passkeys', added, token)).body.code).toBe('TicketInvalid');
      const path = `Account/second-factor/passkeys/${made.id}`;
      expect((await call('PUT', path, { body: { name: 'Mine' }, token })).status).toBe(404);
    });

    it('is listed by its name, renamed and removed', async () => {
      const { id, username, token } = await withPasskey();
      const [listed] = (await stateOf(token)).passkeys;
      expect(listed).toMatchObject({ name: 'Phone', lastUsed: null });
      const path = `Account/second-factor/passkeys/${listed.id}`;
      expect((await call('PUT', path, { body: { name: ' Blue key ' }, token })).status).toBe(200);
      expect((await stateOf(token)).passkeys[0].name).toBe('Blue key');
      expect((await call('DELETE', path, { token })).status).toBe(200);
      expect((await login(username)).body.token).toBeDefined();
      expect(await lettersTo(id)).toEqual(['passkey-added', 'passkey-removed']);
    });

    it('is possible at the address of the installation alone, and at localhost by that name', async () => {
      const from = async (headers: Record<string, string>, at = { call }) => {
        const { body } = await at.call('POST', 'Account/login/passkey-options', { body: {}, headers });
        return body.code ?? body.options.rpId;
      };
      expect(await from(PAGE)).toBe('library.example');
      expect(await from({ origin: 'http://localhost:3000' })).toBe('PasskeysImpossible');
      expect(await from({})).toBe('PasskeysImpossible');
      const local = await product.startServer({ PUBLIC_URL: undefined });
      const { port } = new URL(local.url);
      for (const host of ['127.0.0.1', 'localhost'])
        expect(await from({ origin: `http://${host}:${port}` }, stepsAt(local))).toBe('PasskeysImpossible');
    });
  });

  describe('asking again', () => {
    it('comes before roles are given and second factors change, and lasts ten minutes', async () => {
      const person = await account();
      const { token } = (await login(person.username)).body;
      const begin = () => post('second-factor/code-app', {}, token);
      expect(told(await begin())).toEqual([403, 'ConfirmationNeeded']);
      const wrong = await post('confirm', { password: WRONG }, token);
      expect(told(wrong)).toEqual([400, 'ProofRefused']);
      expect((await begin()).status).toBe(403);
      expect((await confirm(token)).status).toBe(200);
      // From several windows at once too: the last one counts.
      const begun = await Promise.all([begin(), begin(), begin()]);
      expect(begun.map(({ status }) => status)).toEqual([201, 201, 201]);
      await clock.forward(10 * MINUTE + 1);
      expect((await begin()).status).toBe(403);

      const { token: admin } = (await login((await account('Admin')).username)).body;
      const give = () =>
        call('PUT', `User/roles?id=${person.id}`, { body: { roles: ['Auditor'] }, token: admin });
      expect((await give()).body.code).toBe('ConfirmationNeeded');
      await confirm(admin);
      expect((await give()).body.roles).toEqual(['Reader', 'Auditor']);
    });

    it('is for one session, and by code or passkey too', async () => {
      const { username, token, code } = await withCodeApp();
      const other = (await giveCode(await ticketOf(username), await code())).body.token;
      await clock.forward(11 * MINUTE);
      expect((await post('confirm', { code: await code() }, token)).status).toBe(200);
      expect((await post('second-factor/recovery-codes', {}, token)).status).toBe(201);
      expect((await post('second-factor/recovery-codes', {}, other)).status).toBe(403);

      const owner = await withPasskey();
      await clock.forward(11 * MINUTE);
      const asked = (await post('confirm/passkey-options', {}, owner.token)).body;
      const passkey = { ticket: asked.ticket, passkey: owner.passkey.proof(asked.options.challenge, PAGE) };
      expect((await post('confirm', { passkey }, owner.token)).status).toBe(200);
      expect((await post('confirm', { passkey }, owner.token)).body.code).toBe('TicketInvalid');
    });

    it('stops who tries passwords in somebody’s session', async () => {
      const { token } = await signedIn();
      for (let guess = 0; guess < 8; guess++) await post('confirm', { password: WRONG }, token);
      expect((await confirm(token)).status).toBe(429);
    });
  });

  describe('STAFF_MFA=required', () => {
    const strictServer = shared(() => product.startServer({ STAFF_MFA: 'required' }));
    const strict = stepsAt(strictServer);
    const refusalOf = async (token: string) => (await strict.profile(token)).body.code;

    it.each(['Admin', 'Auditor'])('opens nothing but adding one to an %s without', async (role) => {
      const { username } = await account('Reader', role);
      const { token, mustAddSecondFactor } = (await strict.login(username)).body;
      expect(mustAddSecondFactor).toBe(true);
      for (const path of ['User/profile', 'User', 'Borrow/history', 'Account/sessions']) {
        const { body } = await strict.call('GET', path, { token });
        expect([path, body.code]).toEqual([path, 'SecondFactorRequired']);
      }
      const state = await strict.call('GET', 'Account/second-factor', { token });
      expect(state.body).toMatchObject({ required: true, codeAppSince: null });

      await addCodeApp(strictServer.url, token, clock);
      expect(await refusalOf(token)).toBeUndefined();
      await strict.call('DELETE', 'Account/second-factor/code-app', { token });
      expect(await refusalOf(token)).toBe('SecondFactorRequired');
    });

    it('asks nothing of readers', async () => {
      const { username } = await account();
      expect(await refusalOf((await strict.login(username)).body.token)).toBeUndefined();
    });
  });

  it('are taken off by the command line, which ends the sessions and tells the owner', async () => {
    const { id, username, token } = await withCodeApp();
    const ticket = await ticketOf(username);
    const { DATABASE_URL, EVENTSTORE_URL } = product.settings;
    const { code } = await runCommand('reset-second-factor', [username], { DATABASE_URL, EVENTSTORE_URL });
    expect(code).toBe(0);
    expect((await giveCode(ticket, WRONG_CODE)).body.code).toBe('TicketInvalid');
    expect((await login(username)).body.token).toBeDefined();
    expect((await profile(token)).status).toBe(401);
    // The command line has the real time.
    expect((await lettersTo(id)).toSorted()).toEqual(['code-app-added', 'reset']);
  });

  it('go when the account does', async () => {
    const { id } = await withCodeApp();
    await rows('delete from account where id = $1', id);
    const left = await rows(
      'select from totp where account_id = $1 union all select from recovery_code where account_id = $1',
      id,
    );
    expect(left).toEqual([]);
  });

  it('change no login of an account that has none', async () => {
    const { id, username } = await account();
    const { body } = await login(username);
    expect(Object.keys(body).sort()).toEqual([
      ...['expiresAt', 'id', 'language', 'permissions', 'roles', 'token', 'username'],
    ]);
    expect(body.id).toBe(id);
  });
});
