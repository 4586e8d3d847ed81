import pg from 'pg';
import type { Database } from '#platform/database/database.js';
import { accountSteps } from '../../../test-support/account-steps.js';
import type { FullAnswer } from '../../../test-support/caller.js';
import { startProduct } from '../../../test-support/product.js';
import { TEST_PASSWORD } from '../../../test-support/registrations.js';
import { shared } from '../../../test-support/shared.js';
import { TestClock } from '../../../test-support/test-clock.js';
import { TooManyAttempts } from '../../http/too-many-attempts.js';
import { AttemptLimit } from './attempt-limit.js';

const FIVE_MINUTES = 300_000;
const WRONG = 'Wrong#2026';

describe('the limit of attempts', () => {
  const clock = new TestClock();
  const product = shared(() =>
    // The addresses that the callers claim count.
    startProduct(clock, { environment: { TRUST_PROXY: '1' }, jobs: { rounds: false } }),
  );
  const { account, login, register, rows } = accountSteps(product);
  /** The connections of another server. */
  const other = shared(() => new pg.Pool({ connectionString: product.settings.DATABASE_URL }));

  const limit = (what: string, attempts = 3, database: Database = product.database) =>
    new AttemptLimit({ what, attempts, windowMs: 60_000 }, database, clock, 'secret');
  const kept = (what: string) => rows('select * from attempt where what = $1', what);
  const count = (answers: FullAnswer[]) =>
    [200, 401, 429].map((status) => answers.filter((answer) => answer.status === status).length);

  it('slides: an attempt is possible again when the oldest one has left the window', async () => {
    const slides = limit('slides');
    await slides.take('a');
    await clock.forward(30_000);
    await slides.take('a');
    await slides.take('a');
    const refused: TooManyAttempts = await slides.take('a').catch((error: unknown) => error as never);
    expect(refused).toBeInstanceOf(TooManyAttempts);
    expect(refused.code).toBe('TooManyAttempts');
    expect(refused.retryAfterSeconds).toBeGreaterThan(0);
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(30);
    await clock.forward(30_001);
    await slides.take('a');
    await expect(slides.take('a')).rejects.toThrow(TooManyAttempts);
  });

  it('counts every key by itself, and forgets one', async () => {
    const keyed = limit('keyed');
    for (let time = 0; time < 3; time += 1) await keyed.take('b');
    await expect(keyed.take('b')).rejects.toThrow(TooManyAttempts);
    await keyed.take('c');
    await keyed.forget('b');
    await keyed.take('b');
  });

  it('does not count an attempt that is given back, and leaves the others', async () => {
    const given = limit('given back');
    const first = await given.take('h');
    await clock.forward(10_000);
    await given.take('h');
    await given.take('h');
    await given.giveBack('h', first);
    await given.giveBack('h', first);
    await given.take('h');
    await expect(given.take('h')).rejects.toThrow(TooManyAttempts);
    await given.giveBack('of nobody', first);
  });

  it('lets exactly so many through, however many come at once and at whichever server', async () => {
    const servers = [limit('at once', 7), limit('at once', 7, other)];
    const through: Record<string, number> = { d: 0, e: 0, f: 0 };
    const attempts = Object.keys(through).flatMap((key) =>
      Array.from({ length: 15 }, () => servers.map((server) => [server, key] as const)).flat(),
    );
    await Promise.all(
      attempts.map(([server, key]) =>
        server.take(key).then(
          () => (through[key] = (through[key] ?? 0) + 1),
          (error: unknown) => expect(error).toBeInstanceOf(TooManyAttempts),
        ),
      ),
    );
    expect(through).toEqual({ d: 7, e: 7, f: 7 });
  });

  it('keeps nothing for longer than it counts', async () => {
    const cleared = limit('cleared');
    for (let each = 0; each < 25; each += 1) await cleared.take(`old ${each}`);
    expect(await kept('cleared')).toHaveLength(25);
    await clock.forward(60_001);
    for (let each = 0; each < 5; each += 1) await cleared.take(`new ${each}`);
    expect(await kept('cleared')).toHaveLength(5);
  });

  it('lets nobody through where the database does not answer', async () => {
    const away = new pg.Pool({ connectionString: 'postgres://nobody@127.0.0.1:1/none' });
    await expect(limit('away', 3, away).take('g')).rejects.toThrow(/ECONNREFUSED/);
    await away.end();
  });

  it('is one for several servers, holds after a restart, and keeps neither name nor address', async () => {
    const { username, email } = await register();
    const second = accountSteps(product, await product.startServer());
    const guesses = Array.from({ length: 12 }, () => [login(email, WRONG), second.login(email, WRONG)]);
    const answers = await Promise.all(guesses.flat());
    expect(count(answers)).toEqual([0, 10, 14]);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body.detail).toBe('Too many attempts. Please try again in 15 minutes.');
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(850);

    const restarted = accountSteps(product, await product.startServer());
    expect((await restarted.login(email, WRONG)).status).toBe(429);
    const text = JSON.stringify([await kept('guess'), await kept('register')]);
    expect(text).toContain('account_id');
    expect(text).not.toMatch(/127\.0\.0\.1|::1/);
    expect(text).not.toContain(username);
  });

  describe('of guesses', () => {
    // Each test has its allowance.
    beforeEach(() => clock.forward(3 * FIVE_MINUTES + 1));

    const signIn = (username: string, address: string, password = TEST_PASSWORD, cookie = '') =>
      login(username, password, { headers: { 'x-forwarded-for': address, ...(cookie && { cookie }) } });
    const guess = (username: string, address: string) => signIn(username, address, WRONG);
    /** The cookie by which a browser is known again. */
    const cookieAt = async (username: string, address: string) =>
      ((await signIn(username, address)).headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const letters = (id: string) =>
      rows(`select kind from letters.letter where account_id = $1 and kind = 'guessed-at'`, id);

    it('slows one address that tries many names, and lets a browser in that was there before', async () => {
      const [owner, newcomer] = [await account(), await account()];
      const cookie = await cookieAt(owner.username, '192.0.2.1');
      expect(cookie).toMatch(/^lectern-browser=[\w-]{43}$/);
      const answers = [];
      for (let round = 0; round < 6; round += 1) {
        const tried = Array.from({ length: 10 }, (_, each) => guess(`name-${round}-${each}`, '192.0.2.1'));
        answers.push(...(await Promise.all(tried)));
      }
      expect(count(answers)).toEqual([0, 40, 20]);
      expect((await signIn(newcomer.username, '192.0.2.1')).status).toBe(429);
      expect((await signIn(newcomer.username, '192.0.2.2')).status).toBe(200);
      expect((await signIn(owner.username, '192.0.2.1', TEST_PASSWORD, cookie)).status).toBe(200);
      expect((await signIn(newcomer.username, '192.0.2.1', TEST_PASSWORD, cookie)).status).toBe(429);
    });

    it('counts the addresses of one IPv6 network as one, as every household has 2^64 of them', async () => {
      const tried = Array.from({ length: 50 }, (_, each) =>
        guess(`name-${each}`, `2001:db8:0:7::${(each + 1).toString(16)}`),
      );
      expect(count(await Promise.all(tried))).toEqual([0, 40, 10]);
      expect((await guess('another', '2001:db8:0:8::1')).status).toBe(401);
    });

    it('counts no sign-in that succeeds: a school behind one address comes in at once', async () => {
      const pupils = await Promise.all(Array.from({ length: 45 }, () => account()));
      const answers = await Promise.all(pupils.map(({ username }) => signIn(username, '192.0.2.10')));
      expect(count(answers)).toEqual([45, 0, 0]);
    });

    it('slows four addresses that try one account by both its names, and never its owner', async () => {
      const owner = await account();
      const browser = await cookieAt(owner.username, '198.51.100.1');
      const addresses = ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4'];
      const attack = async () => {
        const tried = Array.from({ length: 12 }, (_, each) =>
          addresses.map((address) => guess(each % 2 ? owner.email : owner.username.toUpperCase(), address)),
        );
        return count(await Promise.all(tried.flat()));
      };
      expect(await attack()).toEqual([0, 20, 28]);
      expect(await letters(owner.id)).toHaveLength(1);

      // Where they signed in before: at their address with another browser, by their browser elsewhere.
      expect((await signIn(owner.email, '198.51.100.1')).status).toBe(200);
      expect((await signIn(owner.email, '198.51.100.2', TEST_PASSWORD, browser)).status).toBe(200);

      // And in a new place after a wait, while the attack goes on.
      const waits = await signIn(owner.username, '198.51.100.99');
      expect(waits.status).toBe(429);
      expect(Number(waits.headers.get('retry-after'))).toBeLessThanOrEqual(300);
      await clock.forward(FIVE_MINUTES / 2);
      expect((await signIn(owner.username, '198.51.100.99')).status).toBe(429);
      await clock.forward(FIVE_MINUTES / 2);
      const [, through] = await attack();
      expect(through).toBeLessThanOrEqual(addresses.length);
      expect((await signIn(owner.username, '198.51.100.99')).status).toBe(200);
      expect(await letters(owner.id)).toHaveLength(1);
    });

    it('limits a name that nobody has in the same way', async () => {
      const tried = Array.from({ length: 12 }, () =>
        ['203.0.113.11', '203.0.113.12', '203.0.113.13', '203.0.113.14'].map((address) =>
          guess('nobody-at-all', address),
        ),
      );
      expect(count(await Promise.all(tried.flat()))).toEqual([0, 20, 28]);
    });

    it('keeps neither addresses nor browsers in words', async () => {
      const owner = await account();
      const cookie = await cookieAt(owner.username, '192.0.2.77');
      const known = await rows('select digest::text from known_origin where account_id = $1', owner.id);
      expect(known).toHaveLength(2);
      expect(JSON.stringify(known)).not.toMatch(/192\.0\.2\.77/);
      expect(JSON.stringify(known)).not.toContain(cookie.split('=')[1]);
    });
  });
});
