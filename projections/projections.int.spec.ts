import { randomUUID } from 'node:crypto';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { projectionLock } from '#platform/database/locks.js';
import { cutLeader } from '../test-support/event-store/cut-leader.js';
import { startProduct, type TestAccount } from '../test-support/product/product.js';
import { waitFor } from '../test-support/wait-for.js';
import { shared } from '../test-support/shared.js';
import { READ_MODEL, READ_MODEL_RELEASE } from '#platform/database/read-model.js';

describe('the projections', () => {
  const product = shared(() => startProduct());
  const admin = shared(() => product.account('Admin'));

  const differences = () => product.differences();

  /** Rents and gives back, round after round, until told to end. */
  async function keepBorrowing(
    readers: TestAccount[],
    books: number[],
    ending: { now: boolean },
  ): Promise<number> {
    const rounds = readers.map(async (reader, n) => {
      let done = 0;
      const bookId = books[n % books.length] ?? 0;
      while (!ending.now) {
        const rent = await reader.post('Borrow/rent-books', { bookIds: [bookId] });
        if (rent.status !== 200) continue;
        const desk = `borrowId=${rent.body.borrowId}&userId=${reader.id}`;
        expect((await admin.post(`Borrow/issue-books?${desk}`, { bookIds: [bookId] })).status).toBe(200);
        if (done % 3 < 2) {
          expect((await admin.post(`Borrow/return-books?${desk}`, { bookIds: [bookId] })).status).toBe(200);
        } else {
          // At once, unless the answer said that lists come later: how busy the machine is decides that.
          await waitFor(async () => {
            const [last] = (await reader.get('Borrow/history')).body as BorrowView[];
            return last?.id === rent.body.borrowId && last?.status === 'Issued';
          });
          await admin.post(`Borrow/return-books?${desk}`, { bookIds: [bookId] });
        }
        done += 1;
      }
      return done;
    });
    return (await Promise.all(rounds)).reduce((sum, done) => sum + done, 0);
  }

  it('are rebuilt from zero while commands keep arriving: nobody sees an empty list, and verify is clean', async () => {
    const readers = await Promise.all(Array.from({ length: 4 }, () => product.account()));
    const books = await Promise.all(Array.from({ length: 4 }, () => product.book(3)));
    const ending = { now: false };
    const borrowing = keepBorrowing(readers, books, ending);
    await waitFor(async () => ((await admin.get('Borrow')).body.totalCount as number) >= 20);

    let fewest = Infinity;
    let looks = 0;
    const looking = (async () => {
      while (!ending.now) {
        const { status, body } = await admin.get('Borrow?pageSize=5');
        expect(status).toBe(200);
        fewest = Math.min(fewest, body.totalCount as number, (body.items as unknown[]).length * 4);
        looks += 1;
      }
    })();
    const reports = [];
    // As many as it takes until somebody has looked often.
    while (reports.length < 3 || looks <= 10) {
      reports.push(await product.rebuild());
    }
    ending.now = true;
    const done = await borrowing;
    await looking;

    expect(done).toBeGreaterThan(20);
    expect(looks).toBeGreaterThan(10);
    expect(fewest).toBeGreaterThanOrEqual(20);
    for (const { events } of reports) expect(events).toBeGreaterThan(0);
    await waitFor(async () => (await product.projectionState())?.kind === 'leading');
    expect(await differences()).toEqual([]);
  });

  it('are rebuilt one at a time', async () => {
    const both = await Promise.allSettled([1, 2].map(() => product.rebuild()));
    const refused = both.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeLessThanOrEqual(1);
    for (const outcome of refused)
      expect(String((outcome as PromiseRejectedResult).reason)).toMatch(/already under way/);
    expect(await differences()).toEqual([]);
  });

  it('verify names a row changed or lost, a counter wrong, and a copy or a hold lost', async () => {
    const damages: [string, RegExp][] = [
      [`update ${READ_MODEL}.borrow set renewals = renewals + 1 where borrow_id = $1`, /renewals is/],
      [`delete from ${READ_MODEL}.borrow where borrow_id = $1`, /is in the log and not in the rows/],
      [
        `update ${READ_MODEL}.borrow_count set borrows = borrows + 1 where $1::uuid is not null and status = 'Rented'`,
        /borrows with status Rented/,
      ],
      [
        `update book set copies_available = copies_available - 1
         where id = (select book_id from copy_allocation where borrow_id = $1)`,
        /does not add up/,
      ],
      [`update copy_allocation set state = 'released' where borrow_id = $1`, /no copy is held/],
    ];
    const bookIds: number[] = [];
    for (const [damage, named] of damages) {
      const reader = await product.account();
      const bookId = await product.book(2);
      const { body } = await reader.post('Borrow/rent-books', { bookIds: [bookId] });
      // The rows have it by then.
      expect(await product.copies(bookId)).toBe(1);
      expect((await differences()).join('\n')).not.toMatch(named);
      await product.database.query(damage, [body.borrowId]);
      expect((await differences()).join('\n')).toMatch(named);
      bookIds.push(bookId);
    }
    // Mended for the tests that follow: the rows by a rebuild, the copies by hand.
    await product.rebuild();
    await product.database.query(
      `update copy_allocation set state = 'confirmed' where book_id = any($1) and state = 'released'`,
      [bookIds],
    );
    await product.database.query('update book set copies_available = 1 where id = any($1)', [bookIds]);
    expect(await differences()).toEqual([]);
  });

  it('go on from the rows of a rebuild, not from those that they read before it', async () => {
    const reader = await product.account();
    const bookId = await product.book(1);
    const bookIds = [bookId];
    const { body } = await reader.post('Borrow/rent-books', { bookIds });
    expect(await product.copies(bookId)).toBe(0);
    const desk = `borrowId=${body.borrowId}&userId=${reader.id}`;
    const damaged = `select from ${READ_MODEL}.borrow where borrow_id = $1 and status = 'Issued' and renewals = 2`;
    // Another leader reads the rows that it did not write.
    await cutLeader(product.database, projectionLock(READ_MODEL_RELEASE.version));
    await product.database.query(`update ${READ_MODEL}.borrow set renewals = 2 where borrow_id = $1`, [
      body.borrowId,
    ]);
    expect((await admin.post(`Borrow/issue-books?${desk}`, { bookIds })).status).toBe(200);
    await waitFor(async () => (await product.database.query(damaged, [body.borrowId])).rowCount === 1);
    await product.rebuild();
    const returned = await admin.post(`Borrow/return-books?${desk}`, { bookIds });
    expect(returned).toMatchObject({ status: 200, body: { position: expect.any(String) } });
    expect(await differences()).toEqual([]);
  });

  it('go on after their connection was cut, without losing or doubling an event', async () => {
    const readers = await Promise.all(Array.from({ length: 4 }, () => product.account()));
    const books = await Promise.all(Array.from({ length: 4 }, () => product.book(1)));
    for (let round = 0; round < 2; round += 1) {
      const rents = readers.map((reader, n) => reader.post('Borrow/rent-books', { bookIds: [books[n]] }));
      await cutLeader(product.database, projectionLock(READ_MODEL_RELEASE.version));
      const lent = (await Promise.all(rents)).map(async (rent, n) => {
        expect(rent.status).toBe(200);
        const desk = `borrowId=${rent.body.borrowId}&userId=${readers[n]?.id}`;
        await admin.post(`Borrow/issue-books?${desk}`, { bookIds: [books[n]] });
        await admin.post(`Borrow/return-books?${desk}`, { bookIds: [books[n]] });
      });
      await Promise.all(lent);
    }
    await waitFor(async () => (await product.projectionState())?.kind === 'leading');
    await waitFor(async () => (await differences()).length === 0);
  });

  // Late: what it writes stays a difference.
  it('differ from a log whose events name rules that it does not have', async () => {
    const { pseudonym: readerId } = await product.account();
    const holdId = randomUUID();
    const bookId = await product.book(0);
    const [at, by] = [new Date().toISOString(), readerId];
    const metadata = {
      actor: readerId,
      $correlationId: holdId,
      $causationId: holdId,
      commandId: holdId,
      commandDigest: '',
    };
    const hold = {
      holdId,
      readerId,
      bookId,
      title: 'Solaris',
      neededUntil: null,
      placedBy: by,
      placedAt: at,
    };
    const placed = { type: 'HoldPlaced' as const, data: { ...hold, policyVersion: 4_000 } };
    const cancelled = { type: 'HoldCancelled' as const, data: { holdId, cancelledBy: by, cancelledAt: at } };
    const id = randomUUID();
    const events = [
      { id, event: placed, metadata },
      { id: randomUUID(), event: cancelled, metadata },
    ];
    await product.log.append('borrows', readerId, events, -1n);
    await waitFor(async () => (await differences()).length > 0);
    expect(await differences()).toEqual([
      `version 4000 of the rules is not in the log, and is named by the event HoldPlaced ${id}`,
    ]);
  });

  it('let one process lead, and another take over', async () => {
    const second = await product.startProjections();
    const state = () => product.projectionState(second);
    await waitFor(async () => (await state())?.kind === 'standby');
    await product.closeProjections();
    await waitFor(async () => (await state())?.kind === 'leading');
    const reader = await product.account();
    const rent = await reader.post('Borrow/rent-books', { bookIds: [await product.book(1)] });
    expect(rent).toMatchObject({ status: 200, body: { position: expect.any(String) } });
  });
});
