import fc from 'fast-check';
import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { DomainError } from '#contracts/domain-error.js';
import { addDays, daysBetween, localDay, startOfDay } from '#contracts/local-day.js';
import { RULES } from '../test-support/borrow-arbitraries.js';
import { decide, type BorrowCommand } from './borrow.decider.js';
import { fineDue, fold, NO_BORROWS } from './borrow-state.js';
import type { BorrowRules } from './borrow.policy.js';
import { Trial, type TrialResult } from './trial.js';

const ZONE = RULES.timeZone;
const FIRST = '2026-01-10';
const DAYS = 200;
const LIBRARIAN = 'c2f7a0d4-91f3-4b8e-a1d0-3e5b7c9f0a22';
const span = {
  from: new Date(startOfDay(FIRST, ZONE)).toISOString(),
  until: new Date(startOfDay(addDays(FIRST, DAYS), ZONE)).toISOString(),
};

/** What a reader does with one borrow: days from one step to the next. */
interface Plan {
  reader: number;
  start: number;
  books: number;
  /** Days until it is collected; null: never. */
  collects: number | null;
  renews: number[];
  /** Days until it comes back, book by book. */
  returns: number[];
  pays: boolean;
  undoes: boolean;
}

const plans: fc.Arbitrary<Plan[]> = fc.array(
  fc.record({
    reader: fc.nat(2),
    start: fc.nat(DAYS),
    books: fc.integer({ min: 1, max: 3 }),
    collects: fc.option(fc.nat(3), { freq: 5 }),
    renews: fc.array(fc.integer({ min: 1, max: 14 }), { maxLength: 3 }),
    returns: fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 3, maxLength: 3 }),
    pays: fc.boolean(),
    undoes: fc.boolean(),
  }),
  { maxLength: 14 },
);

const drafts: fc.Arbitrary<BorrowRules> = fc
  .record({
    loanDays: fc.integer({ min: 1, max: 40 }),
    collectDays: fc.integer({ min: 1, max: 8 }),
    maxRenewals: fc.nat(3),
    maxBooksPerReader: fc.integer({ min: 1, max: 12 }),
    finePerBookAndDay: fc.nat(200),
    fineCap: fc.constantFrom(0, 300, 1_000, 100_000),
  })
  .map((numbers) => ({ ...RULES, ...numbers }));

const idOf = (n: number) => `0b54c0de-7f2a-4d0e-9d5e-${String(n).padStart(12, '0')}`;

/** The library as it runs: every night the sweep, and by day what people plan, where the rules let them. */
function run(all: readonly Plan[]): Map<string, BorrowEvent[]> {
  const events = new Map<string, BorrowEvent[]>();
  const states = new Map([0, 1, 2].map((reader) => [reader, NO_BORROWS]));
  const todo = new Map<number, (() => void)[]>();
  const on = (day: number, what: () => void) => todo.set(day, [...(todo.get(day) ?? []), what]);
  let now = '';
  const tryTo = (reader: number, command: BorrowCommand): boolean => {
    const state = states.get(reader) ?? NO_BORROWS;
    try {
      const decided = decide(state, command, RULES);
      states.set(reader, fold(decided, state));
      events.set(idOf(reader), [...(events.get(idOf(reader)) ?? []), ...decided]);
      return decided.length > 0;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return false;
    }
  };
  for (const [index, plan] of all.entries()) {
    const { reader } = plan;
    const borrowId = idOf(100 + index);
    const desk = { borrowId, librarianId: LIBRARIAN };
    const bookIds = Array.from({ length: plan.books }, (_, n) => index * 10 + n);
    const books = bookIds.map((bookId) => ({ bookId, title: `Book ${bookId}` }));
    on(plan.start, () => {
      if (!tryTo(reader, { type: 'RentBooks', borrowId, readerId: idOf(reader), books, at: now })) return;
      if (plan.collects === null) return;
      const issued = plan.start + plan.collects;
      on(issued + 0.1, () => tryTo(reader, { type: 'IssueBooks', ...desk, bookIds, at: now }));
      let renewed = issued;
      for (const after of plan.renews) {
        renewed += after;
        on(renewed + 0.2, () =>
          tryTo(reader, { type: 'RenewBorrow', borrowId, renewedBy: idOf(reader), at: now }),
        );
      }
      bookIds.forEach((bookId, n) =>
        on(issued + (plan.returns[n] ?? 0) + 0.3, () => {
          const borrow = states.get(reader)?.borrows.get(borrowId);
          const due = borrow ? fineDue(borrow) : 0;
          const bringsBack = { ...desk, bookIds: [bookId], at: now };
          if (due > 0 && plan.pays)
            tryTo(reader, {
              type: 'RecordPayment',
              borrowId,
              amount: due,
              transactionId: `${borrowId} ${n}`,
              provider: 'sandbox',
              at: now,
            });
          if (!tryTo(reader, { type: plan.pays ? 'ReturnBooks' : 'TakeBackBooks', ...bringsBack })) return;
          const revision = states.get(reader)?.borrows.get(borrowId)?.recent.at(-1)?.revision ?? 0;
          if (!plan.undoes) return;
          const undo = { borrowId, revision, readerId: idOf(reader), librarianId: LIBRARIAN, at: now };
          if (tryTo(reader, { type: 'Undo', ...undo }))
            tryTo(reader, { type: 'TakeBackBooks', ...bringsBack });
        }),
      );
    });
  }
  for (let day = 0; day < DAYS; day += 1) {
    const began = startOfDay(addDays(FIRST, day), ZONE);
    now = new Date(began + 60_000).toISOString();
    for (const reader of states.keys()) {
      for (const id of states.get(reader)?.unsettled.keys() ?? [])
        tryTo(reader, { type: 'ExpireBorrow', borrowId: id, at: now });
      tryTo(reader, { type: 'ChargeLateFees', at: now });
    }
    for (const part of [0, 0.1, 0.2, 0.3]) {
      now = new Date(began + (9 + part * 10) * 3_600_000).toISOString();
      // What is done plans more for the same day.
      for (const what of todo.get(day + part) ?? []) what();
    }
  }
  return events;
}

