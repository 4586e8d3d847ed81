import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { isoDay } from '../../lib/dates.js';

export const HISTORY_KEYS = ['rentDate', 'issueDate', 'dueDate', 'returnDate'] as const;
export type HistoryKey = (typeof HISTORY_KEYS)[number];

export interface HistoryOrder {
  key: HistoryKey;
  descending: boolean;
}

/** Sorting again by the same column turns it round (specification, section 4, "Borrow sorting"). */
export function toggled(order: HistoryOrder, key: HistoryKey): HistoryOrder {
  return order.key === key ? { key, descending: !order.descending } : { key, descending: true };
}

/** The history in an order; a missing date counts as zero. */
export function ordered(history: readonly BorrowView[], { key, descending }: HistoryOrder): BorrowView[] {
  const time = (borrow: BorrowView) => (borrow[key] ? Date.parse(borrow[key]) : 0);
  return [...history].sort((one, other) => (time(one) - time(other)) * (descending ? -1 : 1));
}

/** The borrows that hold a book with these words in its title, or a rent date that begins with them. */
export function found(history: readonly BorrowView[], words: string): BorrowView[] {
  const wanted = words.trim().toLowerCase();
  return history.filter(
    (borrow) =>
      isoDay(borrow.rentDate).startsWith(wanted) ||
      borrow.borrowedBooks.some((book) => book.title.toLowerCase().includes(wanted)),
  );
}
