import { isOpen, type Borrow, type ReaderBorrows } from './borrow-state.js';
import type { BorrowPolicy } from './borrow.policy.js';

/** The fee of a late borrow at an instant. */
export interface LateFee {
  /** Days begun since the due instant, 1 at the first moment after it. */
  daysLate: number;
  /** For all those days and books, in grosze, capped. */
  total: number;
  /** The part not charged yet, in grosze. */
  uncharged: number;
}

/**
 * The fee of a borrow at an instant.
 * @param at ISO 8601 in UTC
 * @returns nothing if the borrow is not issued, or not late
 */
export function lateFee(borrow: Borrow, at: string, policy: BorrowPolicy): LateFee | undefined {
  if (borrow.dueDate === null || !isOpen(borrow) || at <= borrow.dueDate) return undefined;
  const daysLate = startedDays(borrow.dueDate, at);
  const total = Math.min(policy.fineCap, daysLate * borrow.books.length * policy.finePerBookAndDay);
  return { daysLate, total, uncharged: Math.max(0, total - borrow.charged) };
}

/** Whether the borrow is late and has days that are not charged yet. */
export function owesUncharged(borrow: Borrow, at: string, policy: BorrowPolicy): boolean {
  return (lateFee(borrow, at, policy)?.uncharged ?? 0) > 0;
}

/** The reader's late borrows with days that are not charged yet. */
export function borrowsToCharge(state: ReaderBorrows, at: string, policy: BorrowPolicy): Borrow[] {
  return [...state.borrows.values()].filter((borrow) => owesUncharged(borrow, at, policy));
}

const DAY = 86_400_000;

/** Days that have begun between two instants: one at the first moment after `from`. */
function startedDays(from: string, to: string): number {
  return Math.ceil((Date.parse(to) - Date.parse(from)) / DAY);
}
