import type { BorrowedBook } from '#contracts/borrowing/borrowed-book.js';
import { localDay } from '#contracts/local-day.js';
import { fineDue, isLent, type Borrow, type ReaderBorrows } from './borrow-state.js';
import type { BorrowPolicy, BorrowRules } from '../rules/borrow.policy.js';
import { openDaysBetween, type CountedDays } from '../rules/period.js';
import { rulesOfBook } from '../rules/borrow.policy.js';

/** The fee of a late borrow at an instant. */
export interface LateFee {
  /** Open days of the library after the due day, 1 on the first of them. */
  daysLate: number;
  /** By which days they were counted. */
  calendar: CountedDays;
  /** For all those days and books, in grosze, capped. */
  total: number;
  /**
   * The part not charged yet, in grosze. What was charged stays charged: where earlier rules counted more days than these,
   * nothing is added before these have come to more.
   */
  uncharged: number;
  /** Of the rules by which the books are lent; the latest of them, where some were handed over later than others. */
  policyVersion: number;
}

/** A book that is late, or came back late. */
export interface LateBook {
  book: BorrowedBook;
  /** Open days. */
  days: number;
  /** Those by which it is lent. */
  rules: BorrowPolicy;
}

/**
 * The fee of a borrow at an instant: each book costs what it did by the rules by which it was handed over, or renewed last.
 * @param at ISO 8601 in UTC
 * @param rules of now, which know the earlier ones
 * @returns nothing if the borrow is not issued, or not late
 */
export function lateFee(borrow: Borrow, at: string, rules: BorrowRules): LateFee | undefined {
  // Most is in time, and needs no calendar.
  if (borrow.dueDate === null || at <= borrow.dueDate || !borrow.books.some(isLent)) return undefined;
  const { timeZone } = rules;
  const dueDay = localDay(borrow.dueDate, timeZone);
  const chargedDay = localDay(at, timeZone);
  if (chargedDay <= dueDay) return undefined;
  const calendar = { timeZone, dueDay, chargedDay };
  const late = lateBooks(borrow, calendar, (book) => rulesOfBook(book, rules));
  const daysLate = maxDaysLate(late);
  if (daysLate === 0) return undefined;
  const total = totalFee(late).total;
  return {
    daysLate,
    calendar,
    total,
    uncharged: Math.max(0, total - borrow.charged),
    policyVersion: Math.max(...late.map((each) => each.rules.version)),
  };
}

/** How many days late those are that are with the reader; 0 if none is. */
export function maxDaysLate(late: readonly LateBook[]): number {
  return Math.max(0, ...late.map(({ book, days }) => (isLent(book) ? days : 0)));
}

/**
 * How many days late each book of a borrow is or was: what came back late, or was lost, counts up to the day it did.
 * @param rulesOf those by which a book is lent
 */
export function lateBooks(
  { books }: Pick<Borrow, 'books'>,
  { timeZone, dueDay, chargedDay }: CountedDays,
  rulesOf: (book: BorrowedBook) => BorrowPolicy,
): LateBook[] {
  return books.flatMap((book) => {
    const { returnedAt } = book;
    const until = isLent(book)
      ? chargedDay
      : returnedAt === undefined
        ? dueDay
        : localDay(returnedAt, timeZone);
    if (until <= dueDay) return [];
    const rules = rulesOf(book);
    const days = openDaysBetween(dueDay, until, rules);
    return days > 0 ? [{ book, days, rules }] : [];
  });
}

/** What late books cost together: those of one version of the rules never more than its cap. In grosze. */
export function totalFee(late: readonly LateBook[]): { computed: number; total: number } {
  const byRules = new Map<string, { computed: number; cap: number }>();
  for (const { book, days, rules } of late) {
    const name = `${rules.version} ${book.terms?.reader}`;
    const sum = byRules.get(name) ?? { computed: 0, cap: rules.fineCap };
    sum.computed += costOf(days, rules);
    byRules.set(name, sum);
  }
  const sums = [...byRules.values()];
  return {
    computed: sums.reduce((sum, each) => sum + each.computed, 0),
    total: sums.reduce((sum, { computed, cap }) => sum + Math.min(cap, computed), 0),
  };
}

/** Within the days of grace nothing, afterwards all days. */
function costOf(days: number, { finePerBookAndDay, graceDays }: BorrowPolicy): number {
  return days <= graceDays ? 0 : days * finePerBookAndDay;
}

/**
 * A borrow as it is once its days up to an instant are charged. What is owed, or owed to the reader, never depends on whether the
 * nightly charge was earlier or is still to come: what they have paid for a book that was found again covers a day all the same.
 * @param at ISO 8601 in UTC
 */
export function withAccruedFee(borrow: Borrow, at: string, rules: BorrowRules): Borrow {
  const { uncharged = 0 } = lateFee(borrow, at, rules) ?? {};
  return uncharged > 0 ? { ...borrow, charged: borrow.charged + uncharged } : borrow;
}

/** What a borrow owes at an instant, its days that are not charged yet included, in grosze. */
export function amountDueAt(borrow: Borrow, at: string, rules: BorrowRules): number {
  return fineDue(withAccruedFee(borrow, at, rules));
}

/** The reader's late borrows with days that are not charged yet. */
export function borrowsToCharge(state: ReaderBorrows, at: string, rules: BorrowRules): Borrow[] {
  return [...state.unsettled.values()].filter((borrow) => (lateFee(borrow, at, rules)?.uncharged ?? 0) > 0);
}
