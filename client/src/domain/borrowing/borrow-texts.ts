import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { daysBetween } from '#contracts/local-day.js';
import { plnText } from '../fees/money.js';
import { isoDay } from '../../lib/dates.js';

/** The books of a borrow in one line. */
export function titlesOf({ borrowedBooks }: Pick<BorrowView, 'borrowedBooks'>): string {
  return borrowedBooks.map(({ title }) => title).join(', ');
}

export function borrowsText(count: number): string {
  return count === 1 ? '1 borrow' : `${count} borrows`;
}

/** What a librarian should know of a borrow beside its status. */
export interface BorrowNote {
  text: string;
  /** The day that it speaks of, after the text. */
  day?: string;
  /** It is late: said by weight and words, not by colour alone. */
  late: boolean;
}

/**
 * By when a rented borrow is collected, how late or how soon due a lent one is.
 * @param now milliseconds since 1970
 */
export function noteOf(borrow: BorrowView, now: number): BorrowNote | undefined {
  const { status, collectBy, dueDate, returnDate } = borrow;
  const today = isoDay(now);
  if (status === 'Rented') {
    const left = daysBetween(today, isoDay(collectBy));
    return left < 0
      ? { text: 'Not collected by', day: isoDay(collectBy), late: true }
      : { text: 'Collect by', day: isoDay(collectBy), late: false };
  }
  const isOut = (status === 'Issued' || status === 'Not_Paid' || status === 'Paid') && returnDate === null;
  if (!isOut || dueDate === null) return undefined;
  const left = daysBetween(today, isoDay(dueDate));
  if (left < 0) return { text: `${days(-left)} late`, late: true };
  if (left > 1) return undefined;
  return { text: left === 0 ? 'Due today' : 'Due tomorrow', late: false };
}

/** What a reader owes for a borrow; nothing where they owe nothing. */
export function debtOf({ fineDue }: BorrowView): string | undefined {
  return fineDue > 0 ? plnText(fineDue) : undefined;
}

/** After the fee of a borrow: how much of it is still owed. */
export function paidOf({ fineAmount, fineDue }: BorrowView): string {
  if (fineDue === 0) return ' paid';
  return fineDue === fineAmount ? ' to pay' : ` of which ${plnText(fineDue)} to pay`;
}

function days(count: number): string {
  return count === 1 ? '1 day' : `${count} days`;
}

/** How a call names a borrow and its reader. */
export const ofBorrow = ({ id, user }: Pick<BorrowView, 'id' | 'user'>) => ({
  query: { borrowId: id, userId: user.id },
});
