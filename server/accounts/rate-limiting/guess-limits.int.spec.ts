import { accountSteps } from '../../../test-support/product/account-steps.js';
import type { FullAnswer } from '../../../test-support/product/caller.js';
import { addCodeApp } from '../../../test-support/product/code-app.js';
import { startProduct } from '../../../test-support/product/product.js';
import { TEST_PASSWORD } from '../../../test-support/product/registrations.js';
import { shared } from '../../../test-support/shared.js';
import { TestClock } from '../../../test-support/test-clock.js';

const PAGE = 'https://library.example';
const MINUTE = 60_000;
const WRONG = 'Wrong#2026';
const WRONG_CODE = '000000';

describe('the limit of guesses', () => {
  const clock = new TestClock();
  const product = shared(() =>
    // The addresses that callers claim count.
    startProduct(clock, { environment: { TRUST_PROXY: '1' }, jobs: { rounds: false } }),
  );
  /** Behind a proxy whose word on callers does not count: all of them have one address. */
  const oneAddress = shared(() => product.startServer({ TRUST_PROXY: 0, PUBLIC_URL: PAGE }));
  const { account, login, post, rows } = accountSteps(product);
  const atOneAddress = accountSteps(product, oneAddress);
  // Each test has its allowance.
  beforeEach(() => clock.forward(16 * MINUTE));

  const from = (address: string, cookie = '') => ({
    headers: { 'x-forwarded-for': address, ...(cookie && { cookie }) },
  });
  const by = (cookie = '') => ({ headers: { origin: PAGE, ...(cookie && { cookie }) } });
  const signIn = (username: string, address: string, password = TEST_PASSWORD, cookie?: string) =>
    login(username, password, from(address, cookie));
  const guess = (username: string, address: string) => signIn(username, address, WRONG);
  /** By which a browser is known again. */
  const cookieOf = ({ headers }: FullAnswer) => (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const letters = (id: string) =>
    rows(
      `select data ->> 'secret' as about from letters.letter where kind = 'guessed-at' and account_id = $1`,
      id,
    );
  const times = (length: number, call: (each: number) => Promise<FullAnswer>) =>
    Promise.all(Array.from({ length }, (_, each) => call(each)));
  const count = async (tried: Promise<FullAnswer[]>, ...statuses: number[]) => {
    const answers = await tried;
    return statuses.map((status) => answers.filter((answer) => answer.status === status).length);
  };

  /** As if attempts had been counted so often at whatever was tried in this test. */
  const spend = (what: string, attempts: number) =>
    rows('update attempt set at = array_fill(at[1], array[$2::integer]) where what = $1', what, attempts);

  describe('at a password', () => {
    const crowd = shared(() => Promise.all(Array.from({ length: 45 }, () => account())));
    const nameOf = (each: number) => crowd[each % crowd.length]?.username ?? '';

    it('is ten of one account, for all servers together, and keeps neither name nor address', async () => {
      const { username, email } = await account();
      const tried = times(12, () => login(email, WRONG));
      expect(await count(tried, 401, 429)).toEqual([10, 2]);
      // By its other name, in another case and with the right password too.
      const refused = await atOneAddress.login(username.toUpperCase());
      expect(refused.body.detail).toBe('Too many attempts. Please try again in 15 minutes.');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(850);
      const kept = JSON.stringify(await rows(`select * from attempt where what = 'guess'`));
      expect(kept).toContain('account_id');
      expect(kept).not.toMatch(/127\.0\.0\.1|::1/);
      expect(kept).not.toContain(username);
      await clock.forward(15 * MINUTE);
      expect((await login(username)).status).toBe(200);
    });

    it('slows one address that tries many names, and lets a browser in that was there before', async () => {
      const [owner, newcomer] = [await account(), await account()];
      const cookie = cookieOf(await signIn(owner.username, '192.0.2.1'));
      expect(cookie).toMatch(/^lectern-browser=[\w-]{43}$/);
      const tried = times(60, (each) => guess(nameOf(each), '192.0.2.1'));
      expect(await count(tried, 401, 429)).toEqual([40, 20]);
      expect((await signIn(newcomer.username, '192.0.2.1')).status).toBe(429);
      expect((await signIn(newcomer.username, '192.0.2.2')).status).toBe(200);
      expect((await signIn(owner.username, '192.0.2.1', TEST_PASSWORD, cookie)).status).toBe(200);
      expect((await signIn(newcomer.username, '192.0.2.1', TEST_PASSWORD, cookie)).status).toBe(429);
    });

    it('counts the addresses of one IPv6 network as one, as every household has 2^64 of them', async () => {
      expect((await guess(nameOf(1), '2001:db8:0:7::1')).status).toBe(401);
      await spend('guess-from-address', 39);
      expect((await guess(nameOf(2), '2001:db8:0:7::2')).status).toBe(401);
      expect((await guess(nameOf(3), '2001:db8:0:7::3')).status).toBe(429);
      expect((await guess(nameOf(4), '2001:db8:0:8::1')).status).toBe(401);
    });

    it('counts no sign-in that succeeds: a school behind one address comes in at once', async () => {
      const tried = times(45, (each) => signIn(nameOf(each), '192.0.2.10'));
      expect(await count(tried, 200)).toEqual([45]);
    });

    it('slows four addresses that try one account by both its names, and never its owner', async () => {
      const { id, username, email } = await account();
      const browser = cookieOf(await signIn(username, '198.51.100.1'));
      const attack = () =>
        count(
          times(48, (each) => guess(each % 8 < 4 ? email : username.toUpperCase(), `203.0.113.${each % 4}`)),
          ...[401, 429],
        );
      expect(await attack()).toEqual([20, 28]);
      expect(await letters(id)).toEqual([{ about: 'password' }]);

      // Where they signed in before: at their address with another browser, by their browser elsewhere.
      expect((await signIn(email, '198.51.100.1')).status).toBe(200);
      expect((await signIn(email, '198.51.100.2', TEST_PASSWORD, browser)).status).toBe(200);

      // And in a new place after a wait, while the attack goes on.
      const waits = await signIn(username, '198.51.100.99');
      expect(waits.status).toBe(429);
      expect(Number(waits.headers.get('retry-after'))).toBeLessThanOrEqual(300);
      await clock.forward(2.5 * MINUTE);
      expect((await signIn(username, '198.51.100.99')).status).toBe(429);
      await clock.forward(2.5 * MINUTE);
      const [through] = await attack();
      expect(through).toBeLessThanOrEqual(4);
      expect((await signIn(username, '198.51.100.99')).status).toBe(200);
      expect(await letters(id)).toHaveLength(1);
    });

    it('is the same for a name that nobody has', async () => {
      expect((await guess('nobody-at-all', '203.0.113.1')).status).toBe(401);
      await spend('guess-at-account', 19);
      expect((await guess('nobody-at-all', '203.0.113.2')).status).toBe(401);
      expect((await guess('nobody-at-all', '203.0.113.3')).status).toBe(429);
    });

    it('knows addresses and browsers again, and keeps neither in words', async () => {
      const { id, username } = await account();
      const cookie = cookieOf(await signIn(username, '192.0.2.77'));
      const known = await rows('select digest::text from known_origin where account_id = $1', id);
      expect(known).toHaveLength(2);
      expect(JSON.stringify(known)).not.toMatch(/192\.0\.2\.77/);
      expect(JSON.stringify(known)).not.toContain(cookie.split('=')[1]);
    });

    it('keeps out no browser that is known where all have one address, and gives it no more than others', async () => {
      const [owner, other] = [await account(), await account()];
      const enter = (username: string, password = TEST_PASSWORD, cookie?: string) =>
        atOneAddress.login(username, password, by(cookie));
      const cookies = [cookieOf(await enter(owner.username)), cookieOf(await enter(other.username))];
      const [cookie, others] = cookies;
      for (const each of cookies) expect(each).toMatch(/^__Host-lectern-browser=[\w-]{43}$/);
      await times(12, () => enter(owner.username, WRONG));
      await spend('guess-from-address', 40);
      expect((await enter(nameOf(0), WRONG)).status).toBe(429);

      const status = async (...tried: Parameters<typeof enter>) => (await enter(...tried)).status;
      expect(await status(owner.username)).toBe(429);
      expect(await status(owner.username, TEST_PASSWORD, cookie)).toBe(200);
      // Of another account, and one that nobody was ever given.
      expect(await status(owner.username, TEST_PASSWORD, others)).toBe(429);
      const made = `__Host-lectern-browser=${'a'.repeat(43)}`;
      expect(await status(owner.username, TEST_PASSWORD, made)).toBe(429);

      const wrong = times(12, () => enter(owner.username, WRONG, cookie));
      expect(await count(wrong, 401, 429)).toEqual([10, 2]);
      expect(await status(owner.username, TEST_PASSWORD, cookie)).toBe(429);
      expect(await status(other.username, TEST_PASSWORD, others)).toBe(200);
    });
  });

  describe('at the code of an app', () => {
    /** Somebody with a code app, who has signed in before. */
    const withCodeApp = async () => {
      const owner = await account();
      const known = await atOneAddress.login(owner.username, TEST_PASSWORD, by());
      const token = (await signIn(owner.username, '198.51.100.1')).body.token as string;
      const app = await addCodeApp(product.url, token, clock);
      const give = async (address: string, proof: object) => {
        const { ticket } = (await signIn(owner.username, address)).body.secondFactor;
        return (await post('login/second-factor', { ticket, ...proof }, from(address))).status;
      };
      return { ...owner, ...app, token, cookie: cookieOf(known), give };
    };

    it('is eight from one place, however many tickets there are', async () => {
      const { token, give, code, recoveryCodes } = await withCodeApp();
      const address = '198.51.100.1';
      for (let time = 0; time < 8; time += 1) expect(await give(address, { code: WRONG_CODE })).toBe(400);
      expect(await give(address, { code: await code() })).toBe(429);
      // What nobody can guess still lets in, and whoever has a session confirms in it.
      const confirmed = await post('confirm', { code: await code() }, { token, ...from(address) });
      expect(confirmed.status).toBe(200);
      expect(await give(address, { recoveryCode: recoveryCodes[0] })).toBe(200);
      expect(await give(address, { code: await code() })).toBe(429);
      await clock.forward(16 * MINUTE);
      expect(await give(address, { code: await code() })).toBe(200);
    });

    it('lets its owner in where they were before, whoever has the password and tries codes elsewhere', async () => {
      const { id, give, code, recoveryCodes } = await withCodeApp();
      const tried: number[] = [];
      for (let time = 0; time < 16; time += 1)
        tried.push(await give(`203.0.113.${Math.floor(time / 4)}`, { code: WRONG_CODE }));
      expect(tried).toEqual([...Array<number>(10).fill(400), ...Array<number>(6).fill(429)]);

      const fromNewPlace = async () => give('192.0.2.9', { code: await code() });
      expect(await fromNewPlace()).toBe(429);
      expect(await give('198.51.100.1', { code: await code() })).toBe(200);
      expect(await give('192.0.2.8', { recoveryCode: recoveryCodes[0] })).toBe(200);
      await clock.forward(5 * MINUTE);
      expect(await fromNewPlace()).toBe(200);
      expect(await letters(id)).toEqual([{ about: 'code' }]);
    });

    it('is a hundred a day elsewhere, from however many addresses, and keeps out no browser that is known', async () => {
      const { username, give: giveAt, code, cookie } = await withCodeApp();
      const guessAt = (address: string) => giveAt(address, { code: WRONG_CODE });
      expect(await guessAt('203.0.113.1')).toBe(400);
      await spend('code-guess-in-a-day', 99);
      expect(await guessAt('203.0.113.2')).toBe(400);
      for (let quarter = 0; quarter < 3; quarter += 1) {
        expect(await guessAt(`203.0.113.${quarter}`)).toBe(429);
        await clock.forward(16 * MINUTE);
      }

      const ticketOf = async () =>
        (await atOneAddress.login(username, TEST_PASSWORD, by(cookie))).body.secondFactor.ticket as string;
      const give = (proof: object, own?: string) => atOneAddress.post('login/second-factor', proof, by(own));
      const proof = { ticket: await ticketOf(), code: await code() };
      expect((await give(proof)).status).toBe(429);
      const done = await give(proof, cookie);
      expect([done.status, done.body.username]).toEqual([200, username]);
      // Its own guesses are counted: a stolen browser tries no more codes than others.
      const ticket = await ticketOf();
      const own = times(9, () => give({ ticket, code: WRONG_CODE }, cookie));
      expect(await count(own, 400, 429)).toEqual([8, 1]);
    });
  });

  it('of sign-ins by a passkey that are begun is one for an address, and another for a browser that is known', async () => {
    const { username } = await account();
    const cookie = cookieOf(await atOneAddress.login(username, TEST_PASSWORD, by()));
    const begin = (own?: string) => atOneAddress.post('login/passkey-options', {}, by(own));
    expect((await begin()).status).toBe(200);
    await spend('passkey-sign-in', 299);
    const begun = times(2, () => begin());
    expect(await count(begun, 200, 429)).toEqual([1, 1]);
    expect((await begin(`__Host-lectern-browser=${'b'.repeat(43)}`)).status).toBe(429);
    expect((await begin(cookie)).status).toBe(200);
  });
});
