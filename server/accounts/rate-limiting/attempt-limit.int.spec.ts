import type { NestExpressApplication } from '@nestjs/platform-express';
import { openDatabase, type Database } from '#platform/database/database.js';
import { createLogger } from '#platform/logging.js';
import { createTestDatabase } from '../../../test-support/database.js';
import { registration, TEST_PASSWORD, TEST_PASSWORD_HASH } from '../../../test-support/registrations.js';
import { startTestServer, type TestAnswer, type TestServer } from '../../../test-support/server-app.js';
import { TestClock } from '../../../test-support/test-clock.js';
import { atEnd, shared } from '../../../test-support/shared.js';
import { TooManyAttempts } from '../../http/too-many-attempts.js';
import { AccountsModule } from '../accounts.module.js';
import { AttemptLimit } from './attempt-limit.js';
import { createAccount } from '../registration/create-account.js';

describe('the limit of attempts', () => {
  const databases: Database[] = [];
  const clock = new TestClock();

  const testDatabase = shared(() => createTestDatabase('migrated'));
  beforeAll(() => {
    for (let server = 0; server < 2; server += 1) {
      databases.push(openDatabase(testDatabase.url, 8, createLogger('silent')));
    }
  });
  atEnd(async () => {
    for (const database of databases) await database.end();
  });

  /** The same limit in as many servers as there are databases open. */
  const limits = (what: string, attempts = 3) =>
    databases.map(
      (database) => new AttemptLimit({ what, attempts, windowMs: 60_000 }, database, clock, 'secret'),
    );
  const limit = (what: string): AttemptLimit => {
    const [one] = limits(what);
    if (!one) throw new Error('There is no database.');
    return one;
  };
  const refusal = (attempt: Promise<unknown>) =>
    attempt.then(
      () => undefined,
      (error: unknown) => error,
    );
  const rows = async (what: string) => {
    const counted = await databases[0]?.query('select * from attempt where what = $1', [what]);
    return counted?.rows ?? [];
  };

  it('slides: an attempt is possible again when the oldest one has left the window', async () => {
    const slides = limit('slides');
    await slides.take('a');
    await clock.forward(30_000);
    await slides.take('a');
    await slides.take('a');
    const refused = await refusal(slides.take('a'));
    expect(refused).toBeInstanceOf(TooManyAttempts);
    expect(refused).toMatchObject({ code: 'TooManyAttempts' });
    expect((refused as TooManyAttempts).retryAfterSeconds).toBeGreaterThan(0);
    expect((refused as TooManyAttempts).retryAfterSeconds).toBeLessThanOrEqual(30);
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
    const servers = limits('at once', 7);
    const keys = ['d', 'e', 'f'];
    const through = Object.fromEntries(keys.map((key) => [key, 0]));
    await Promise.all(
      Array.from({ length: 90 }, async (_, index) => {
        const key = keys[index % keys.length] ?? '';
        const refused = await refusal(
          servers[index % servers.length]?.take(key) ??
            Promise.reject<Date>(new Error('There is no such server.')),
        );
        if (refused === undefined) through[key] = (through[key] ?? 0) + 1;
        else expect(refused).toBeInstanceOf(TooManyAttempts);
      }),
    );
    expect(through).toEqual({ d: 7, e: 7, f: 7 });
  });

  it('keeps nothing for longer than it counts', async () => {
    const cleared = limit('cleared');
    for (let each = 0; each < 25; each += 1) await cleared.take(`old ${each}`);
    expect(await rows('cleared')).toHaveLength(25);
    await clock.forward(60_001);
    for (let each = 0; each < 5; each += 1) await cleared.take(`new ${each}`);
    expect(await rows('cleared')).toHaveLength(5);
  });

  it('lets nobody through where the database does not answer', async () => {
    const away = openDatabase('postgres://nobody@127.0.0.1:1/none', 1, createLogger('silent'));
    const closed = new AttemptLimit({ what: 'away', attempts: 3, windowMs: 60_000 }, away, clock, 'secret');
    await expect(closed.take('g')).rejects.toThrow(/ECONNREFUSED/);
    await away.end();
  });

  describe('of two servers', () => {
    const servers: TestServer[] = [];
    const start = async () => {
      const server = await startTestServer(testDatabase.url, [AccountsModule]);
      servers.push(server);
      return server;
    };
    afterAll(() => Promise.all(servers.map((server) => server.stop())));

    it('is one, holds after a restart, and keeps neither name nor address', async () => {
      const [first, second] = [await start(), await start()];
      const account = registration();
      expect((await first.call('POST', 'Account/register', { body: account })).status).toBe(201);
      const guess = (server: TestServer) =>
        server.call('POST', 'Account/login', { body: { username: account.email, password: 'Wrong#2026' } });
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => [guess(first), guess(second)]).flat(),
      );
      const count = (status: number) => answers.filter((answer) => answer.status === status).length;
      expect([count(401), count(429)]).toEqual([10, 14]);
      const refused = answers.find(({ status }) => status === 429);
      expect(refused?.body.detail).toBe('Too many attempts. Please try again in 15 minutes.');
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(850);

      expect((await guess(await start())).status).toBe(429);
      const kept = JSON.stringify([await rows('guess'), await rows('register')]);
      expect(kept).toContain('account_id');
      expect(kept).not.toMatch(/127\.0\.0\.1|::1/);
      expect(kept).not.toContain(account.username);
    });
  });

  describe('of guesses', () => {
    const FIVE_MINUTES = 300_000;

    const server = shared(() => startTestServer(testDatabase.url, [AccountsModule]));
    beforeAll(() => {
      // The addresses that the callers claim count.
      (server.app as NestExpressApplication).set('trust proxy', 1);
    });
    // Each test has its allowance.
    beforeEach(() => server.clock.forward(3 * FIVE_MINUTES + 1));

    async function account() {
      const { password: _password, confirmPassword: _same, ...person } = registration();
      const { id } = await createAccount(
        server.dataSource.manager,
        { ...person, passwordHash: TEST_PASSWORD_HASH, roles: ['Reader'], emailConfirmed: true },
        server.clock.now(),
      );
      return { ...person, id };
    }
    const signIn = (username: string, address: string, password = TEST_PASSWORD, cookie = '') =>
      server.call('POST', 'Account/login', {
        body: { username, password },
        headers: { 'x-forwarded-for': address, ...(cookie && { cookie }) },
      });
    const guess = (username: string, address: string) => signIn(username, address, 'Wrong#2026');
    const letters = async (id: string) => {
      const { rows } = await server.database.query(
        `select from letters.letter where account_id = $1 and kind = 'guessed-at'`,
        [id],
      );
      return rows.length;
    };
    const cookieOf = ({ headers }: TestAnswer) => (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const count = (answers: TestAnswer[]) =>
      [200, 401, 429].map((status) => answers.filter((answer) => answer.status === status).length);

    it('slows one address that tries many names, and lets a browser in that was there before', async () => {
      const [owner, newcomer] = [await account(), await account()];
      const cookie = cookieOf(await signIn(owner.username, '192.0.2.1'));
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
      const pupils = await Promise.all(Array.from({ length: 45 }, account));
      const answers = await Promise.all(pupils.map(({ username }) => signIn(username, '192.0.2.10')));
      expect(count(answers)).toEqual([45, 0, 0]);
    });

    it('slows four addresses that try one account by both its names, and never its owner', async () => {
      const owner = await account();
      const browser = cookieOf(await signIn(owner.username, '198.51.100.1'));
      const addresses = ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4'];
      const attack = async () => {
        const tried = Array.from({ length: 12 }, (_, each) =>
          addresses.map((address) => guess(each % 2 ? owner.email : owner.username.toUpperCase(), address)),
        );
        return count(await Promise.all(tried.flat()));
      };
      expect(await attack()).toEqual([0, 20, 28]);
      expect(await letters(owner.id)).toBe(1);

      // Where they signed in before: at their address with another browser, by their browser elsewhere.
      expect((await signIn(owner.email, '198.51.100.1')).status).toBe(200);
      expect((await signIn(owner.email, '198.51.100.2', TEST_PASSWORD, browser)).status).toBe(200);

      // And in a new place after a wait, while the attack goes on.
      const waits = await signIn(owner.username, '198.51.100.99');
      expect(waits.status).toBe(429);
      expect(Number(waits.headers.get('retry-after'))).toBeLessThanOrEqual(300);
      server.clock.forward(FIVE_MINUTES / 2);
      expect((await signIn(owner.username, '198.51.100.99')).status).toBe(429);
      server.clock.forward(FIVE_MINUTES / 2);
      const [, through] = await attack();
      expect(through).toBeLessThanOrEqual(addresses.length);
      expect((await signIn(owner.username, '198.51.100.99')).status).toBe(200);
      expect(await letters(owner.id)).toBe(1);
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
      const cookie = cookieOf(await signIn(owner.username, '192.0.2.77'));
      const { rows: known } = await server.database.query(
        'select digest::text from known_origin where account_id = $1',
        [owner.id],
      );
      expect(known).toHaveLength(2);
      expect(JSON.stringify(known)).not.toMatch(/192\.0\.2\.77/);
      expect(JSON.stringify(known)).not.toContain(cookie.split('=')[1]);
    });
  });
});
