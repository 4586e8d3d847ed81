import { isOpen, type Borrow, type ReaderBorrows } from './borrow-state.js';
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
  if (borrow.dueDate === null || !isOpen(borrow)) return undefined;
  const { daysLate, calendar } = daysLateAt(borrow.dueDate, at, rules);
  if (daysLate === 0) return undefined;
  const total = Math.min(rules.fineCap, daysLate * borrow.books.length * rules.finePerBookAndDay);
  return { daysLate, calendar, total, uncharged: Math.max(0, total - borrow.charged) };
}

/** Whether the borrow is late and has days that are not charged yet. */
export function owesUncharged(borrow: Borrow, at: string, rules: BorrowRules): boolean {
  return (lateFee(borrow, at, rules)?.uncharged ?? 0) > 0;
}

/** The reader's late borrows with days that are not charged yet. */
export function borrowsToCharge(state: ReaderBorrows, at: string, rules: BorrowRules): Borrow[] {
  return [...state.unsettled.values()].filter((borrow) => owesUncharged(borrow, at, rules));
}
