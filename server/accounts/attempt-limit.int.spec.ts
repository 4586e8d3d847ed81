import { openDatabase, type Database } from '#platform/database/database.js';
import { createLogger } from '#platform/logging.js';
import { createTestDatabase, type TestDatabase } from '../../test-support/database.js';
import { registration } from '../../test-support/registrations.js';
import { startTestServer, type TestServer } from '../../test-support/server-app.js';
import { TestClock } from '../../test-support/test-clock.js';
import { TooManyAttempts } from '../http/too-many-attempts.js';
import { AccountsModule } from './accounts.module.js';
import { AttemptLimit } from './attempt-limit.js';

describe('the limit of attempts', () => {
  let testDatabase: TestDatabase;
  const databases: Database[] = [];
  const clock = new TestClock();

  beforeAll(async () => {
    testDatabase = await createTestDatabase('migrated');
    for (let server = 0; server < 2; server += 1) {
      databases.push(openDatabase(testDatabase.url, 8, createLogger('silent')));
    }
  });
  afterAll(async () => {
    for (const database of databases) await database.end();
    await testDatabase.drop();
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
  const refusal = (attempt: Promise<void>) =>
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
    clock.forward(30_000);
    await slides.take('a');
    await slides.take('a');
    const refused = await refusal(slides.take('a'));
    expect(refused).toBeInstanceOf(TooManyAttempts);
    expect(refused).toMatchObject({ code: 'TooManyAttempts' });
    expect((refused as TooManyAttempts).retryAfterSeconds).toBeGreaterThan(0);
    expect((refused as TooManyAttempts).retryAfterSeconds).toBeLessThanOrEqual(30);
    clock.forward(30_001);
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

  it('lets exactly so many through, however many come at once and at whichever server', async () => {
    const servers = limits('at once', 7);
    const keys = ['d', 'e', 'f'];
    const through = Object.fromEntries(keys.map((key) => [key, 0]));
    await Promise.all(
      Array.from({ length: 90 }, async (_, index) => {
        const key = keys[index % keys.length] ?? '';
        const refused = await refusal(
          servers[index % servers.length]?.take(key) ?? Promise.reject(new Error('There is no such server.')),
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
    clock.forward(60_001);
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
      const kept = JSON.stringify([await rows('sign-in'), await rows('register')]);
      expect(kept).toContain('account_id');
      expect(kept).not.toMatch(/127\.0\.0\.1|::1/);
      expect(kept).not.toContain(account.username);
    });
  });
});
