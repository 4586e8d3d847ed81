import { bookState } from '#contracts/borrowing/borrowed-book.js';
import { lentBooks, type Borrow, type ReaderBorrows } from './borrow-state.js';
import type { BorrowRules } from './borrow.policy.js';
import { daysLateAt, type CountedDays } from './period.js';

/** The fee of a late borrow at an instant. */
export interface LateFee {
  /** Days of the library after the due day, 1 on the day after it. */
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
}

/**
 * The fee of a borrow at an instant.
 * @param at ISO 8601 in UTC
 * @returns nothing if the borrow is not issued, or not late
 */
export function lateFee(borrow: Borrow, at: string, rules: BorrowRules): LateFee | undefined {
  if (borrow.dueDate === null || lentBooks(borrow).length === 0) return undefined;
  const { daysLate, calendar } = daysLateAt(borrow.dueDate, at, rules);
  if (daysLate === 0) return undefined;
  const bookDays = lateBooks(borrow, daysLate, rules.timeZone).reduce((sum, each) => sum + each.days, 0);
  const total = Math.min(rules.fineCap, bookDays * rules.finePerBookAndDay);
  return { daysLate, calendar, total, uncharged: Math.max(0, total - borrow.charged) };
}

/**
 * How many days late each book of a borrow is or was: what came back late, or was lost, counts up to the day it did.
 * @param daysLate of those that are with the reader
 */
export function lateBooks(
  { books, dueDate }: Pick<Borrow, 'books' | 'dueDate'>,
  daysLate: number,
  timeZone: string,
): { bookId: number; days: number }[] {
  return books.flatMap((book) => {
    const { bookId, returnedAt } = book;
    if (bookState(book) === 'lent') return { bookId, days: daysLate };
    if (returnedAt === undefined || dueDate === null) return [];
    const days = daysLateAt(dueDate, returnedAt, { timeZone }).daysLate;
    return days > 0 ? { bookId, days } : [];
  });
}

/** Whether the borrow is late and has days that are not charged yet. */
export function owesUncharged(borrow: Borrow, at: string, rules: BorrowRules): boolean {
  return (lateFee(borrow, at, rules)?.uncharged ?? 0) > 0;
}

/** The reader's late borrows with days that are not charged yet. */
export function borrowsToCharge(state: ReaderBorrows, at: string, rules: BorrowRules): Borrow[] {
  return [...state.unsettled.values()].filter((borrow) => owesUncharged(borrow, at, rules));
}
