import fc from 'fast-check';
import type { RuleEvent } from '#contracts/rules/rule-events.js';
import { BOOK_KINDS, FIRST_VERSION, READER_KINDS } from '#contracts/rules/kinds.js';
import type { RuleSet } from '#contracts/rules/rule-set.js';

const ADMIN = 'c2f7a0d4-91f3-4b8e-a1d0-3e5b7c9f0a22';
const between = (min: number, max: number) => fc.integer({ min, max });

const perBook = {
  loanDays: between(1, 40),
  maxRenewals: between(0, 4),
  renewableDaysBefore: fc.option(between(0, 20)),
  finePerBookAndDay: between(0, 300),
  lossPrice: between(0, 9_000),
  lossFee: between(0, 2_000),
};
const perReader = {
  collectDays: between(1, 9),
  maxBooksPerReader: between(1, 12),
  maxHolds: between(0, 12),
  fineCap: between(0, 4_000),
  graceDays: between(0, 4),
};

const someOf = <Numbers extends Record<string, fc.Arbitrary<unknown>>>(numbers: Numbers) =>
  fc.record(numbers, { requiredKeys: [] });

/** Rules of any sort, within what an admin can set. */
export const ruleSets = fc
  .record({
    numbers: fc.record({ ...perBook, ...perReader }),
    reminderDays: between(0, 9),
    ofReader: fc.option(fc.tuple(fc.constantFrom(...READER_KINDS), someOf({ ...perBook, ...perReader }))),
    ofBook: fc.option(fc.tuple(fc.constantFrom(...BOOK_KINDS), someOf(perBook))),
    closed: fc.option(fc.uniqueArray(between(0, 6), { maxLength: 3 })),
    holidays: fc.array(fc.tuple(between(1, 200), between(0, 9)), { maxLength: 4 }),
  })
  .map(({ numbers, reminderDays, ofReader, ofBook, closed, holidays }): RuleSet => {
    const exceptions = [
      ...(ofReader ? [{ reader: ofReader[0], book: null, numbers: ofReader[1] }] : []),
      ...(ofBook ? [{ reader: null, book: ofBook[0], numbers: ofBook[1] }] : []),
    ].filter((each) => Object.keys(each.numbers).length > 0) as RuleSet['exceptions'];
    const dayOf = (n: number) => new Date(Date.UTC(2026, 10, n)).toISOString().slice(0, 10);
    return {
      ...numbers,
      undoMinutes: 10,
      reminderDays,
      exceptions,
      week:
        closed &&
        [0, 1, 2, 3, 4, 5, 6].map((n) => (closed.includes(n) ? null : { opens: '09:00', closes: '17:00' })),
      closedDays: holidays.map(([first, more]) => ({ from: dayOf(first), to: dayOf(first + more) })),
    };
  });

/** A change of the rules, `hours` after the start of a history. */
export interface Change {
  rules: RuleSet;
  hours: number;
}

export const ruleChanges: fc.Arbitrary<Change[]> = fc.array(
  fc.record({ rules: ruleSets, hours: between(0, 1_500) }),
  { maxLength: 4 },
);

/** The changes as the log has them. */
export function eventsOf(changes: readonly Change[], start: number): RuleEvent[] {
  return changes.map(({ rules, hours }, n) => ({
    type: 'RulesChanged',
    data: {
      version: FIRST_VERSION + 1 + n,
      from: new Date(start + hours * 3_600_000).toISOString(),
      rules,
      changedBy: ADMIN,
      changedAt: new Date(start - 3_600_000).toISOString(),
    },
  }));
}
