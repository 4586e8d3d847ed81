import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type pg from 'pg';
import { z } from 'zod';
import type { HoldEvent } from '#contracts/holds/hold-events.js';
import { openDatabase, type Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { createLogger } from '#platform/logging.js';
import { createTestDatabase } from '../../test-support/database/database.js';
import { makeBook } from '../../test-support/product/make-book.js';
import { shared } from '../../test-support/shared.js';
import { forAllInTime } from '../../test-support/arbitraries/for-all.js';
import { eventsOf } from './hold.projection.js';

/** What may happen next: whichever of the open holds, borrows and titles `which` and `other` lead to. */
const step = fc.record({
  what: fc.constantFrom(
    // Often enough that several wait: else their order would not matter.
    ...(['place', 'place', 'place', 'place', 'place', 'place'] as const),
    ...(['pause', 'resume', 'need', 'move', 'move', 'cancel'] as const),
    ...(['take', 'take', 'back', 'back', 'back', 'ready', 'ready', 'collect', 'lapse', 'add'] as const),
  ),
  which: fc.nat(1000),
  other: fc.nat(1000),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Hold {
  id: string;
  bookId: number;
  state: 'waiting' | 'paused' | 'bound' | 'ready' | 'over';
}

/** The library as it should be, in plain lists: a title's holds in their order, and its copies on the shelf. */
class Model {
  readonly free = new Map<number, number>();
  readonly orders = new Map<number, Hold[]>();
  /** What is lent otherwise. */
  readonly borrows: { id: string; bookId: number }[] = [];

  holds(...states: Hold['state'][]): Hold[] {
    return [...this.orders.values()].flat().filter(({ state }) => states.includes(state));
  }

  /** A copy goes to the first who waits, or to the shelf. */
  freed(bookId: number): void {
    this.free.set(bookId, (this.free.get(bookId) ?? 0) + 1);
    this.serve(bookId);
  }

  serve(bookId: number): void {
    for (;;) {
      const free = this.free.get(bookId) ?? 0;
      const first = this.orders.get(bookId)?.find(({ state }) => state === 'waiting');
      if (free === 0 || !first) return;
      first.state = 'bound';
      this.free.set(bookId, free - 1);
    }
  }
}

describe('the queues of titles', () => {
  const testDatabase = shared(() => createTestDatabase('migrated'));
  const database = shared(() => openDatabase(testDatabase.url, 2, createLogger('silent')));

  it('are in the order of the log as changed by moves and pauses, and no copy is in two places, whatever happens', async () => {
    await forAllInTime(
      [fc.array(step, { minLength: 30, maxLength: 60, size: 'max' })],
      { numRuns: 20, quick: 5 },
      async (steps) => {
        const run = new Run(database, [
          await makeBook(database, 1, 'One'),
          await makeBook(database, 2, 'Two'),
        ]);
        for (const each of steps) {
          await run.apply(each);
          await run.expectAsModelled();
        }
      },
    );
  });
});

const holdRow = z.object({ id: z.string(), bookId: z.int(), state: z.string(), kept: z.int() });
const bookRow = z.object({
  id: z.int(),
  free: z.int(),
  holds: z.int(),
  total: z.int(),
  out: z.int(),
  numbers: z.int(),
});

/** One random history, in PostgreSQL and in the model. */
class Run {
  private readonly model = new Model();
  private readonly revisions = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly bookIds: readonly number[],
  ) {
    for (const [n, bookId] of bookIds.entries()) {
      this.model.free.set(bookId, n + 1);
      this.model.orders.set(bookId, []);
    }
  }

  async apply({ what, which, other }: Step): Promise<void> {
    const { model } = this;
    const bookId = chosen(this.bookIds, which) ?? 0;
    const open = chosen(model.holds('waiting', 'paused', 'bound'), which);
    switch (what) {
      case 'place': {
        const hold: Hold = { id: randomUUID(), bookId, state: 'waiting' };
        await this.settle({
          type: 'HoldPlaced',
          data: {
            ...{ holdId: hold.id, readerId: randomUUID(), bookId, title: 'One', neededUntil: null },
            ...{ placedBy: randomUUID(), placedAt: AT, policyVersion: 1 },
          },
        });
        model.orders.get(bookId)?.push(hold);
        return model.serve(bookId);
      }
      case 'pause':
        if (!open || open.state === 'paused') return;
        await this.settle({
          type: 'HoldPaused',
          data: { holdId: open.id, until: AT, pausedBy: randomUUID(), pausedAt: AT },
        });
        return this.withdrawn(open, 'paused');
      case 'resume': {
        const paused = chosen(model.holds('paused'), which);
        if (!paused) return;
        const resumed = { holdId: paused.id, resumedBy: null, resumedAt: AT };
        await this.settle({ type: 'HoldResumed', data: resumed });
        paused.state = 'waiting';
        return model.serve(paused.bookId);
      }
      case 'need':
        if (!open) return;
        return this.settle({
          type: 'HoldNeededUntil',
          data: { holdId: open.id, neededUntil: AT, changedBy: randomUUID(), changedAt: AT },
        });
      case 'move':
        return open && this.move(open, other);
      case 'cancel': {
        if (!open) return;
        const cancelled = { holdId: open.id, cancelledBy: randomUUID(), cancelledAt: AT };
        await this.settle({ type: 'HoldCancelled', data: cancelled });
        return this.withdrawn(open, 'over');
      }
      case 'take':
        return this.take(bookId);
      case 'back': {
        const borrow = chosen(model.borrows, which);
        if (!borrow) return;
        await this.release(borrow.id, borrow.bookId);
        model.borrows.splice(model.borrows.indexOf(borrow), 1);
        return model.freed(borrow.bookId);
      }
      case 'ready': {
        const bound = chosen(model.holds('bound'), which);
        if (!bound) return;
        const borrowId = await this.borrowOf(bound);
        await this.settle({
          type: 'HoldReady',
          data: { holdId: bound.id, borrowId, collectBy: AT, readyAt: AT, policyVersion: 1 },
        });
        await this.database.query(`update copy_allocation set state = 'confirmed' where borrow_id = $1`, [
          borrowId,
        ]);
        bound.state = 'ready';
        return;
      }
      case 'collect':
      case 'lapse': {
        const ready = chosen(model.holds('ready'), which);
        if (!ready) return;
        const borrowId = await this.borrowOf(ready);
        const ended = { holdId: ready.id, borrowId };
        ready.state = 'over';
        if (what === 'collect') {
          await this.settle({ type: 'HoldCollected', data: { ...ended, collectedAt: AT } });
          model.borrows.push({ id: borrowId, bookId: ready.bookId });
          return;
        }
        await this.settle({ type: 'HoldLapsed', data: { ...ended, lapsedAt: AT } });
        await this.release(borrowId, ready.bookId);
        return model.freed(ready.bookId);
      }
      case 'add':
        await this.database.query(
          `update book set copies_total = copies_total + 1, copies_available = copies_available + 1 where id = $1`,
          [bookId],
        );
        return model.freed(bookId);
    }
  }

  private async move(hold: Hold, other: number): Promise<void> {
    const order = this.model.orders.get(hold.bookId) ?? [];
    const before = chosen([undefined, ...order.filter((each) => each !== hold)], other);
    await this.settle({
      type: 'HoldMoved',
      data: {
        ...{ holdId: hold.id, before: before?.id ?? null, reason: 'other' },
        ...{ movedBy: randomUUID(), movedAt: AT },
      },
    });
    order.splice(order.indexOf(hold), 1);
    order.splice(before ? order.indexOf(before) : order.length, 0, hold);
    this.model.serve(hold.bookId);
  }

  private withdrawn(hold: Hold, state: 'paused' | 'over'): void {
    const hadCopy = hold.state === 'bound';
    hold.state = state;
    if (hadCopy) this.model.freed(hold.bookId);
  }

  private async take(bookId: number): Promise<void> {
    const { model } = this;
    const id = randomUUID();
    const free = model.free.get(bookId) ?? 0;
    const taken = await this.database
      .query('select from take_copies($1, $2, $3::integer[], null, null)', [id, randomUUID(), [bookId]])
      .then(() => true)
      .catch((error: pg.DatabaseError) => {
        if (error.code === 'LB002') return false;
        throw error;
      });
    expect(taken).toBe(free > 0);
    if (!taken) return;
    model.free.set(bookId, free - 1);
    model.borrows.push({ id, bookId });
  }

  private async release(borrowId: string, bookId: number): Promise<void> {
    await this.database.query('select release_copies($1::uuid[], $2::integer[])', [[borrowId], [bookId]]);
  }

  private async borrowOf({ id }: Hold): Promise<string> {
    const row = z.object({ borrow_id: z.string() });
    const [found] = await queryRows(this.database, row, 'select borrow_id from hold where hold_id = $1', [
      id,
    ]);
    return found?.borrow_id ?? '';
  }

  /** Twice, as two releases that run side by side do. */
  private async settle(event: HoldEvent): Promise<void> {
    const { data } = event;
    const revision = (this.revisions.get(data.holdId) ?? -1) + 1;
    this.revisions.set(data.holdId, revision);
    const events = eventsOf([{ id: randomUUID(), event, revision: BigInt(revision) }]);
    const text = 'select settle_holds($1::jsonb)';
    await this.database.query(text, [events]);
    await this.database.query(text, [events]);
  }

  async expectAsModelled(): Promise<void> {
    const rows = await queryRows(
      this.database,
      holdRow,
      `select hold_id as id, book_id as "bookId", state, (select count(*)::integer from copy_allocation a
         where a.borrow_id = h.borrow_id and a.state <> 'released' and h.state <> 'over') as kept
       from hold h where book_id = any($1) order by book_id, rank`,
      [this.bookIds],
    );
    const books = await queryRows(
      this.database,
      bookRow,
      `select b.id, b.copies_available as free, b.holds, b.copies_total as total,
         count(a.copy)::integer as out, count(distinct a.copy)::integer as numbers
       from book b left join copy_allocation a on a.book_id = b.id and a.state <> 'released'
       where b.id = any($1) group by b.id order by b.id`,
      [this.bookIds],
    );
    const orders = this.bookIds.map((bookId) => this.model.orders.get(bookId) ?? []);
    expect(rows).toEqual(
      orders.flat().map(({ id, bookId, state }) => ({
        ...{ id, bookId, state },
        kept: state === 'bound' || state === 'ready' ? 1 : 0,
      })),
    );
    expect(books).toEqual(
      books.map(({ total }, index) => {
        const [id, order] = [this.bookIds[index] ?? 0, orders[index] ?? []];
        const free = this.model.free.get(id) ?? 0;
        const holds = order.filter(({ state }) => state === 'waiting' || state === 'paused').length;
        return { id, free, holds, total, out: total - free, numbers: total - free };
      }),
    );
    expect(books).toHaveLength(this.bookIds.length);
  }
}

const AT = '2026-11-23T09:00:00.000Z';

function chosen<Item>(items: readonly Item[], which: number): Item | undefined {
  return items[which % Math.max(items.length, 1)];
}
