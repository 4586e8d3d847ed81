import type { BorrowOrder } from '#contracts/borrowing/borrow-views.js';

export const HISTORY_KEYS = ['rentDate', 'issueDate', 'dueDate', 'returnDate'] as const;
export type HistoryKey = (typeof HISTORY_KEYS)[number];

export interface HistoryOrder {
  key: HistoryKey;
  descending: boolean;
}

/** What the server calls the orders; a missing date counts as zero in each. */
export const ORDERS: Record<HistoryKey, BorrowOrder> = {
  rentDate: 'RentDate',
  issueDate: 'BorrowDate',
  dueDate: 'DueDate',
  returnDate: 'ReturnDate',
};

/** Sorting again by the same column turns it round (specification, section 4, "Borrow sorting"). */
export function toggled(order: HistoryOrder, key: HistoryKey): HistoryOrder {
  return order.key === key ? { key, descending: !order.descending } : { key, descending: true };
}
