import fc from 'fast-check';
import { isHoldEvent } from '#contracts/holds/hold-events.js';
import { isOfVisit } from '#contracts/borrowing/borrow-events.js';
import { lentBooks } from '#circulation/borrow/borrow-state.js';
import { borrowRules } from '#circulation/rules/borrow.policy.js';
import { attempts, play } from '../../../test-support/arbitraries/borrow-arbitraries.js';
import { forAll } from '../../../test-support/arbitraries/for-all.js';
import { decideVisit, type VisitEvent } from './visit-letter.decider.js';

const READER = '6b1f1c52-5a30-4f9c-8a63-0a8f5c7d9e11';
const RULES = borrowRules('Europe/Warsaw');

describe('the letters of visits', () => {
  it('tell of each book that is out, and of each payment that counts, once, however the visits are cut', () => {
    forAll(
      [attempts, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 })],
      { numRuns: 200 },
      (tries, sizes) => {
        const { events: played, state } = play(READER, tries);
        const events = played.map((event, revision): VisitEvent => {
          const isAtDesk = !isHoldEvent(event) && isOfVisit(event, READER, 'fine-sweep');
          return { id: String(revision), revision: BigInt(revision), event, isAtDesk };
        });
        const borrows = new Map(state.borrows);
        let [out, paid] = [0, 0];
        for (let from = 0, n = 0; from < events.length; n += 1) {
          const until = Math.min(events.length, from + (sizes[n % sizes.length] ?? 1)) - 1;
          const letter = decideVisit({ from, until }, borrows, events, '2020-01-01T00:00:00.000Z', RULES);
          for (const { part, corrects = from } of letter?.parts ?? []) {
            if (part.kind === 'books-issued') out += part.titles.length;
            if (part.kind === 'fee-paid') paid += part.amount;
            // Undone in the same visit, neither is told.
            if (corrects !== from) expect(corrects).toBeLessThan(from);
          }
          from = until + 1;
        }
        // What was taken over from elsewhere is told by no letter.
        const lentHere = [...borrows.values()].flatMap(lentBooks).filter(({ takenOver }) => !takenOver);
        expect(out).toBe(lentHere.length);
        expect(paid).toBe(atDesk(played));
      },
    );
  });
});

/** What was paid at the desk and not undone, in grosze. */
function atDesk(events: ReturnType<typeof play>['events']): number {
  const undone = new Set(
    events.flatMap(({ type, data }) => (type === 'PaymentUndone' ? [data.revision] : [])),
  );
  return events.reduce(
    (sum, { type, data }, revision) =>
      type === 'FinePaid' && data.provider === 'desk' && !undone.has(revision) ? sum + data.amount : sum,
    0,
  );
}
