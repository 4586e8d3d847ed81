import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { recentMessages } from './recent-messages.js';
import { knownBorrows } from './known-borrows.js';
import { isLater } from './positions.js';

/** A reader's history after a message: the row in its place, or a new one at the top. */
export function inHistory(history: BorrowView[], borrow: BorrowView): BorrowView[] {
  const row = history.find((each) => each.id === borrow.id);
  if (!row) return [borrow, ...history];
  if (!isLater(borrow.position, row.position)) return history;
  return history.map((each) => (each.id === borrow.id ? borrow : each));
}

/** Makes a reader's history of the server's answer, and applies the messages that came since the request. */
export function historyRows(answer: BorrowView[], readerId: string, askedAt: number): BorrowView[] {
  return recentMessages
    .since(askedAt)
    .filter(({ borrow }) => borrow.user.id === readerId)
    .reduce((before, { borrow }) => inHistory(before, borrow), answer.map(knownBorrows.latest));
}
