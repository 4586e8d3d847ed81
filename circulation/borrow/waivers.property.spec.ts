import fc from 'fast-check';
import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { DomainError } from '#contracts/domain-error.js';
import { BORROW, day, issued, READER, rented } from '../../test-support/arbitraries/borrow-history.js';
import { forAll } from '../../test-support/arbitraries/for-all.js';
import { borrowRules } from '../rules/borrow.policy.js';
import { decide, type BorrowCommand } from './borrow.decider.js';
import { evolve, fineDue, fold, NO_BORROWS, type Borrow } from './borrow-state.js';

/** Librarians, with how much of one borrow each may waive alone. */
const LIMITS = [500, 1_000, 2_000, null] as const;
const PEOPLE = LIMITS.map((_, at) => `c2f7a0d4-91f3-4b8e-a1d0-3e5b7c9f0a0${at}`);
const RULES = borrowRules('UTC');
const FEE: BorrowEvent = {
  type: 'BookLost',
  data: {
    ...{ borrowId: BORROW, bookId: 1, price: 5_000, amount: 5_000, policyVersion: 1 },
    ...{ reportedBy: READER, reportedAt: day(3) },
  },
};

const person = fc.nat(LIMITS.length - 1);
const attempt = fc.oneof(
  fc.record({ does: fc.constant('waive' as const), by: person, amount: fc.integer({ min: 1, max: 2_500 }) }),
  fc.record({
    does: fc.constant('approve' as const),
    ...{ by: person, asker: person, amount: fc.integer({ min: 1, max: 2_500 }) },
    // Somebody may have seen another fee.
    sees: fc.constantFrom(0, 0, 0, 1),
  }),
  fc.record({ does: fc.constant('undo' as const), by: person, amount: fc.constant(0) }),
);

describe('waivers of one borrow, however they are split, approved and undone', () => {
  it('never come to more by one person than they may waive alone, and are approved by no one who asked', () => {
    const seen = { approved: 0, refused: 0 };
    forAll([fc.array(attempt, { minLength: 1, maxLength: 25 })], { numRuns: 300, seed: 5 }, (attempts) => {
      const history: BorrowEvent[] = [rented(), issued(), FEE];
      let state = history.reduce(evolve, NO_BORROWS);
      for (const [turn, each] of attempts.entries()) {
        const borrow = state.borrows.get(BORROW);
        if (!borrow) throw new Error('The borrow is gone.');
        const due = fineDue(borrow);
        const at = day(4, `10:${String(turn).padStart(2, '0')}:00.000`);
        const librarianId = PEOPLE[each.by] ?? '';
        const common = { borrowId: BORROW, readerId: READER, librarianId, at };
        const asked = each.does === 'approve' && {
          asked: { by: PEOPLE[each.asker] ?? '', due: due + each.sees },
        };
        const command: BorrowCommand =
          each.does === 'undo'
            ? { type: 'Undo', ...common, revision: lastWaiverOf(borrow) }
            : {
                ...{ type: 'WaiveFee', ...common, amount: each.amount, reason: 'other' },
                ...{ upTo: LIMITS[each.by] ?? null, ...asked },
              };
        try {
          const events = decide(state, command, RULES);
          if (each.does === 'approve') {
            seen.approved += 1;
            expect([each.sees, each.asker === each.by]).toEqual([0, false]);
            expect(events).toMatchObject([{ data: { waivedBy: librarianId, askedBy: PEOPLE[each.asker] } }]);
          }
          history.push(...events);
          state = events.reduce(evolve, state);
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          seen.refused += 1;
        }
        // By the events alone, and as a fold of all of them has it.
        expect(fold(history).waivers.get(BORROW)).toEqual(state.waivers.get(BORROW));
        for (const [at, limit] of LIMITS.entries()) {
          expect(waivedBy(history, PEOPLE[at] ?? '')).toBeLessThanOrEqual(limit ?? Infinity);
        }
      }
    });
    expect(Math.min(seen.approved, seen.refused)).toBeGreaterThan(10);
  });
});

const lastWaiverOf = ({ recent }: Borrow) =>
  recent.findLast(({ type }) => type === 'FeeWaived')?.revision ?? 0;

function waivedBy(history: readonly BorrowEvent[], who: string): number {
  const undone = history.flatMap(({ type, data }) => (type === 'WaiverUndone' ? [data.revision] : []));
  return history.reduce(
    (sum, { type, data }, revision) =>
      type === 'FeeWaived' && data.waivedBy === who && !undone.includes(revision) ? sum + data.amount : sum,
    0,
  );
}