function tried(events: ReadonlyMap<string, readonly BorrowEvent[]>, draft: BorrowRules): TrialResult {
  const trial = new Trial(draft, RULES, span);
  for (const [reader, all] of events) all.forEach((event, revision) => trial.add(reader, event, revision));
  return trial.finish();
}

describe('what rules would have done', () => {
  it('is what the rules in force did, where they are the same', () => {
    let fees = 0;
    fc.assert(
      fc.property(plans, (all) => {
        const events = run(all);
        const result = tried(events, RULES);
        const charged = [...events.values()]
          .flat()
          .reduce((sum, { type, data }) => sum + (type === 'FineCharged' ? data.amount : 0), 0);
        fees += charged;
        expect(result.fees.reduce((sum, { real }) => sum + real, 0)).toBe(charged);
        for (const { month, real, tried: would } of result.fees)
          expect([month, would]).toEqual([month, real]);
        expect(result.readers).toEqual([]);
        expect(result.lateReturns.tried).toBe(result.lateReturns.real);
        expect(result.expiredRents.tried).toBe(result.expiredRents.real);
        expect(result.expiredRents.cannotBeTold).toBe(0);
        expect(result.refused).toEqual({ rents: 0, renewals: 0, readers: 0 });
      }),
      { numRuns: 150 },
    );
    expect(fees).toBeGreaterThan(0);
  });

  it('is, to the grosz, what a small fold of loans says that knows nothing of borrows', () => {
    fc.assert(
      fc.property(plans, drafts, (all, draft) => {
        const simple = all.map((plan) => ({ ...plan, renews: [], undoes: false }));
        const events = run(simple);
        const result = tried(events, draft);
        expect(result.fees.reduce((sum, { tried: would }) => sum + would, 0)).toBe(
          bySmallFold(events, draft),
        );
      }),
      { numRuns: 150 },
    );
  });

  it('is the same for the same log and rules, whichever reader comes first', () => {
    fc.assert(
      fc.property(plans, drafts, (all, draft) => {
        const events = run(all);
        expect(tried(new Map([...events].reverse()), draft)).toEqual(tried(events, draft));
      }),
      { numRuns: 50 },
    );
  });
});

/** By hand: each book costs its days after the due day, each borrow no more than the cap. */
function bySmallFold(events: ReadonlyMap<string, readonly BorrowEvent[]>, draft: BorrowRules): number {
  const due = new Map<string, string>();
  const days = new Map<string, number>();
  const out = new Set<string>();
  const dayOf = (at: string) => localDay(at, ZONE);
  const last = addDays(FIRST, DAYS - 1);
  const late = (borrowId: string, until: string) =>
    days.set(
      borrowId,
      (days.get(borrowId) ?? 0) + Math.max(0, daysBetween(due.get(borrowId) ?? until, until)),
    );
  for (const { type, data } of [...events.values()].flat()) {
    if (type === 'BooksIssued') {
      due.set(data.borrowId, addDays(dayOf(data.issuedAt), draft.loanDays));
      for (const bookId of data.bookIds) out.add(`${data.borrowId} ${bookId}`);
    }
    if (type !== 'BooksReturned' && type !== 'BooksTakenBack') continue;
    for (const bookId of data.bookIds) {
      out.delete(`${data.borrowId} ${bookId}`);
      late(data.borrowId, dayOf(type === 'BooksReturned' ? data.returnedAt : data.takenBackAt));
    }
  }
  for (const book of out) late(book.split(' ')[0] ?? '', last);
  return [...days.values()].reduce(
    (sum, each) => sum + Math.min(draft.fineCap, each * draft.finePerBookAndDay),
    0,
  );
}
