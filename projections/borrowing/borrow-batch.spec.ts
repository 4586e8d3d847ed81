import fc from 'fast-check';
import { attempts, play } from '../../test-support/arbitraries/borrow-arbitraries.js';
import { forAll } from '../../test-support/arbitraries/for-all.js';
import { lentBooks, reservedBooks } from '#circulation/borrow/borrow-state.js';
import { foldBatch } from './borrow-batch.js';
import type { BorrowRow } from '#platform/database/read-model.js';
import { EventNotApplied, projectBorrow, type PlacedEvent } from './borrow-batch.js';

const READER = '6b1f1c52-5a30-4f9c-8a63-0a8f5c7d9e11';
const placed = (tries: Parameters<typeof play>[1]): PlacedEvent[] =>
  play(READER, tries).events.map((event, n) => ({
    event,
    key: READER,
    revision: BigInt(n),
    position: { commit: BigInt(n * 7) },
  }));

describe('rows made of events', () => {
  it('say the same as the state that decides commands', () => {
    forAll([attempts], { numRuns: 100 }, (tries) => {
      const { state } = play(READER, tries);
      const { rows } = foldBatch(placed(tries), new Map());
      expect(new Set(rows.keys())).toEqual(new Set(state.borrows.keys()));
      for (const borrow of state.borrows.values()) {
        expect(rows.get(borrow.id)).toMatchObject({
          books: borrow.books,
          status: borrow.status,
          rented_at: borrow.rentedAt,
          collect_by: borrow.collectBy,
          issued_at: borrow.issuedAt,
          due_date: borrow.dueDate,
          returned_at: borrow.returnedAt,
          expired_at: borrow.expiredAt,
          renewals: borrow.renewals,
          charged: borrow.charged,
          paid: borrow.paid,
          waived: borrow.waived,
          lent: lentBooks(borrow).length,
          reserved: reservedBooks(borrow).length,
          recent: borrow.recent,
        });
      }
    });
  });

  it('come out the same however the events are cut into batches', () => {
    forAll(
      [attempts, fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1 })],
      { numRuns: 100 },
      (tries, sizes) => {
        const events = placed(tries);
        const whole = foldBatch(events, new Map());
        const rows = new Map<string, BorrowRow>();
        const totals = new Map<string, number>();
        for (let from = 0, n = 0; from < events.length; n += 1) {
          const size = sizes[n % sizes.length] ?? 1;
          const part = foldBatch(events.slice(from, from + size), rows);
          for (const [id, row] of part.rows) rows.set(id, row);
          for (const [status, delta] of part.statusDeltas)
            totals.set(status, (totals.get(status) ?? 0) + delta);
          from += size;
        }
        expect(rows).toEqual(whole.rows);
        for (const [status, total] of whole.statusDeltas) expect(totals.get(status) ?? 0).toBe(total);
      },
    );
  });

  it('stop at an event that no rent came before', () => {
    const event: PlacedEvent = {
      event: {
        type: 'BorrowExpired',
        data: { borrowId: READER, bookIds: [1], expiredAt: '2026-11-05T10:00:00.000Z' },
      },
      key: READER,
      revision: 0n,
      position: { commit: 12n },
    };
    expect(() => projectBorrow(undefined, event)).toThrow(EventNotApplied);
    expect(() => projectBorrow(undefined, event)).toThrow(
      /position 12 .*no BooksRented or LoanTakenOver before it/,
    );
  });
});
