import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { addDays, startOfDay } from '#contracts/local-day.js';
import type { RuleSet } from '#contracts/rules/rule-set.js';
import type { SimulationAnswer } from '#contracts/rules/what-if.js';
import { eventsOf, ruleChanges, ruleSets } from '../../test-support/arbitraries/rule-arbitraries.js';
import { smallSimulation } from '../../test-support/arbitraries/small-simulation.js';
import { DAYS, FIRST, plans, runLibrary, ZONE } from '../../test-support/arbitraries/simulated-library.js';
import { forAll } from '../../test-support/arbitraries/for-all.js';
import { BORROW_POLICY } from '../rules/borrow.policy.js';
import { RuleBook, ruleSetOf } from '../rules/rule-book.js';
import { Simulation, type SimulationResult } from './simulation.js';

const BEGAN = startOfDay(FIRST, ZONE);
const span = {
  from: new Date(BEGAN).toISOString(),
  until: new Date(startOfDay(addDays(FIRST, DAYS), ZONE)).toISOString(),
};
const books = ruleChanges.map((changes) => RuleBook.of(eventsOf(changes, BEGAN)));

function simulated(
  events: ReadonlyMap<string, readonly BorrowEvent[]>,
  rules: RuleSet,
  book = RuleBook.empty,
): SimulationResult {
  const simulation = new Simulation({ rules, timeZone: ZONE, ...span }, book);
  for (const [reader, all] of events)
    all.forEach((event, revision) => simulation.add(reader, event, revision));
  return simulation.finish();
}

/** By month and kind of reader, those above 0. */
const feesOf = ({ months }: SimulationAnswer, world: 'real' | 'simulated') =>
  new Map(
    months.flatMap(({ month, kinds }) =>
      kinds.flatMap(({ kind, ...fees }) =>
        fees[world] > 0 ? [[`${month} ${kind}`, fees[world]] as const] : [],
      ),
    ),
  );

describe('what rules would have done', () => {
  it('is what the rules in force did, where they are the same', () => {
    const seen = { fees: 0, losses: 0, expired: 0, late: 0 };
    forAll([plans], { numRuns: 60, seed: 5 }, (all) => {
      const events = runLibrary(all, RuleBook.empty);
      const { answer, readers } = simulated(events, ruleSetOf(BORROW_POLICY));
      const charged = [...events.values()]
        .flat()
        .reduce((sum, { type, data }) => sum + (type === 'FineCharged' ? data.amount : 0), 0);
      seen.fees += charged;
      seen.losses += answer.losses.real;
      seen.expired += answer.expiredRents.real;
      seen.late += answer.lateReturns.real;
      expect(answer.fees).toEqual({ real: charged, simulated: charged });
      expect(feesOf(answer, 'simulated')).toEqual(feesOf(answer, 'real'));
      expect(readers).toEqual([]);
      expect(answer.changedReaders).toBe(0);
      expect(answer.losses.simulated).toBe(answer.losses.real);
      expect(answer.lateReturns.simulated).toBe(answer.lateReturns.real);
      expect(answer.expiredRents).toEqual({
        real: answer.expiredRents.real,
        simulated: answer.expiredRents.real,
        cannotBeTold: 0,
      });
      const none = { times: 0, readers: 0 };
      expect(answer.limits).toEqual({ books: none, holds: none, renewals: none, fees: none, readers: 0 });
      expect(answer.cannotBeTold).toEqual([]);
    });
    for (const sum of Object.values(seen)) expect(sum).toBeGreaterThan(0);
  });

  it('is, to the grosz, what a small fold says that knows nothing of the product: months, kinds, losses, limits', () => {
    const seen = { fees: 0, losses: 0, renewals: 0, owing: 0, many: 0 };
    const types = new Set<string>();
    forAll([plans, books, ruleSets], { numRuns: 160, quick: 20, seed: 5 }, (all, book, draft) => {
      const events = runLibrary(all, book);
      for (const { type } of [...events.values()].flat()) types.add(type);
      const { answer } = simulated(events, draft, book);
      const small = smallSimulation(events, draft);
      expect(feesOf(answer, 'simulated')).toEqual(new Map([...small.fees].sort()));
      expect(answer.losses.simulated).toBe(small.losses);
      expect(answer.limits.renewals.times).toBe(small.refusedRenewals);
      expect(answer.limits.books.times).toBe(small.refusedRents.books);
      expect(answer.limits.fees.times).toBe(small.refusedRents.fees);
      seen.owing += small.refusedRents.fees;
      seen.many += small.refusedRents.books;
      seen.fees += answer.fees.simulated;
      seen.losses += small.losses;
      seen.renewals += small.refusedRenewals;
    });
    for (const sum of Object.values(seen)) expect(sum).toBeGreaterThan(0);
    for (const type of [
      'FinePaid',
      'FeeWaived',
      'BooksReturned',
      'BooksTakenBack',
      'BookLost',
      'LostBookFound',
    ])
      expect(types).toContain(type);
    for (const type of ['IssueUndone', 'ReturnUndone', 'PaymentUndone', 'WaiverUndone', 'LossUndone'])
      expect(types).toContain(type);
  });

  it('is the same for the same log and rules, whichever reader comes first', () => {
    forAll([plans, books, ruleSets], { numRuns: 30 }, (all, book, draft) => {
      const events = runLibrary(all, book);
      expect(simulated(new Map([...events].reverse()), draft, book)).toEqual(simulated(events, draft, book));
    });
  });
});
