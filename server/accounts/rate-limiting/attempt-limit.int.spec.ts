import pg from 'pg';
import type { Database } from '#platform/database/database.js';
import { createTestDatabase } from '../../../test-support/database/database.js';
import { shared } from '../../../test-support/shared.js';
import { TestClock } from '../../../test-support/test-clock.js';
import { TooManyAttempts } from '../../http/too-many-attempts.js';
import { AttemptLimit } from './attempt-limit.js';

describe('the limit of attempts', () => {
  const clock = new TestClock();
  const testDatabase = shared(() => createTestDatabase('migrated'));
  /** The connections of two servers. */
  const [one, other] = [1, 2].map(() =>
    shared(() => new pg.Pool({ connectionString: testDatabase.url })),
  ) as [pg.Pool, pg.Pool];

  const limit = (what: string, attempts = 3, database: Database = one) =>
    new AttemptLimit({ what, attempts, windowMs: 60_000 }, database, clock, 'secret');
  const kept = async (what: string) => (await one.query('select from attempt where what = $1', [what])).rows;

  it('slides: an attempt is possible again when the oldest one has left the window', async () => {
    const slides = limit('slides');
    await slides.take('a');
    await clock.forward(30_000);
    await slides.take('a');
    await slides.take('a');
    const refused = (await slides.take('a').catch((error: unknown) => error)) as TooManyAttempts;
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
});
