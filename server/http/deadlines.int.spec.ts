import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { io } from 'socket.io-client';
import { LIVE_PATH } from '#contracts/live/live-messages.js';
import { createTestDatabase } from '../../test-support/database/database.js';
import { startProduct, type TestAccount } from '../../test-support/product/product.js';
import {
  startDatabaseRelay,
  startStoreRelay,
  type StoreRelay,
} from '../../test-support/installation/relay.js';
import { shared } from '../../test-support/shared.js';
import { waitFor } from '../../test-support/wait-for.js';

/** Milliseconds; far less than the product has. */
const ANSWERED_WITHIN = 2_000;

interface Told {
  status: number;
  code: string | undefined;
  detail: string | undefined;
  retryAfter: string | null;
}

describe('a part that accepts and never answers', () => {
  let toStore: StoreRelay;
  const database = shared(() => createTestDatabase('migrated'));
  const toDatabase = shared(() => startDatabaseRelay(database.url));
  const direct = shared(() => new pg.Pool({ connectionString: database.url }));
  const product = shared(
    () =>
      startProduct(undefined, {
        databaseUrl: toDatabase.url,
        answeredWithin: ANSWERED_WITHIN,
        // What waits for a lock is to be of the calls alone.
        jobs: { rounds: false },
        environment: { HOLD_STALE_SECONDS: '3600' },
        before: async (url) => (toStore = await startStoreRelay(url)).url,
      }),
    async (started) => {
      await started.close();
      await toStore.close();
    },
  );
  const reader = shared(() => product.account());
  const admin = shared(() => product.account('Admin'));
  const auditor = shared(() => product.account('Auditor'));
  let [book, other, third] = [0, 0, 0];

  beforeAll(async () => {
    [book, other, third] = [await product.book(5, 'Solaris'), await product.book(5), await product.book(5)];
    // From here on the server knows their sessions, and each call gets as far as its own questions.
    await Promise.all([reader, admin, auditor].map((each) => each.get('User/profile')));
  });
  afterEach(() => {
    toDatabase.restore();
    toStore.restore();
  });

  const call = async (
    method: string,
    path: string,
    { body, as, key }: { body?: unknown; as?: TestAccount; key?: string } = {},
  ): Promise<Told> => {
    const response = await fetch(`${product.url}/api/${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(as && { authorization: `Bearer ${as.token}` }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const { code, detail } = (response.ok ? {} : JSON.parse(text)) as { code?: string; detail?: string };
    return { status: response.status, code, detail, retryAfter: response.headers.get('retry-after') };
  };
  const rent = (key: string, id = book) =>
    call('POST', 'Borrow/rent-books', { body: { bookIds: [id] }, as: reader, key });
  const login = { username: 'nobody@lectern.example', password: 'Sekret#2026' };
  const allocations = async (of: number) => {
    const { rows } = await direct.query<{ n: number }>(
      'select count(*)::int as n from copy_allocation where book_id = $1',
      [of],
    );
    return rows[0]?.n;
  };
  /** That their books are ready, after which nothing of that rent is left to be done. */
  const lettersToReader = async () => {
    const { rows } = await direct.query<{ email: string }>('select email from account where id = $1', [
      reader.id,
    ]);
    return product.letters(rows[0]?.email ?? '');
  };
  const ready = async () => {
    const answer = await fetch(`${product.url}/readyz?strict`);
    return answer.ok;
  };

  it('the database: each kind of call is answered 503, and all goes on by itself', async () => {
    const stranger = await product.account();
    toDatabase.silence();
    const key = randomUUID();
    const [reads, writes, readiness, measured, live] = await Promise.all([
      Promise.all([
        call('GET', 'Book?pageNumber=1&pageSize=12&searchTerm=sol'),
        call('GET', `Book/${book}`),
        call('GET', 'Borrow/history', { as: reader }),
        call('GET', 'Borrow?pageNumber=1&pageSize=5', { as: admin }),
        call('GET', `Audit/readers/${reader.id}/timeline`, { as: auditor }),
        call('GET', `Audit/readers/${reader.id}/export`, { as: auditor }),
        call('GET', 'BookExternalFetch/fetch-from-external?isbn=9780306406157', { as: admin }),
      ]),
      Promise.all([
        rent(key),
        call('POST', 'Account/login', { body: login }),
        call('POST', 'Account/forgot-password', { body: { email: login.username } }),
        call('POST', 'Genre/add', { body: { name: 'Fiction', description: 'What never was.' }, as: admin }),
      ]),
      ready(),
      fetch(`${product.url}/metrics`),
      liveRefusal(stranger.token),
    ]);
    const answers = [...reads, ...writes];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
    expect(answers.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true);
    expect(new Set(reads.map(({ code }) => code))).toEqual(new Set(['DatabaseUnavailable']));
    // A statement may be carried out when the database goes on: nobody is told that nothing happened.
    for (const { detail } of writes) expect(detail).toMatch(/may or may not have been done/);
    expect([readiness, measured.status, live]).toEqual([false, 200, 'Unexpected']);

    toDatabase.restore();
    await waitFor(ready);
    // With the same key, whatever became of the first attempt. Connections of before may still be found broken.
    await waitFor(async () => (await rent(key)).status === 200);
    expect(await allocations(book)).toBe(1);
    await waitFor(async () => {
      const again = await Promise.all([
        call('GET', 'Book?pageNumber=1&pageSize=12&searchTerm=sol'),
        call('GET', 'Borrow/history', { as: reader }),
        call('GET', `Audit/readers/${reader.id}/timeline`, { as: auditor }),
      ]);
      return again.every(({ status }) => status === 200);
    });
  });

  it('a lock that is not given: the statement is given up at the server too', async () => {
    await waitFor(async () => (await lettersToReader()).length > 0);
    const holder = await direct.connect();
    await holder.query('begin');
    await holder.query('lock table book in access exclusive mode');
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, () => call('GET', `Book/${book}`)),
      rent(randomUUID()),
    ]);
    expect(new Set(answers.map(({ status, code }) => `${status} ${code}`))).toEqual(
      new Set(['503 DatabaseUnavailable']),
    );
    // While the lock is still held: nothing of theirs waits for it. The keeper of holds, which looks every few seconds, may wait
    // for longer, as nobody waits for it.
    await waitFor(async () => {
      const { rows } = await direct.query(
        `select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query not like '%from hold where state = ''bound''%'`,
      );
      return rows.length === 0;
    });
    await holder.query('rollback');
    holder.release();
    await waitFor(async () => (await call('GET', `Book/${book}`)).status === 200);
    // What the server does by itself is idle between two statements too, but not for long.
    await waitFor(async () => {
      const { rows } = await direct.query(
        `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
      );
      return rows.length === 0;
    });
  });

  it('the event store: commands and histories are answered 503, lists are read, and all goes on by itself', async () => {
    toStore.silence();
    const key = randomUUID();
    const [rented, borrow, timeline, past, list] = await Promise.all([
      rent(key, other),
      // Of another book, since a reader has none twice: nobody knows which of the two is decided first.
      rent(randomUUID(), third),
      call('GET', `Audit/readers/${reader.id}/timeline`, { as: auditor }),
      call('GET', `Borrow/history?at=${new Date().toISOString()}`, { as: reader }),
      call('GET', 'Borrow/history', { as: reader }),
    ]);
    for (const refused of [rented, borrow, timeline, past]) {
      expect([refused.status, Number(refused.retryAfter) > 0]).toEqual([503, true]);
    }
    expect([timeline.code, past.code]).toEqual(['EventStoreUnavailable', 'EventStoreUnavailable']);
    expect(list.status).toBe(200);

    toStore.restore();
    await waitFor(
      async () => (await call('GET', `Audit/readers/${reader.id}/timeline`, { as: auditor })).status === 200,
    );
    for (const _ of ['once', 'again']) {
      expect(await rent(key, other)).toMatchObject({ status: 200 });
      expect([await product.copies(other), await allocations(other)]).toEqual([4, 1]);
    }
    // That of the other key may have been stored, or may keep its copy until it is settled: nobody heard of it.
    expect((await product.copies(third)) + ((await allocations(third)) ?? 0)).toBe(5);
  });

  async function liveRefusal(token: string): Promise<string> {
    const socket = io(product.url, {
      path: LIVE_PATH,
      auth: { token },
      transports: ['websocket'],
      reconnection: false,
    });
    try {
      return await new Promise((resolve) => {
        socket.once('connect_error', ({ message }) => resolve(message));
        socket.once('hello', () => resolve('let in'));
      });
    } finally {
      socket.disconnect();
    }
  }
});
