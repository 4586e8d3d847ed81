import { createServer, type AddressInfo } from 'node:net';
import { io } from 'socket.io-client';
import { LIVE_PATH } from '#contracts/live/live-messages.js';
import { providersSchema } from '#contracts/accounts/sign-on-providers.js';
import type { SignOnView } from '#contracts/accounts/sign-on.js';
import { accountSteps } from '../../../test-support/product/account-steps.js';
import { callApi, caller, type Answer } from '../../../test-support/product/caller.js';
import { freePort } from '../../../test-support/installation/free-port.js';
import { startProduct } from '../../../test-support/product/product.js';
import { shared } from '../../../test-support/shared.js';
import {
  SIGN_ON_SECRET,
  startSignOnProvider,
  type SignOnProvider,
} from '../../../test-support/services/sign-on-provider.js';
import { waitFor } from '../../../test-support/wait-for.js';

/** Who makes admins on the command line. */
const COMMAND_LINE = '00000000-0000-0000-0000-000000000000';
const LOGOUT_EVENT = { 'http://schemas.openid.net/event/backchannel-logout': {} };
/** A provider that the second server has by its environment. */
const CITY = { key: 'city', name: 'City', issuer: 'https://sso.city.example', clientId: 'l' };
const PERSON = {
  ...{ given_name: 'Jan', family_name: 'Kowalski', birthdate: '2001-02-03', gender: 'male' },
  address: { street_address: 'ul. Długa 7', locality: 'Kraków', postal_code: '31-146', country: 'PL' },
};

