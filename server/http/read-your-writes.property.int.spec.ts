import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { READ_MODEL } from '#platform/database/read-model.js';
import type { Answer } from '../../test-support/product/caller.js';
import { startProduct } from '../../test-support/product/product.js';
import { shared } from '../../test-support/shared.js';
import { forAllInTime } from '../../test-support/arbitraries/for-all.js';

/** How a client says what it knows: as a browser does, as a program may, or not at all. */
const MANNERS = ['cookie', 'header', 'nothing'] as const;

const QUEUE = 'Borrow?pageNumber=1&pageSize=100&OrderBy=RentDate&Direction=Descending';

/** What becomes of a borrow, and the call of the desk that does it. */
const NEXT: Record<string, string> = { Returned: 'Rented', Rented: 'Issued', Issued: 'Returned' };
const AT_DESK: Record<string, string> = { Issued: 'issue-books', Returned: 'return-books' };

describe('whoever has stored something', () => {
  const product = shared(() => startProduct());
  const other = shared(() => product.startServer());
  const admin = shared(() => product.account('Admin'));
  const servers = () => [product.url, other.url];

  /** Keeps the rows as they are for a while, as a projection that has much to do. */
  async function holdRows(milliseconds: number): Promise<void> {
    const connection = await product.database.connect();
    try {
      await connection.query('begin');
      await connection.query(`select from ${READ_MODEL}.checkpoint for update`);
      await sleep(milliseconds);
      await connection.query('rollback');
    } finally {
      connection.release();
    }
  }

  /** Somebody with one of the manners, who keeps what answers tell them. */
  function client(token: string, manner: (typeof MANNERS)[number]) {
    let known: string | undefined;
    return async (at: number, method: string, path: string, body?: unknown, key?: string) => {
      const response = await fetch(`${servers()[at]}/api/${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...(key !== undefined && { 'idempotency-key': key }),
          ...(manner === 'cookie' && { cookie: `lectern-position=${known ?? ''}` }),
          ...(known !== undefined && manner === 'header' && { 'lectern-position': known }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const cookie = response.headers.getSetCookie().find((each) => each.startsWith('lectern-position='));
      const told = manner === 'cookie' ? cookie?.split(/[=;]/)[1] : response.headers.get('lectern-position');
      known = told ?? known;
      return { status: response.status, body: await response.json() } as Answer;
    };
  }

  it('reads it in the lists, whichever server answers, with a cookie, a header or nothing', async () => {
    const step = fc.record({
      who: fc.nat(2),
      storesAt: fc.nat(1),
      readsAt: fc.nat(1),
      held: fc.constantFrom(0, 30, 100),
      isLost: fc.boolean(),
    });
    const people = await Promise.all(
      MANNERS.map(async (manner) => {
        const reader = await product.account();
        const [call, desk] = [client(reader.token, manner), client(admin.token, manner)];
        return { reader, call, desk, bookId: await product.book(1), borrow: { id: '', status: 'Returned' } };
      }),
    );
    await forAllInTime(
      [fc.array(step, { minLength: 6, maxLength: 12 })],
      { numRuns: 12, quick: 4 },
      async (steps) => {
        for (const { who, storesAt, readsAt, held, isLost } of steps) {
          const person = people[who] as (typeof people)[number];
          const { reader, call, desk, borrow } = person;
          const holding = held > 0 && holdRows(held);
          const books = { bookIds: [person.bookId] };
          const next = NEXT[borrow.status] ?? '';
          const [path, token, by] =
            next === 'Rented'
              ? ['Borrow/rent-books', reader.token, call]
              : [`Borrow/${AT_DESK[next]}?borrowId=${borrow.id}&userId=${reader.id}`, admin.token, desk];
          const key = randomUUID();
          // An answer that is lost on its way tells nobody anything: they ask again, at the other server.
          if (isLost) await client(token, 'nothing')(1 - storesAt, 'POST', path, books, key);
          // The copy that came back a moment ago, perhaps at the other server, is there for the next rent.
          const stored = await by(storesAt, 'POST', path, books, key);
          expect(stored).toMatchObject({ status: 200 });
          person.borrow = { id: stored.body.borrowId as string, status: next };
          // Whoever stored it reads it: the reader their own, the desk the queue.
          const list = (await by(readsAt, 'GET', next === 'Rented' ? 'Borrow/history' : QUEUE)).body;
          const borrows = (next === 'Rented' ? list : list.items) as BorrowView[];
          expect(borrows.find(({ id }) => id === person.borrow.id)?.status).toBe(next);
          await holding;
        }
      },
    );
    expect(await product.differences()).toEqual([]);
  });

  it('does not wait again for what is no position of this log, nor long for one that never comes', async () => {
    const { token } = await product.account();
    const call = client(token, 'cookie');
    await call(0, 'GET', 'Borrow/history');
    const log = /^[\da-f-]{36}/;
    for (const sent of ['nonsense', `${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}.9999999999`]) {
      const answer = await fetch(`${product.url}/api/Borrow/history`, {
        headers: { authorization: `Bearer ${token}`, cookie: `lectern-position=${sent}` },
      });
      expect(answer.headers.get('lectern-position') ?? '').toMatch(log);
    }
    const [known = ''] = log.exec((await told(token, 'nothing')) ?? '') ?? [];
    const far = `${known}.9999999999999`;
    const corrected = await told(token, far);
    expect(corrected).toMatch(log);
    expect(corrected).not.toBe(far);
  });

  async function told(token: string, sent: string): Promise<string | null> {
    const { headers } = await fetch(`${product.url}/api/Borrow/history`, {
      headers: { authorization: `Bearer ${token}`, 'lectern-position': sent },
    });
    return headers.get('lectern-position');
  }
});
