import { randomBytes } from 'node:crypto';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { TOTP, Secret } from 'otpauth';
import { DomainError } from '#contracts/domain-error.js';
import { createTestDatabase } from '../../../test-support/database.js';
import { registration, TEST_PASSWORD, TEST_PASSWORD_HASH } from '../../../test-support/registrations.js';
import { startTestServer } from '../../../test-support/server-app.js';
import { SoftwarePasskey } from '../../../test-support/software-passkey.js';
import { shared } from '../../../test-support/shared.js';
import { AccountsModule } from '../accounts.module.js';
import { createAccount } from '../registration/create-account.js';
import { GuessLimits } from '../rate-limiting/guess-limits.js';
import { resetSecondFactor } from './second-factor-changes.js';

const PAGE = { origin: 'https://library.example' };
const MINUTE = 60_000;
const HEADERS = { origin: PAGE.origin };

describe('second factors over HTTP', () => {
  const testDatabase = shared(() => createTestDatabase('migrated'));
  const server = shared(() => start());
  beforeAll(() => {
    // The addresses that callers claim count.
    (server.app as NestExpressApplication).set('trust proxy', 1);
  });

  const start = (environment: NodeJS.ProcessEnv = {}) =>
    startTestServer(testDatabase.url, [AccountsModule], {
      PUBLIC_URL: PAGE.origin,
      TRUST_PROXY: '1',
      ...environment,
    });

  async function account(roles: ('Reader' | 'Admin' | 'Auditor')[] = ['Reader']) {
    const { password: _password, confirmPassword: _same, ...person } = registration();
    const { id } = await createAccount(
      server.dataSource.manager,
      { ...person, passwordHash: TEST_PASSWORD_HASH, roles, emailConfirmed: true },
      server.clock.now(),
    );
    return { id, username: person.username };
  }

  const post = (path: string, body: unknown, token?: string, at = server) =>
    at.call('POST', `Account/${path}`, { body, token, headers: HEADERS });
  const login = (username: string, at = server) =>
    post('login', { username, password: TEST_PASSWORD }, undefined, at);
  const ticketOf = async (username: string) => (await login(username)).body.secondFactor.ticket as string;
  const confirm = (token: string, at = server) => post('confirm', { password: TEST_PASSWORD }, token, at);

  /** Somebody who is signed in and has confirmed it. */
  async function signedIn(roles?: ('Reader' | 'Admin' | 'Auditor')[]) {
    const person = await account(roles);
    const { body } = await login(person.username);
    expect((await confirm(body.token)).status).toBe(200);
    return { ...person, token: body.token as string };
  }

  /** The same with a code app. `code` is the next one that was not used. */
  async function withCodeApp(roles?: ('Reader' | 'Admin' | 'Auditor')[]) {
    const person = await signedIn(roles);
    const { body: app } = await post('second-factor/code-app', {}, person.token);
    const totp = new TOTP({ secret: Secret.fromBase32(app.secret) });
    const code = () => {
      server.clock.forward(30_000);
      return totp.generate({ timestamp: server.clock.now().getTime() });
    };
    const added = await post('second-factor/code-app/confirm', { code: code() }, person.token);
    expect(added.status).toBe(200);
    return {
      ...person,
      code,
      secret: app.secret as string,
      recoveryCodes: added.body.recoveryCodes as string[],
    };
  }

  async function withPasskey() {
    const person = await signedIn();
    const passkey = new SoftwarePasskey();
    const asked = await post('second-factor/passkeys/options', {}, person.token);
    const { ticket, options } = asked.body;
    const added = await post(
      'second-factor/passkeys',
      { ticket, name: 'Phone', passkey: passkey.made(options.challenge, PAGE) },
      person.token,
    );
    expect(added.status).toBe(201);
    return { ...person, passkey, recoveryCodes: added.body.recoveryCodes as string[] };
  }

  const stateOf = async (token: string) =>
    (await server.call('GET', 'Account/second-factor', { token })).body;
  const lettersTo = async (accountId: string) => {
    const { rows } = await server.database.query<{ change: string }>(
      `select data ->> 'change' as change from letters.letter where kind = 'second-factor-changed'
         and account_id = $1 order by caused_at`,
      [accountId],
    );
    return rows.map(({ change }) => change);
  };

  describe('a code app', () => {
    it('counts once its first code was given, and is asked for at the next login', async () => {
      const person = await signedIn();
      const { body: app } = await post('second-factor/code-app', {}, person.token);
      expect(app.uri).toContain(app.secret);
      expect(app.qr).toMatch(/^<svg /);
      expect((await login(person.username)).body.token).toBeDefined();

      const wrong = await post('second-factor/code-app/confirm', { code: '000000' }, person.token);
      expect([wrong.status, wrong.body.code]).toEqual([400, 'ProofRefused']);
      const totp = new TOTP({ secret: Secret.fromBase32(app.secret) });
      const code = totp.generate({ timestamp: server.clock.now().getTime() });
      const { body } = await post('second-factor/code-app/confirm', { code }, person.token);
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
      const other = (await login(person.username)).body.token;
      const mine = (await login(person.username)).body.token;
      await confirm(mine);
      const { body: app } = await post('second-factor/code-app', {}, mine);
      const code = new TOTP({ secret: Secret.fromBase32(app.secret) }).generate({
        timestamp: server.clock.now().getTime(),
      });
      await post('second-factor/code-app/confirm', { code }, mine);
      expect((await server.call('GET', 'User/profile', { token: other })).body.code).toBe('SessionEnded');
      expect((await server.call('GET', 'User/profile', { token: mine })).status).toBe(200);
    });

    it('lets in with each code once, the ticket once, and within five minutes', async () => {
      const { username, code } = await withCodeApp();
      const given = code();
      const ticket = await ticketOf(username);
      const { status, body } = await post('login/second-factor', { ticket, code: given });
      expect([status, body.username]).toEqual([200, username]);
      const again = await post('login/second-factor', { ticket: await ticketOf(username), code: given });
      expect([again.status, again.body.code]).toEqual([400, 'ProofRefused']);
      expect((await post('login/second-factor', { ticket, code: code() })).body.code).toBe('TicketInvalid');
      const late = await ticketOf(username);
      server.clock.forward(5 * MINUTE);
      expect((await post('login/second-factor', { ticket: late, code: code() })).body.code).toBe(
        'TicketInvalid',
      );
    });

    it.each([
      ['change-password', { currentPassword: TEST_PASSWORD, newPassword: 'Zielony#Krokodyl9' }],
      ['sessions/end-others', {}],
    ])('lets nobody in who was half-way in at %s', async (path, body) => {
      const { username, token, code } = await withCodeApp();
      const ticket = await ticketOf(username);
      expect((await post(path, body, token)).status).toBe(200);
      const late = await post('login/second-factor', { ticket, code: code() });
      expect(late.body.code).toBe('TicketInvalid');
    });

    it('lets in one of two who give the same code at once', async () => {
      const { username, code } = await withCodeApp();
      const tickets = [await ticketOf(username), await ticketOf(username)];
      const given = code();
      const answers = await Promise.all(
        tickets.map((ticket) => post('login/second-factor', { ticket, code: given })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    });

    it('stops guesses after eight wrong codes, however many tickets there are', async () => {
      const { username, token, code, recoveryCodes } = await withCodeApp();
      for (let guess = 0; guess < 8; guess++) {
        const ticket = await ticketOf(username);
        expect((await post('login/second-factor', { ticket, code: '000000' })).status).toBe(400);
      }
      const stopped = await post('login/second-factor', { ticket: await ticketOf(username), code: code() });
      expect(stopped.status).toBe(429);
      // What nobody can guess still lets in, and whoever has a session confirms in it.
      expect((await post('confirm', { code: code() }, token)).status).toBe(200);
      const proof = { ticket: await ticketOf(username), recoveryCode: recoveryCodes[0] };
      expect((await post('login/second-factor', proof)).status).toBe(200);
      const still = await post('login/second-factor', { ticket: await ticketOf(username), code: code() });
      expect(still.status).toBe(429);
      server.clock.forward(16 * MINUTE);
      const ticket = await ticketOf(username);
      expect((await post('login/second-factor', { ticket, code: code() })).status).toBe(200);
    });

    it('lets its owner in where they were before, whoever has the password and tries codes elsewhere', async () => {
      const at = async (address: string, username: string, proof: object) => {
        const headers = { ...HEADERS, 'x-forwarded-for': address };
        const call = (path: string, body: unknown) => server.call('POST', path, { body, headers });
        const { body } = await call('Account/login', { username, password: TEST_PASSWORD });
        return call('Account/login/second-factor', { ticket: body.secondFactor.ticket, ...proof });
      };
      const { id, username, code, recoveryCodes } = await withCodeApp();
      expect((await at('198.51.100.1', username, { code: code() })).status).toBe(200);
      const thieves = Array.from({ length: 4 }, (_, each) => `203.0.113.${each + 1}`);
      const tried: number[] = [];
      for (const thief of thieves)
        for (let guess = 0; guess < 4; guess++)
          tried.push((await at(thief, username, { code: '000000' })).status);
      expect(tried.filter((status) => status === 400)).toHaveLength(10);
      expect(tried.filter((status) => status === 429)).toHaveLength(6);

      const fromNewPlace = () => at('192.0.2.9', username, { code: code() });
      expect((await fromNewPlace()).status).toBe(429);
      expect((await at('198.51.100.1', username, { code: code() })).status).toBe(200);
      expect((await at('192.0.2.8', username, { recoveryCode: recoveryCodes[0] })).status).toBe(200);
      server.clock.forward(5 * MINUTE);
      expect((await fromNewPlace()).status).toBe(200);
      const { rows } = await server.database.query(
        `select data ->> 'secret' as secret from letters.letter
           where kind = 'guessed-at' and account_id = $1`,
        [id],
      );
      expect(rows).toEqual([{ secret: 'code' }]);
    });

    it('takes no more than a hundred wrong codes a day elsewhere, from however many addresses', async () => {
      const { id, username } = await withCodeApp();
      const limits = server.app.get(GuessLimits);
      const refused = () => Promise.reject(new DomainError('ProofRefused', 'This code is wrong.'));
      const tryFrom = (each: number) =>
        limits
          .attemptProof(
            { accountId: id, name: username, source: { address: `many ${each}`, browser: `many ${each}` } },
            true,
            refused,
          )
          .catch((error: unknown) => (error instanceof DomainError ? error.code : String(error)));
      const wrong = { count: 0 };
      for (let round = 0; round < 8; round++) {
        const answers = await Promise.all(Array.from({ length: 60 }, (_, each) => tryFrom(each)));
        wrong.count += answers.filter((answer) => answer === 'ProofRefused').length;
        server.clock.forward(6 * MINUTE);
      }
      expect(wrong.count).toBe(100);
    });

    it('is removed with its recovery codes, and the password alone does again', async () => {
      const person = await withCodeApp();
      await server.call('DELETE', 'Account/second-factor/code-app', { token: person.token });
      expect((await login(person.username)).body.token).toBeDefined();
      expect(await stateOf(person.token)).toMatchObject({ codeAppSince: null, recoveryCodesLeft: 0 });
      expect(await lettersTo(person.id)).toEqual(['code-app-added', 'code-app-removed']);
    });

    it('is stored so that neither the database nor the log holds its secret or a code', async () => {
      const { id, secret, recoveryCodes } = await withCodeApp();
      const plain = Buffer.from(Secret.fromBase32(secret).buffer).toString('hex');
      const { rows } = await server.database.query(
        `select encode(secret, 'hex') as kept from totp where account_id = $1
         union all select encode(digest, 'hex') from recovery_code where account_id = $1`,
        [id],
      );
      expect(rows).toHaveLength(11);
      const kept = JSON.stringify(rows) + server.log.join('\n');
      for (const word of [plain, secret, ...recoveryCodes]) expect(kept).not.toContain(word);
    });

    it('survives a change of the secrets, as long as one start knows both', async () => {
      const { username, code } = await withCodeApp();
      const [before, after, own] = ['only-for-tests-', 'quite-another-', 'for-codes-alone-'].map((each) =>
        each.repeat(3).padEnd(44, 'x'),
      );
      const JWT_SECRET_BEFORE = 'only-for-tests-only-for-tests-only-for-tests';
      const answerWith = async (environment: NodeJS.ProcessEnv) => {
        const other = await start(environment);
        try {
          other.clock.forward(server.clock.now().getTime() - other.clock.now().getTime());
          const { ticket } = (await login(username, other)).body.secondFactor;
          const given = code();
          other.clock.forward(30_000);
          return (await post('login/second-factor', { ticket, code: given }, undefined, other)).status;
        } finally {
          await other.stop();
        }
      };
      expect(await answerWith({ JWT_SECRET: after })).toBe(503);
      expect(await answerWith({ JWT_SECRET: after, JWT_SECRET_PREVIOUS: JWT_SECRET_BEFORE })).toBe(200);
      expect(await answerWith({ JWT_SECRET: after })).toBe(200);
      expect(await answerWith({ JWT_SECRET: after, SECOND_FACTOR_SECRET: own })).toBe(200);
      expect(await answerWith({ JWT_SECRET: before, SECOND_FACTOR_SECRET: own })).toBe(200);
      // Back, for the other tests.
      expect(await answerWith({ JWT_SECRET: JWT_SECRET_BEFORE, JWT_SECRET_PREVIOUS: own })).toBe(200);
    });

    it('is no use to another account, even with its row', async () => {
      const [victim, thief] = [await withCodeApp(), await withCodeApp()];
      await server.database.query(
        `update totp set secret = thief.secret, key_id = thief.key_id, last_step = null
         from totp thief where totp.account_id = $1 and thief.account_id = $2`,
        [victim.id, thief.id],
      );
      const ticket = await ticketOf(victim.username);
      const { status, body } = await post('login/second-factor', { ticket, code: thief.code() });
      expect([status, body.code]).toEqual([503, 'SecretUnreadable']);
    });
  });

  describe('recovery codes', () => {
    it('let in once each, however they are typed, and their use is told', async () => {
      const { id, username, recoveryCodes } = await withCodeApp();
      const [first = ''] = recoveryCodes;
      const typed = first.toUpperCase().replaceAll('-', ' ');
      const ticket = await ticketOf(username);
      const { body } = await post('login/second-factor', { ticket, recoveryCode: typed });
      expect((await stateOf(body.token)).recoveryCodesLeft).toBe(9);
      const again = await post('login/second-factor', {
        ticket: await ticketOf(username),
        recoveryCode: first,
      });
      expect([again.status, again.body.code]).toEqual([400, 'ProofRefused']);
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

    it('come with a second factor alone', async () => {
      const { token } = await signedIn();
      expect((await post('second-factor/recovery-codes', {}, token)).status).toBe(404);
    });
  });

  describe('a passkey', () => {
    const signInBy = async (
      passkey: SoftwarePasskey,
      page: Parameters<SoftwarePasskey['proof']>[1] = PAGE,
    ) => {
      const { body } = await post('login/passkey-options', {});
      expect(body.options.userVerification).toBe('required');
      return post('login/passkey', {
        ticket: body.ticket,
        passkey: passkey.proof(body.options.challenge, page),
      });
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
      const code = async (page: Parameters<SoftwarePasskey['proof']>[1]) =>
        (await signInBy(passkey, page)).body.code;
      expect(await code({ origin: 'https://libraty.example', rpId: 'library.example' })).toBe('ProofRefused');
      expect(await code({ ...PAGE, rpId: 'libraty.example' })).toBe('ProofRefused');
      expect(await code({ ...PAGE, verified: false })).toBe('ProofRefused');
      const { body } = await post('login/passkey-options', {});
      const invented = passkey.proof(randomBytes(32).toString('base64url'), PAGE);
      const with_ = (proof: unknown) => post('login/passkey', { ticket: body.ticket, passkey: proof });
      expect((await with_(invented)).body.code).toBe('ProofRefused');
      // The wrong answer used the challenge up.
      expect((await with_(passkey.proof(body.options.challenge, PAGE))).body.code).toBe('TicketInvalid');
      expect((await signInBy(passkey)).status).toBe(200);
    });

    it('is not asked for without an end from one address, as each challenge is kept', async () => {
      server.clock.forward(15 * MINUTE + 1);
      const statuses: number[] = [];
      for (let round = 0; round < 31; round += 1) {
        const asked = Array.from({ length: 10 }, () => post('login/passkey-options', {}));
        statuses.push(...(await Promise.all(asked)).map(({ status }) => status));
      }
      expect([200, 429].map((status) => statuses.filter((each) => each === status).length)).toEqual([
        300, 10,
      ]);
      server.clock.forward(15 * MINUTE + 1);
    });

    it('is refused where its counter goes back, as that of a copy does', async () => {
      const { passkey } = await withPasskey();
      passkey.counter = 7;
      expect((await signInBy(passkey)).status).toBe(200);
      passkey.counter = 6;
      expect((await signInBy(passkey)).body.code).toBe('ProofRefused');
      passkey.counter = 8;
      expect((await signInBy(passkey)).status).toBe(200);
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
      const body2 = { ticket: begun.ticket, name: 'Mine', passkey: made };
      expect((await post('second-factor/passkeys', body2, thief.token)).body.code).toBe('TicketInvalid');
      const rename = await server.call('PUT', `Account/second-factor/passkeys/${made.id}`, {
        body: { name: 'Mine' },
        token: thief.token,
      });
      expect(rename.status).toBe(404);
    });

    it('is listed by its name, renamed and removed', async () => {
      const { id, username, token } = await withPasskey();
      const [listed] = (await stateOf(token)).passkeys;
      expect(listed).toMatchObject({ name: 'Phone', lastUsed: null });
      const path = `Account/second-factor/passkeys/${listed.id}`;
      expect((await server.call('PUT', path, { body: { name: ' Blue key ' }, token })).status).toBe(200);
      expect((await stateOf(token)).passkeys[0].name).toBe('Blue key');
      expect((await server.call('DELETE', path, { token })).status).toBe(200);
      expect((await login(username)).body.token).toBeDefined();
      expect(await lettersTo(id)).toEqual(['passkey-added', 'passkey-removed']);
    });

    it('is possible at the address of the installation alone, and at localhost by that name', async () => {
      const from = async (headers: Record<string, string>, at = server) => {
        const answer = await at.call('POST', 'Account/login/passkey-options', { body: {}, headers });
        return answer.body.code ?? answer.body.options.rpId;
      };
      expect(await from({ origin: 'https://library.example' })).toBe('library.example');
      expect(await from({ origin: 'http://localhost:3000' })).toBe('PasskeysImpossible');
      expect(await from({})).toBe('PasskeysImpossible');
      const local = await start({ PUBLIC_URL: '' });
      try {
        const { port } = new URL(await local.app.getUrl());
        expect(await from({ origin: `http://127.0.0.1:${port}` }, local)).toBe('PasskeysImpossible');
        expect(await from({ origin: `http://localhost:${port}` }, local)).toBe('PasskeysImpossible');
      } finally {
        await local.stop();
      }
    });
  });

  describe('asking again', () => {
    it('comes before roles are given and second factors change, and lasts ten minutes', async () => {
      const person = await account();
      const { token } = (await login(person.username)).body;
      const begin = () => post('second-factor/code-app', {}, token);
      expect([(await begin()).status, (await begin()).body.code]).toEqual([403, 'ConfirmationNeeded']);
      const wrong = await post('confirm', { password: 'Wrong#2026' }, token);
      expect([wrong.status, wrong.body.code]).toEqual([400, 'ProofRefused']);
      expect((await begin()).status).toBe(403);
      expect((await confirm(token)).status).toBe(200);
      // From several windows at once too: the last one counts.
      const begun = await Promise.all([begin(), begin(), begin()]);
      expect(begun.map(({ status }) => status)).toEqual([201, 201, 201]);
      server.clock.forward(10 * MINUTE + 1);
      expect((await begin()).status).toBe(403);

      const admin = (await login((await account(['Reader', 'Admin'])).username)).body.token;
      const give = () =>
        server.call('PUT', `User/roles?id=${person.id}`, { body: { roles: ['Auditor'] }, token: admin });
      expect((await give()).body.code).toBe('ConfirmationNeeded');
      await confirm(admin);
      expect((await give()).body.roles).toEqual(['Reader', 'Auditor']);
    });

    it('is for one session, and by code or passkey too', async () => {
      const { username, token, code } = await withCodeApp();
      const ticket = await ticketOf(username);
      const other = (await post('login/second-factor', { ticket, code: code() })).body.token;
      server.clock.forward(11 * MINUTE);
      expect((await post('confirm', { code: code() }, token)).status).toBe(200);
      expect((await post('second-factor/recovery-codes', {}, token)).status).toBe(201);
      expect((await post('second-factor/recovery-codes', {}, other)).status).toBe(403);

      const owner = await withPasskey();
      server.clock.forward(11 * MINUTE);
      const asked = (await post('confirm/passkey-options', {}, owner.token)).body;
      const passkey = { ticket: asked.ticket, passkey: owner.passkey.proof(asked.options.challenge, PAGE) };
      expect((await post('confirm', { passkey }, owner.token)).status).toBe(200);
      expect((await post('confirm', { passkey }, owner.token)).body.code).toBe('TicketInvalid');
    });

    it('stops who tries passwords in somebody’s session', async () => {
      const { token } = await signedIn();
      for (let guess = 0; guess < 8; guess++) await post('confirm', { password: 'Wrong#2026' }, token);
      expect((await confirm(token)).status).toBe(429);
    });
  });

  describe('STAFF_MFA=required', () => {
    const strict = shared(() => start({ STAFF_MFA: 'required' }));

    const profile = async (token: string) => (await strict.call('GET', 'User/profile', { token })).body.code;

    it.each(['Admin', 'Auditor'] as const)('opens nothing but adding one to an %s without', async (role) => {
      const { username } = await account(['Reader', role]);
      const { token, mustAddSecondFactor } = (await login(username, strict)).body;
      expect(mustAddSecondFactor).toBe(true);
      expect(await profile(token)).toBe('SecondFactorRequired');
      for (const path of ['User', 'Borrow/history', 'Account/sessions']) {
        const { status, body } = await strict.call('GET', path, { token });
        if (status !== 404) expect([path, body.code]).toEqual([path, 'SecondFactorRequired']);
      }
      const state = await strict.call('GET', 'Account/second-factor', { token });
      expect(state.body).toMatchObject({ required: true, codeAppSince: null });

      await confirm(token, strict);
      const { body: app } = await post('second-factor/code-app', {}, token, strict);
      const code = new TOTP({ secret: Secret.fromBase32(app.secret) }).generate({
        timestamp: strict.clock.now().getTime(),
      });
      await post('second-factor/code-app/confirm', { code }, token, strict);
      expect(await profile(token)).toBeUndefined();
      await strict.call('DELETE', 'Account/second-factor/code-app', { token });
      expect(await profile(token)).toBe('SecondFactorRequired');
    });

    it('asks nothing of readers', async () => {
      const { username } = await account();
      expect(await profile((await login(username, strict)).body.token)).toBeUndefined();
    });
  });

  it('are taken off by the command line, which ends the sessions and tells the owner', async () => {
    const { id, username, token } = await withCodeApp();
    const ticket = await ticketOf(username);
    await server.dataSource.transaction((manager) =>
      resetSecondFactor(manager, id, server.clock.now(), 'correlation'),
    );
    expect((await post('login/second-factor', { ticket, code: '000000' })).body.code).toBe('TicketInvalid');
    expect((await login(username)).body.token).toBeDefined();
    expect((await server.call('GET', 'User/profile', { token })).status).toBe(401);
    expect(await lettersTo(id)).toEqual(['code-app-added', 'reset']);
  });

  it('go when the account does', async () => {
    const { id } = await withCodeApp();
    await server.database.query('delete from account where id = $1', [id]);
    const { rows } = await server.database.query(
      `select 1 from totp where account_id = $1 union all select 1 from recovery_code where account_id = $1`,
      [id],
    );
    expect(rows).toEqual([]);
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