describe('signing in by OpenID Connect', () => {
  const product = shared(() =>
    startProduct(undefined, {
      environment: { PRIVATE_HOSTS: '127.0.0.1,localhost' },
      jobs: { rounds: false },
    }),
  );
  const { account: withPassword, profile, rows } = accountSteps(product);
  const server = shared(() => {
    const SIGN_ON_PROVIDERS = providersSchema.parse([{ ...CITY, secret: 'very secret' }]);
    return product.startServer({ STAFF_SSO: 'required', SIGN_ON_PROVIDERS });
  });
  const admin = shared(() => product.account('Reader', 'Admin'));
  const clientOf = (key: string) => ({
    client_id: 'library',
    client_secret: SIGN_ON_SECRET,
    redirect_uris: [`${product.url}/api/Account/sign-on/${key}/back`],
    post_logout_redirect_uris: [`${product.url}/`],
    backchannel_logout_uri: `${product.url}/api/Account/sign-on/${key}/logout`,
    backchannel_logout_session_required: true,
  });
  const school = shared(() => startSignOnProvider(() => [clientOf('school')]));
  const town = shared(() => startSignOnProvider(() => [clientOf('town')]));

  const named = (key: string, { issuer }: { issuer: string }, more: object = {}) => ({
    ...{ key, name: key === 'school' ? 'School No. 7' : 'Town', issuer, clientId: 'library' },
    ...{ secret: SIGN_ON_SECRET, scopes: 'openid profile email address', matchClaim: 'email', ...more },
  });
  const view = async () => (await admin.get('SignOn')).body as SignOnView;
  let isUsual = false;
  const name = async (...providers: object[]) => {
    isUsual = false;
    const answer = await admin.put('SignOn', { version: (await view()).version, providers });
    expect(answer).toMatchObject({ status: 200 });
    return answer.body as SignOnView;
  };
  /** Names the school so, and the town as ever. */
  const nameSchool = (more: object = {}, ...others: object[]) =>
    name(named('school', school, more), named('town', town), ...others);
  /** A browser at the library. */
  function visitor(url = product.url, cookie = '') {
    const post = async (path: string, body: object = {}, token = ''): Promise<Answer> => {
      const answer = await callApi(url, 'POST', path, { body, token, headers: { cookie } });
      cookie ||= answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      return answer;
    };
    return {
      post,
      begin: async (key = 'school', wanted: object = {}) => {
        const { status, body } = await post(`Account/sign-on/${key}`, wanted);
        expect(status).toBe(200);
        return body.address as string;
      },
      complete: (returned: object, key = 'school') => post(`Account/sign-on/${key}/complete`, returned),
      /** The same browser at another server. */
      at: (other: string) => visitor(other, cookie),
    };
  }
  /** What a browser is sent back with, once somebody signed in there. */
  const cameBack = async (provider: SignOnProvider, address: string) => {
    const back = await provider.browser().follow(address);
    return { back, returned: Object.fromEntries(back.searchParams) };
  };
  /** The whole way. */
  const signOn = async (who: string, wanted: object = {}) => {
    school.visitor = who;
    const browser = visitor();
    const { returned } = await cameBack(school, await browser.begin('school', wanted));
    return { browser, returned, ...(await browser.complete(returned)) };
  };
  const accountWith = async (email: string, ...roles: string[]) => {
    const account = await product.account(...roles);
    await rows('update account set email = $2 where id = $1', account.id, email);
    return account;
  };
  let people = 0;
  /** Somebody new at the school, with this to say of them. */
  const pupil = (claims: object = {}) => {
    people += 1;
    const id = `pupil-${people}`;
    const email = `${id}@school.example`;
    school.people[id] = { email, email_verified: true, ...claims };
    return { id, email };
  };
  /** The same, and their account here. */
  const member = async (claims: object = {}, ...roles: string[]) => {
    const { id, email } = pupil(claims);
    return { id, email, account: await accountWith(email, ...roles) };
  };
  /** What readers and admins are told of a provider that is named last. */
  const asked = async () => {
    const began = performance.now();
    const [{ body }, { body: tried }] = await Promise.all([
      visitor().post('Account/sign-on/other'),
      admin.post('SignOn/other/try'),
    ]);
    return { ...body, outcome: tried.outcome, took: performance.now() - began };
  };

  const silent = shared(async () => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return server;
  });
  let ofSilent: ReturnType<typeof asked>;
  beforeAll(async () => {
    const { port } = silent.address() as AddressInfo;
    await nameSchool({}, named('other', { issuer: `http://127.0.0.1:${port}` }));
    // It takes its time, and is waited for at the end.
    ofSilent = asked();
  });
  beforeEach(async () => {
    school.tamper = undefined;
    if (!isUsual) await nameSchool();
    isUsual = true;
  });

  it('begins with the code flow, PKCE, a state and a nonce, and comes back to the page', async () => {
    const browser = visitor();
    const { body } = await caller(product.url, '').get('Account/sign-on');
    expect(body).toEqual({
      providers: [
        { key: 'school', name: 'School No. 7' },
        { key: 'town', name: 'Town' },
      ],
      staffOnly: false,
    });
    const address = new URL(await browser.begin());
    expect(address.origin).toBe(school.issuer);
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'library',
      redirect_uri: `${product.url}/api/Account/sign-on/school/back`,
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    school.visitor = pupil().id;
    const { back } = await cameBack(school, address.href);
    const page = await fetch(back, { redirect: 'manual' });
    expect([page.status, page.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^\/#\/sign-on\/school\?state=/),
    ]);
  });

  it('signs in the account that the claim names, and the one that it is bound to ever after', async () => {
    const { id, email, account } = await member();
    const { status, body } = await signOn(id, { from: '/book/7', then: 'rent' });
    expect([status, body.id, body.wanted]).toEqual([200, account.id, { from: '/book/7', then: 'rent' }]);
    expect((await profile(body.token)).body.id).toBe(account.id);
    // The address is somebody else's by now.
    await rows('update account set email = $2 where id = $1', account.id, 'new@school.example');
    await accountWith(email);
    expect((await signOn(id)).body.id).toBe(account.id);
    expect((await signOn(pupil({ email }).id)).body.id).not.toBe(account.id);
  });

  it('finds an account by its card, with whatever claim has the number', async () => {
    await nameSchool({ matchClaim: 'card', matchTo: 'card' });
    const account = await product.account();
    const { body: card } = await account.get('Reader/mine');
    const spaced = String(card.card.number).replace(/^(\d{4})/, '$1 ');
    expect((await signOn(pupil({ card: spaced, email_verified: false }).id)).body.id).toBe(account.id);
    expect((await signOn(pupil({ card: '21234567890123' }).id)).body.code).toBe('SignOnRefused');
  });

  it.each([
    ['the provider has not verified', { email_verified: false }],
    ['the provider says nothing of', { email_verified: undefined }],
    ['the provider verified in its own way', { email_verified: 'true' }],
  ])('takes over no account by an address that %s', async (_what, claims) => {
    const { id } = await member(claims);
    expect((await signOn(id)).body).toMatchObject({ status: 403, code: 'SignOnRefused' });
  });

  it('binds nobody to an account whose address is not confirmed here', async () => {
    const { id, account } = await member();
    await rows('update account set email_confirmed = false where id = $1', account.id);
    expect((await signOn(id)).body.code).toBe('SignOnRefused');
  });

  it('binds no second person of a provider to the same account', async () => {
    const first = await member();
    expect((await signOn(first.id)).status).toBe(200);
    expect((await signOn(pupil({ email: first.email }).id)).body).toMatchObject({
      code: 'SignOnRefused',
      detail: expect.stringContaining('another account at School No. 7'),
    });
  });

  it('keeps accounts of staff to providers that are for them', async () => {
    const { id, account } = await member({}, 'Reader', 'Auditor');
    expect((await signOn(id)).body).toMatchObject({
      code: 'SignOnRefused',
      detail: 'Accounts of staff cannot sign in with School No. 7.',
    });
    expect(await rows('select from sign_on_identity where subject = $1', id)).toEqual([]);
    await nameSchool({ staff: true });
    expect((await signOn(id)).body).toMatchObject({ id: account.id, roles: ['Reader', 'Auditor'] });
  });

  describe('of who has no account', () => {
    beforeEach(() => nameSchool({ makesAccounts: true, kind: 'child' }));

    it('makes one of what the provider tells, where that is all', async () => {
      const { id, email } = pupil({ ...PERSON, preferred_username: 'jan.k' });
      const { status, body } = await signOn(id);
      expect([status, body.username, body.roles]).toEqual([200, 'jan.k', ['Reader']]);
      expect((await profile(body.token)).body).toMatchObject({
        ...{ email, fullname: 'Jan Kowalski', dateOfBirth: '2001-02-03', gender: 'Male', kind: 'child' },
        ...{ adress: 'ul. Długa 7', city: 'Kraków', postalCode: '31-146', country: 'Poland' },
      });
      expect(await product.letters(email)).toEqual([]);
      expect((await signOn(id)).body.id).toBe(body.id);
    });

    it('asks for what is missing, once, and has an address confirmed that the provider has not', async () => {
      const { id } = pupil({ ...PERSON, address: undefined, email_verified: false });
      const { status, body, browser } = await signOn(id, { from: '/cart' });
      const { ticket, known } = body.person;
      expect([status, known.firstname, known.city]).toEqual([200, 'Jan', undefined]);
      const home = { country: 'Poland', adress: 'Rynek 1', city: 'Kraków', postalCode: '31-001' };
      const register = (by: Pick<typeof browser, 'post'>, changes: object = {}) =>
        by.post('Account/sign-on/school/register', { ...known, ...home, ticket, ...changes });
      expect((await register(browser, { city: '' })).status).toBe(400);
      // From another browser it is nobody's.
      expect((await register(visitor())).body.code).toBe('SignOnFailed');
      const made = await register(browser);
      expect(made).toMatchObject({
        status: 200,
        body: { username: 'jan.kowalski', wanted: { from: '/cart' } },
      });
      expect((await register(browser)).body.code).toBe('SignOnFailed');
      await waitFor(async () => (await product.letters(known.email)).length === 1);
      const stored = await rows('select email_confirmed from account where id = $1', made.body.id);
      expect(stored).toEqual([{ email_confirmed: false }]);
    });

    it('makes none beside an account with the same address', async () => {
      const { id, email } = pupil({ ...PERSON, email_verified: false });
      await accountWith(email);
      expect((await signOn(id)).body).toMatchObject({ status: 409, code: 'EmailTaken' });
    });
  });

  describe('refuses', () => {
    const well = async () => {
      const { id } = await member();
      school.visitor = id;
      const browser = visitor();
      return { browser, ...(await cameBack(school, await browser.begin())) };
    };
    const now = () => Math.floor(Date.now() / 1000);

    it.each<[string, NonNullable<SignOnProvider['tamper']>]>([
      ['another nonce', (claims) => school.signed({ ...claims, nonce: 'another' })],
      ['no nonce', ({ nonce: _nonce, ...claims }) => school.signed(claims)],
      ['another audience', (claims) => school.signed({ ...claims, aud: 'somebody-else' })],
      ['a token that has run out', (claims) => school.signed({ ...claims, exp: now() - 60 })],
      ['a token of another issuer', (claims) => school.signed({ ...claims, iss: town.issuer })],
      ['a forged signature', (claims) => school.signed(claims, { isForged: true })],
      ['no signature', (claims) => school.unsigned(claims)],
      ['no token', () => ''],
    ])('%s', async (_what, tamper) => {
      const { browser, returned } = await well();
      const before = (await product.lines()).length;
      school.tamper = tamper;
      const answer = await browser.complete(returned);
      expect(answer).toMatchObject({ status: 400, body: { code: 'SignOnFailed' } });
      expect(answer.body).not.toHaveProperty('token');
      const lines = (await product.lines()).slice(before).join('');
      expect(lines).toContain('"outcome":"bad-answer"');
      expect(lines).not.toMatch(/pupil-|eyJ/);
    });

    it('a state and a code that were used', async () => {
      const { browser, returned } = await well();
      expect((await browser.complete(returned)).status).toBe(200);
      expect((await browser.complete(returned)).body.code).toBe('SignOnFailed');
      const { state } = Object.fromEntries(new URL(await browser.begin()).searchParams);
      expect((await browser.complete({ ...returned, state })).body.code).toBe('SignOnFailed');
    });

    it('what another browser has begun', async () => {
      const { browser, returned } = await well();
      expect((await visitor().complete(returned)).body).toMatchObject({ code: 'SignOnFailed' });
      expect((await browser.complete(returned)).status).toBe(200);
    });

    it('a state that is too old', async () => {
      const { browser, returned } = await well();
      await rows(`update sign_on_attempt set expires_at = now() - interval '1 second'`);
      expect((await browser.complete(returned)).body.code).toBe('SignOnFailed');
    });

    it('an answer of another provider', async () => {
      const mixed = await well();
      expect(mixed.returned['iss']).toBe(school.issuer);
      const answer = await mixed.browser.complete({ ...mixed.returned, iss: town.issuer });
      expect(answer.body.code).toBe('SignOnFailed');
      const unnamed = await well();
      const { iss: _iss, ...returned } = unnamed.returned;
      expect((await unnamed.browser.complete(returned)).body.code).toBe('SignOnFailed');
      const moved = await well();
      expect((await moved.browser.complete(moved.returned, 'town')).body.code).toBe('SignOnFailed');
      expect((await moved.browser.complete(moved.returned)).status).toBe(200);
    });

    it('whoever the provider turned away, and says so', async () => {
      const { browser, returned } = await well();
      const { code: _code, ...rest } = returned;
      expect((await browser.complete({ ...rest, error: 'access_denied' })).body).toMatchObject({
        code: 'SignOnFailed',
        detail: 'School No. 7 did not let you in, or you turned back there.',
      });
    });

    it('paths that lead elsewhere', async () => {
      for (const from of ['https://evil.example/', '//evil.example', '/\\evil.example'])
        expect((await visitor().post('Account/sign-on/school', { from })).status).toBe(400);
    });
  });

  it('takes a new key of the provider at once', async () => {
    const { id } = await member();
    expect((await signOn(id)).status).toBe(200);
    await school.rotate();
    expect((await signOn(id)).status).toBe(200);
  });

  it('goes on at another server, as it does after a restart of this one', async () => {
    const { id } = await member();
    school.visitor = id;
    const browser = visitor();
    const { returned } = await cameBack(school, await browser.begin());
    expect((await browser.at(server.url).complete(returned)).status).toBe(200);
  });

  describe('where the provider', () => {
    const askedAt = async (issuer: string) => {
      await nameSchool({}, named('other', { issuer }));
      return asked();
    };

    it('is away, says so', async () => {
      expect(await askedAt(`http://127.0.0.1:${await freePort()}`)).toMatchObject({
        ...{ status: 503, code: 'SignOnUnavailable', outcome: 'unreachable' },
        detail: 'Town does not answer at the moment. Please try again later, or sign in another way.',
      });
    });

    it('is slow, does not wait for long', async () => {
      const { code, outcome, took } = await ofSilent;
      expect([code, outcome]).toEqual(['SignOnUnavailable', 'timed-out']);
      expect(took).toBeLessThan(12_000);
    });

    it.each([
      ['has no description of itself', () => `${product.url}`, 'no-openid'],
      ['calls itself otherwise', () => school.issuer.replace('127.0.0.1', 'localhost'), 'other-issuer'],
      ['is in a network of the library that nobody named', () => 'https://10.1.2.3', 'private'],
      ['has no https', () => 'http://sso.example', 'insecure'],
    ])('%s, tells readers little and admins what it is', async (_what, issuer, outcome) => {
      expect(await askedAt(issuer())).toMatchObject({
        ...{ status: 400, code: 'SignOnFailed', outcome },
        detail: 'Signing in with Town does not work as it is set up here. Please tell the library.',
      });
    });

    it('refuses the secret, tells so', async () => {
      await nameSchool({ secret: 'another' });
      expect((await admin.post('SignOn/school/try')).body).toEqual({ outcome: 'client-refused' });
      const { body } = await signOn(pupil().id);
      expect(body.detail).toMatch(/does not work as it is set up here/);
      await nameSchool();
      expect((await admin.post('SignOn/school/try')).body).toEqual({ outcome: 'good' });
    });
  });

  it('keeps the secret, and shows it to nobody', async () => {
    const kept = await nameSchool({ secret: '' });
    expect(kept.providers.map(({ key, hasSecret, fixed }) => [key, hasSecret, fixed])).toEqual([
      ['school', true, false],
      ['town', true, false],
    ]);
    expect(JSON.stringify(kept)).not.toContain(SIGN_ON_SECRET);
    expect((await admin.post('SignOn/school/try')).body).toEqual({ outcome: 'good' });
    const stored = await rows(
      `select providers::text, encode(sealed, 'escape') from sign_on_providers, sign_on_secret`,
    );
    expect(JSON.stringify(stored)).not.toContain(SIGN_ON_SECRET);
    expect(await admin.put('SignOn', { version: 0, providers: [] })).toMatchObject({ status: 409 });
  });

  describe('asks for the second factor of the account', () => {
    const withApp = async (email: string) => {
      const account = await accountWith(email);
      await account.post('Account/second-factor/code-app');
      await rows('update totp set confirmed_at = now() where account_id = $1', account.id);
      return account;
    };

    it('unless the library takes the word of the provider for it', async () => {
      const { id, email } = pupil({ amr: ['pwd', 'mfa'] });
      const account = await withApp(email);
      expect((await signOn(id)).body).toMatchObject({ secondFactor: { methods: ['code'] } });
      await nameSchool({ trustsMfa: true });
      expect((await signOn(id)).body.id).toBe(account.id);
      school.people[id] = { ...school.people[id], amr: ['pwd'] };
      expect((await signOn(id)).body).toHaveProperty('secondFactor');
    });
  });

  it('lets in a reader who is blocked, who can borrow as little as with a password', async () => {
    const { id, account } = await member();
    await admin.put(`Reader/card/block?id=${account.id}`, { blocked: true });
    const { body } = await signOn(id);
    const rent = await caller(product.url, body.token).post('Borrow/rent-books', {
      bookIds: [await product.book(1)],
    });
    expect(rent).toMatchObject({ status: 403, body: { code: 'ReaderBlocked' } });
  });

  it('knows nobody by an account that is gone', async () => {
    const { id, account } = await member();
    expect((await signOn(id)).status).toBe(200);
    await rows('delete from account where id = $1', account.id);
    expect((await signOn(id)).body.code).toBe('SignOnRefused');
  });

  it('proves again who is at the screen, to the provider, where no password is known', async () => {
    const { id } = await member();
    const { browser, body } = await signOn(id);
    const addApp = () => browser.post('Account/second-factor/code-app', {}, body.token);
    expect((await addApp()).body.code).toBe('ConfirmationNeeded');
    const { body: factors } = await caller(product.url, body.token).get('Account/second-factor');
    expect(factors.signOn).toEqual({ key: 'school', name: 'School No. 7' });
    const confirm = async (who: string) => {
      school.visitor = who;
      const begun = await browser.post('Account/sign-on/school/confirm', {}, body.token);
      const address = new URL(begun.body.address);
      expect([address.searchParams.get('prompt'), address.searchParams.get('max_age')]).toEqual([
        'login',
        '0',
      ]);
      const { returned } = await cameBack(school, address.href);
      return (await browser.complete(returned)).body;
    };
    expect(await confirm(pupil().id)).toMatchObject({ code: 'SignOnRefused' });
    expect((await addApp()).body.code).toBe('ConfirmationNeeded');
    expect(await confirm(id)).toEqual({ confirmed: true });
    expect((await addApp()).status).toBe(201);
  });

  describe('gives permission sets by groups', () => {
    const groups = [
      { group: 'auditors', set: 'Auditor' },
      { group: 'directors', set: 'Admin' },
    ];
    const follow = (more: object = {}) => nameSchool({ staff: true, groupsClaim: 'groups', groups, ...more });
    const rolesAfter = async (id: string, told: unknown) => {
      school.people[id] = { ...school.people[id], groups: told };
      return ((await signOn(id)).body.roles as string[]).toSorted();
    };
    beforeEach(() => follow());

    it('as long as somebody is in them, and records it', async () => {
      const { id, account } = await member();
      expect(await rolesAfter(id, ['pupils'])).toEqual(['Reader']);
      expect(await rolesAfter(id, ['pupils', 'auditors'])).toEqual(['Auditor', 'Reader']);
      expect(await rolesAfter(id, 'directors')).toEqual(['Admin', 'Reader']);
      expect(await rolesAfter(id, { not: 'a list' })).toEqual(['Reader']);
      expect(await rolesAfter(id, ['Auditors', 'auditors '])).toEqual(['Reader']);
      const { body } = await admin.get(`User/role-changes?id=${account.id}`);
      expect(body[0]).toMatchObject({ by: { fullname: 'Groups at a provider' }, taken: ['Admin'] });
    });

    it('and leaves what was given by hand', async () => {
      const { id, account } = await member();
      await admin.put(`User/roles?id=${account.id}`, { roles: ['Auditor'] });
      expect(await rolesAfter(id, ['auditors', 'directors'])).toEqual(['Admin', 'Auditor', 'Reader']);
      expect(await rolesAfter(id, undefined)).toEqual(['Auditor', 'Reader']);
    });

    it('of the library’s own too, but none that is gone, and none that whoever maps it has not got', async () => {
      const { body: set } = await admin.post('PermissionSet', {
        ...{ name: 'School desk', permissions: ['desk'], waiverLimit: 0 },
      });
      const { id, account } = await member();
      await follow({ groups: [{ group: 'helpers', set: set.id }] });
      expect(await rolesAfter(id, ['helpers'])).toEqual(['Reader', set.id].toSorted());
      await admin.delete(`PermissionSet/${set.id}`);
      expect(await rolesAfter(id, ['helpers'])).toEqual(['Reader']);
      const stored = await rows('select roles from account where id = $1', account.id);
      expect(stored).toEqual([{ roles: ['Reader'] }]);
      const mapped = [{ group: 'helpers', set: set.id }];
      const providers = [named('school', school, { staff: true, groupsClaim: 'groups', groups: mapped })];
      const { version } = await view();
      expect((await admin.put('SignOn', { version, providers })).body.code).toBe('NotFound');
      const { body: giving } = await admin.post('PermissionSet', {
        ...{ name: 'Gives sets', permissions: ['roles'], waiverLimit: 0 },
      });
      const giver = await product.account('Reader', giving.id as string);
      expect((await giver.put('SignOn', { version, providers: [] })).body.code).toBe('NotAllowed');
    });

    it('none where the mapping or the word for staff is gone', async () => {
      const { id } = await member();
      expect(await rolesAfter(id, ['auditors'])).toEqual(['Auditor', 'Reader']);
      await follow({ staff: false });
      expect(await rolesAfter(id, ['auditors'])).toEqual(['Reader']);
      await follow({ groups: [] });
      expect(await rolesAfter(id, ['auditors'])).toEqual(['Reader']);
    });

    it('and takes the last admin nothing', async () => {
      const { id } = await member();
      expect(await rolesAfter(id, ['directors'])).toEqual(['Admin', 'Reader']);
      const others = await rows<{ id: string }>(
        `update account set email_confirmed = false where 'Admin' = any(roles) and email not like 'pupil%' returning id`,
      );
      expect(await rolesAfter(id, [])).toEqual(['Admin', 'Reader']);
      await rows(
        'update account set email_confirmed = true where id = any($1)',
        others.map((each) => each.id),
      );
      expect(await rolesAfter(id, [])).toEqual(['Reader']);
    });
  });

  describe('ends a session', () => {
    const signedIn = async () => {
      const { id } = await member();
      const { body } = await signOn(id);
      const [session] = await rows<{ sid: string }>(
        `select sign_on ->> 'sid' as sid from session where account_id = $1 and sign_on is not null`,
        body.id,
      );
      const token = body.token as string;
      return {
        id,
        token,
        sid: session?.sid ?? '',
        isOpen: async () => (await profile(token)).status === 200,
      };
    };
    /** Opens a live connection. */
    const connect = async (token: string) => {
      const socket = io(product.url, { path: LIVE_PATH, auth: { token }, transports: ['websocket'] });
      await new Promise<void>((done, fail) => socket.on('connect', done).on('connect_error', fail));
      const closed = new Promise<string>((done) => socket.on('disconnect', done));
      return { closed: closed.finally(() => socket.close()) };
    };
    const tell = async (logout_token: string, key = 'school') => {
      const body = new URLSearchParams({ logout_token });
      const response = await fetch(`${product.url}/api/Account/sign-on/${key}/logout`, {
        method: 'POST',
        body,
      });
      return response.status;
    };
    /** Of somebody whom nothing signs out. */
    const lasting = shared(() => signedIn());
    let tokens = 0;
    const claims = (more: object = {}) => ({
      ...{
        iss: school.issuer,
        aud: 'library',
        iat: Math.floor(Date.now() / 1000),
        jti: `token-${(tokens += 1)}`,
      },
      ...{ exp: Math.floor(Date.now() / 1000) + 120, events: LOGOUT_EVENT, ...more },
    });

    it('at once where the provider says so, with its live connections', async () => {
      const { sid, token, isOpen } = await signedIn();
      const other = await signedIn();
      const { closed } = await connect(token);
      expect(await tell(await school.signed(claims({ sid })))).toBe(200);
      expect(await isOpen()).toBe(false);
      expect(await closed).toBe('io server disconnect');
      expect(await other.isOpen()).toBe(true);
    });

    it('and all of somebody, where it names them alone', async () => {
      const { id, isOpen } = await signedIn();
      const { body } = await signOn(id);
      expect(await tell(await school.signed(claims({ sub: id })))).toBe(200);
      expect(await isOpen()).toBe(false);
      expect((await profile(body.token)).status).toBe(401);
    });

    it.each<[string, (sid: string) => Promise<string> | string]>([
      ['of another issuer', (sid) => school.signed(claims({ sid, iss: town.issuer }))],
      ['for another client', (sid) => school.signed(claims({ sid, aud: 'somebody-else' }))],
      ['that has run out', (sid) => school.signed(claims({ sid, exp: 1_700_000_000 }))],
      ['that is old', (sid) => school.signed(claims({ sid, iat: 1_700_000_000 }))],
      ['with a nonce, as ID tokens have', (sid) => school.signed(claims({ sid, nonce: 'x' }))],
      ['without the event', (sid) => school.signed(claims({ sid, events: {} }))],
      ['without an id', (sid) => school.signed(claims({ sid, jti: undefined }))],
      ['that names nobody', () => school.signed(claims())],
      ['with a forged signature', (sid) => school.signed(claims({ sid }), { isForged: true })],
      ['without a signature', (sid) => school.unsigned(claims({ sid }))],
      ['that is none', () => 'nonsense'],
    ])('not by a token %s', async (_what, make) => {
      expect(await tell(await make(lasting.sid))).toBe(400);
      expect(await lasting.isOpen()).toBe(true);
    });

    it('not by another provider', async () => {
      const { sid, isOpen } = await signedIn();
      expect(await tell(await school.signed(claims({ sid })), 'town')).toBe(400);
      expect(await tell(await town.signed(claims({ sid, iss: town.issuer })), 'town')).toBe(200);
      expect(await isOpen()).toBe(true);
    });

    it('by a token once', async () => {
      const { sid } = await signedIn();
      const token = await school.signed(claims({ sid }));
      expect([await tell(token), await tell(token)]).toEqual([200, 400]);
    });

    it.each([
      ['switched off', () => [named('school', school, { on: false }), named('town', town)]],
      ['removed', () => [named('town', town)]],
    ])('where its provider is %s, and no other', async (_what, providers) => {
      const { token, isOpen } = await signedIn();
      const other = await product.account();
      const { closed } = await connect(token);
      const people = (await view()).providers.find(({ key }) => key === 'school')?.sessions ?? 0;
      expect(people).toBeGreaterThan(0);
      // What else is changed ends nothing.
      await nameSchool({ name: 'School' });
      expect(await isOpen()).toBe(true);
      await name(...providers());
      expect(await isOpen()).toBe(false);
      expect(await closed).toBe('io server disconnect');
      expect((await other.get('User/profile')).status).toBe(200);
      await nameSchool();
      expect((await view()).providers.map(({ sessions }) => sessions)).toEqual([0, expect.any(Number)]);
      expect(await isOpen()).toBe(false);
    });

    it('here and at the provider, when its owner leaves', async () => {
      const { token } = await signedIn();
      const { body } = await caller(product.url, token).post('Account/logout');
      const address = new URL(body.address);
      expect([address.origin, address.searchParams.get('post_logout_redirect_uri')]).toEqual([
        school.issuer,
        `${product.url}/`,
      ]);
      const { body: own } = await (await product.account()).post('Account/logout');
      expect(own).not.toHaveProperty('address');
    });
  });

  describe('STAFF_SSO=required', () => {
    const at = accountSteps(product, server);

    it('offers the providers of the environment, which nobody changes here', async () => {
      const there = caller(server.url, admin.token);
      const { body } = await there.get('SignOn');
      expect(body.providers).toMatchObject([
        { key: 'city', fixed: true, hasSecret: true },
        { key: 'school', fixed: false },
        { key: 'town', fixed: false },
      ]);
      expect(JSON.stringify(body)).not.toContain('very secret');
      const providers = [{ ...CITY, issuer: 'https://x.example' }];
      expect((await there.put('SignOn', { version: body.version, providers })).status).toBe(400);
      expect((await at.call('GET', 'Account/sign-on')).body).toEqual({
        providers: [{ key: 'city', name: 'City' }, expect.anything(), expect.anything()],
        staffOnly: true,
      });
    });

    it('refuses their passwords, but for local admins, whom the set-up or the command line made', async () => {
      const [reader, auditor, anAdmin, local] = [
        await withPassword(),
        await withPassword('Auditor'),
        await withPassword('Admin'),
        await withPassword('Admin'),
      ];
      await rows(
        `insert into role_change (account_id, changed_by, given, taken, at) values ($1, $2, '{Admin}', '{}', now())`,
        ...[local.id, COMMAND_LINE],
      );
      const logIn = async ({ username }: { username: string }) => {
        const { status, body } = await at.login(username);
        return [status, body.code];
      };
      expect(await logIn(reader)).toEqual([200, undefined]);
      expect(await logIn(auditor)).toEqual([403, 'StaffSignOnRequired']);
      expect(await logIn(anAdmin)).toEqual([403, 'StaffSignOnRequired']);
      expect(await logIn(local)).toEqual([200, undefined]);
      // Who is no admin any more is no local one either.
      await rows(`update account set roles = '{Reader,Auditor}' where id = $1`, local.id);
      expect(await logIn(local)).toEqual([403, 'StaffSignOnRequired']);
    });
  });
});
