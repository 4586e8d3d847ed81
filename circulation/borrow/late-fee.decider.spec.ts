import { jest } from '@jest/globals';
import type { BorrowedBook } from '#contracts/borrowing/borrowed-book.js';
import { BORROW_POLICY, rulesIn, type BorrowPolicy } from '../rules/borrow.policy.js';
import { readerBorrows, type Borrow } from './borrow-state.js';
import {
  amountDueAt,
  borrowsToCharge,
  lateBooks,
  lateFee,
  maxDaysLate,
  totalFee,
  withAccruedFee,
} from './late-fee.decider.js';

const day = (n: number, time = '10:00:00.000Z') => `2026-11-${n}T${time}`;
const DUE = day(16);
const LENT: BorrowedBook = { bookId: 1, title: 'Solaris', issuedAt: day(11) };
const back = (at: string): BorrowedBook => ({ ...LENT, bookId: 2, returnedAt: at });
const WAITING: BorrowedBook = { bookId: 3, title: 'Lalka' };

const borrowOf = (changes: Partial<Borrow> = {}): Borrow => ({
  ...{ id: 'borrow', books: [LENT], status: 'Issued', rentedAt: day(10), collectBy: day(13) },
  ...{ issuedAt: day(11), dueDate: DUE, returnedAt: null, expiredAt: null, renewals: 0 },
  ...{ charged: 0, paid: 0, waived: 0, recent: [] },
  ...changes,
});
/** Other numbers than those that a library begins with, by a later version. */
const rulesWith = (changes: Partial<BorrowPolicy> = {}) => {
  const policy = { ...BORROW_POLICY, ...changes };
  return rulesIn('UTC', policy, (version) => (version === 1 ? BORROW_POLICY : policy));
};
const RULES = rulesWith();
const CLOSED = rulesWith({ closedDays: [{ from: '2026-11-17', to: '2026-11-18' }] });

describe('the fee of a borrow at an instant', () => {
  it.each<[what: string, borrow: Partial<Borrow>, at: string, rules?: typeof RULES]>([
    ['was never issued', { dueDate: null }, day(20)],
    ['is looked at before it is due', {}, day(15)],
    ['is due at this instant', {}, DUE],
    ['is due on this day, whatever the hour', {}, day(16, '23:59:59.999Z')],
    ['is looked at on an earlier day', {}, day(12)],
    ['is back, though it came late', { books: [back(day(20))] }, day(25)],
    ['still waits at the desk', { books: [WAITING] }, day(25)],
    ['has been due on closed days alone', {}, day(18), CLOSED],
  ])('is none for one that %s', (_what, borrow, at, rules = RULES) => {
    expect(lateFee(borrowOf(borrow), at, rules)).toBeUndefined();
    expect(withAccruedFee(borrowOf(borrow), at, rules)).toEqual(borrowOf(borrow));
  });

  it('is of all days, of which what was charged is not charged again', () => {
    const calendar = { timeZone: 'UTC', dueDay: '2026-11-16', chargedDay: '2026-11-18' };
    const fee = { daysLate: 2, calendar, total: 100, policyVersion: 1 };
    const at = day(18, '00:00:00.000Z');
    for (const [charged, uncharged] of [
      [0, 100],
      [40, 60],
      [100, 0],
      [150, 0],
    ] as const)
      expect(lateFee(borrowOf({ charged }), at, RULES)).toEqual({ ...fee, uncharged });
    expect(amountDueAt(borrowOf({ charged: 50, paid: 50 }), at, RULES)).toBe(50);
    expect(amountDueAt(borrowOf({ charged: 150, paid: 20 }), at, RULES)).toBe(130);
  });

  it('names the latest rules of the books that are late', () => {
    const books = [LENT, { ...LENT, bookId: 2, terms: { version: 2 } }];
    const rules = rulesWith({ version: 2, finePerBookAndDay: 20 });
    expect(lateFee(borrowOf({ books }), day(17), rules)).toMatchObject({ total: 70, policyVersion: 2 });
  });

  it('is to be charged where a day has begun that was not', () => {
    const borrows = ['charged', 'new', 'partly'].map((id, n) =>
      borrowOf({ id, charged: [50, 0, 20][n] ?? 0 }),
    );
    const state = readerBorrows(borrows, [], new Set(), 0);
    expect(borrowsToCharge(state, day(17), RULES).map(({ id }) => id)).toEqual(['new', 'partly']);
    expect(borrowsToCharge(state, day(16), RULES)).toEqual([]);
  });
});

describe('the books of a borrow that are late', () => {
  const calendar = { timeZone: 'UTC', dueDay: '2026-11-16', chargedDay: '2026-11-20' };
  const daysOf = (book: BorrowedBook, rules: BorrowPolicy) =>
    lateBooks({ books: [book] }, calendar, () => rules).map(({ days }) => days);

  it.each<[what: string, book: BorrowedBook, days: number[], rules: BorrowPolicy]>([
    ['with the reader, up to the day that is looked at', LENT, [4], RULES],
    ['back late, up to the day that it came', back(day(18)), [2], RULES],
    ['back on the due day', back(day(16, '23:00:00.000Z')), [], RULES],
    ['back before', back(day(14)), [], RULES],
    ['never collected', WAITING, [], RULES],
    ['with the reader, less the closed days', LENT, [2], CLOSED],
    ['back on a closed day', back(day(18)), [], CLOSED],
  ])('counts what is %s', (_what, book, days, rules) => expect(daysOf(book, rules)).toEqual(days));

  it('asks for rules only where there are days, and says which are the reader’s longest', () => {
    const rulesOf = jest.fn(() => RULES);
    const late = lateBooks({ books: [back(day(19)), back(day(15)), WAITING] }, calendar, rulesOf);
    expect(rulesOf).toHaveBeenCalledTimes(1);
    expect(maxDaysLate(late)).toBe(0);
    expect(maxDaysLate([...late, { book: LENT, days: 1, rules: RULES }])).toBe(1);
  });
});

describe('what late books cost together', () => {
  const late = (days: number, changes: Partial<BorrowPolicy> = {}, book = LENT) => ({
    ...{ book, days, rules: { ...BORROW_POLICY, fineCap: 120, ...changes } },
  });
  it.each([
    ['each book its days', [late(1), late(1)], 100, 100],
    ['no more than the cap', [late(2), late(1)], 150, 120],
    ['nothing within the days of grace', [late(2, { graceDays: 2 })], 0, 0],
    ['all days after them', [late(3, { graceDays: 2 })], 150, 120],
    ['a cap for each version of the rules', [late(3), late(3, { version: 2 })], 300, 240],
    [
      'a cap for each kind of reader',
      [late(3), late(3, {}, { ...LENT, terms: { version: 1, reader: 'child' } })],
      300,
      240,
    ],
  ])('is %s', (_what, books, computed, total) => expect(totalFee(books)).toEqual({ computed, total }));
});
