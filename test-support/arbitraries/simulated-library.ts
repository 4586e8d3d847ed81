import fc from 'fast-check';
import { isBorrowEventType, type BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { DomainError } from '#contracts/domain-error.js';
import { addDays, startOfDay } from '#contracts/local-day.js';
import type { ReaderKind } from '#contracts/rules/kinds.js';
import { decide, type BorrowCommand } from '#circulation/borrow/borrow.decider.js';
import { fineDue, fold, NO_BORROWS, refundDue } from '#circulation/borrow/borrow-state.js';
import type { RuleBook } from '#circulation/rules/rule-book.js';

/** Of a library whose days are not those of UTC, and have 23 to 25 hours. */
export const ZONE = 'Europe/Warsaw';
export const FIRST = '2026-10-20';
export const DAYS = 200;
const LIBRARIAN = 'c2f7a0d4-91f3-4b8e-a1d0-3e5b7c9f0a22';
const READER_KINDS: readonly ReaderKind[] = ['adult', 'child', 'staff'];

/** What somebody tries with a borrow, days after what they tried before; whether it is undone at once. */
interface Step {
  after: number;
  what: 'issue' | 'renew' | 'return' | 'take-back' | 'pay' | 'waive' | 'lose' | 'damage' | 'find' | 'refund';
  book: number;
  /** Of what is due. */
  part: number;
  undone: boolean;
}

export interface Plan {
  reader: number;
  start: number;
  short: boolean[];
  steps: Step[];
}

export const plans: fc.Arbitrary<Plan[]> = fc.array(
  fc.record({
    reader: fc.nat(READER_KINDS.length - 1),
    start: fc.nat(DAYS - 20),
    short: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
    steps: fc
      .tuple(
        fc.array(
          fc.record({
            after: fc.nat(22),
            what: fc.constantFrom(
              ...([
                'issue',
                'issue',
                'renew',
                'renew',
                'return',
                'take-back',
                'take-back',
                'pay',
                'pay',
              ] as const),
              ...(['waive', 'lose', 'damage', 'find', 'refund'] as const),
            ),
            book: fc.nat(2),
            part: fc.constantFrom(1, 1, 0.4),
            undone: fc.boolean(),
          }),
          { minLength: 2, maxLength: 9 },
        ),
        fc.integer({ min: 0, max: 7 }),
      )
      // Most rents are collected.
      .map(([steps, collected]): Step[] => {
        const part = collected > 5 ? 0.4 : 1;
        const issued = { what: 'issue', book: 0, part, undone: false, after: collected % 4 } as const;
        if (collected === 4) return [{ ...issued, undone: true }, issued, ...steps];
        return collected === 5 ? steps : [issued, ...steps];
      }),
  }),
  { maxLength: 14 },
);

const idOf = (n: number) => `0b54c0de-7f2a-4d0e-9d5e-${String(n).padStart(12, '0')}`;

/** The library as it runs: every night the sweep, and by day what people plan, where the rules of the day let them. */
export function runLibrary(all: readonly Plan[], book: RuleBook): Map<string, BorrowEvent[]> {
  const events = new Map<string, BorrowEvent[]>();
  const states = new Map(READER_KINDS.map((_, reader) => [reader, NO_BORROWS]));
  const todo = new Map<number, (() => void)[]>();
  let now = '';
  const tryTo = (reader: number, command: BorrowCommand): boolean => {
    const state = states.get(reader) ?? NO_BORROWS;
    try {
      const decided = decide(state, command, book.rulesAt(now, ZONE));
      states.set(reader, fold(decided, state));
      const own = decided.filter(({ type }) => isBorrowEventType(type));
      events.set(idOf(reader), [...(events.get(idOf(reader)) ?? []), ...own]);
      return decided.length > 0;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return false;
    }
  };
  for (const [index, { reader, start, short, steps }] of all.entries()) {
    const borrowId = idOf(100 + index);
    const readerId = idOf(reader);
    const readerKind = READER_KINDS[reader] ?? 'adult';
    const books = short.map((isShort, n) => ({
      bookId: index * 10 + n,
      title: `Book ${n}`,
      kind: isShort ? ('short-loan' as const) : ('loanable' as const),
    }));
    const borrowNow = () => states.get(reader)?.borrows.get(borrowId);
    const commandOf = ({ what, book: nth, part }: Step): BorrowCommand | undefined => {
      const at = now;
      const bookId = index * 10 + (nth % books.length);
      const desk = { borrowId, librarianId: LIBRARIAN, readerKind, at };
      const borrow = borrowNow();
      if (!borrow) return undefined;
      const amount = Math.ceil(fineDue(borrow) * part);
      const money = { borrowId, transactionId: `${borrowId} ${at}`, at };
      switch (what) {
        case 'issue': {
          const bookIds = part === 1 ? books.map((each) => each.bookId) : [bookId];
          return { type: 'IssueBooks', ...desk, bookIds };
        }
        case 'renew':
          return { type: 'RenewBorrow', borrowId, renewedBy: readerId, readerKind, at };
        case 'return':
          return { type: 'ReturnBooks', ...desk, bookIds: [bookId] };
        case 'take-back':
          return { type: 'TakeBackBooks', ...desk, bookIds: [bookId] };
        case 'pay':
          return part === 1
            ? { type: 'TakePayment', ...money, amount, due: amount }
            : { type: 'RecordPayment', ...money, amount, provider: 'sandbox' };
        case 'waive':
          return {
            type: 'WaiveFee',
            borrowId,
            readerId,
            amount,
            reason: 'illness',
            librarianId: LIBRARIAN,
            upTo: null,
            at,
          };
        case 'lose':
        case 'damage': {
          const as = what === 'lose' ? ('lost' as const) : ('damaged' as const);
          const price = part === 1 ? null : 2_500;
          return { type: 'ReportLoss', borrowId, bookId, as, price, librarianId: LIBRARIAN, at };
        }
        case 'find':
          return { type: 'FindBook', borrowId, bookId, readerId, foundBy: LIBRARIAN, at };
        case 'refund':
          return {
            ...{ type: 'PayRefund', ...money, amount: refundDue(borrow) },
            ...{ readerId, librarianId: LIBRARIAN },
          };
      }
    };
    let day = start;
    const on = (when: number, what: () => void) => todo.set(when, [...(todo.get(when) ?? []), what]);
    on(day, () => tryTo(reader, { type: 'RentBooks', borrowId, readerId, readerKind, books, at: now }));
    for (const step of steps) {
      day += step.after;
      on(day, () => {
        const command = commandOf(step);
        if (!command || !tryTo(reader, command) || !step.undone) return;
        const revision = borrowNow()?.recent.at(-1)?.revision ?? -1;
        tryTo(reader, { type: 'Undo', borrowId, readerId, revision, librarianId: LIBRARIAN, at: now });
      });
    }
  }
  for (let day = 0; day < DAYS; day += 1) {
    const began = startOfDay(addDays(FIRST, day), ZONE);
    now = new Date(began + 60_000).toISOString();
    for (const reader of states.keys()) {
      for (const id of states.get(reader)?.unsettled.keys() ?? [])
        tryTo(reader, { type: 'ExpireBorrow', borrowId: id, at: now });
      tryTo(reader, { type: 'ChargeLateFees', at: now });
    }
    for (const [n, what] of (todo.get(day) ?? []).entries()) {
      now = new Date(began + 9 * 3_600_000 + n * 60_000).toISOString();
      what();
    }
  }
  return events;
}
