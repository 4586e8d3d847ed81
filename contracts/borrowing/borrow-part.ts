import { addDays } from '../local-day.js';
import { OPEN_STATUSES, type BorrowStatus } from './borrow-status.js';
import { neverWas } from './borrowed-book.js';

/** The parts of the queue that the dashboard counts and leads to: `GET Borrow?Only=`. */
export const BORROW_PARTS = [
  /** Not over: what the counter "Active borrows" counts. */
  'Active',
  /** Some of its books are with the reader, and due on this day. */
  'DueToday',
  /** Some of its books are with the reader, and were due before this day. */
  'Overdue',
  /** Some of its books wait at the desk until the end of this day. */
  'LastDayToCollect',
  /** What the counter "Books borrowed last month" counts the books of. */
  'RentedLastMonth',
  /** The library owes its reader what they paid for a book that was found again. */
  'ToPayOut',
] as const;
export type BorrowPart = (typeof BORROW_PARTS)[number];

/** "Last month" is the last 30 days, this one included (`docs/specification-readings.md`). */
export const MONTH_DAYS = 30;

/** The first day of the last month. */
export const monthBefore = (today: string) => addDays(today, 1 - MONTH_DAYS);

/** What of a borrow says to which parts it belongs. */
interface Placed {
  status: BorrowStatus;
  rentDate: string;
  collectBy: string;
  dueDate: string | null;
  books: readonly { state: string }[];
  refundDue: number;
}

/**
 * Whether a borrow belongs to a part of the queue.
 * @param dayOf the library's day of an instant
 * @param today the library's
 */
export function isPartOf(
  part: BorrowPart,
  { status, rentDate, collectBy, dueDate, books, refundDue }: Placed,
  dayOf: (instant: string) => string,
  today: string,
): boolean {
  const isOut = dueDate !== null && books.some(({ state }) => state === 'lent');
  switch (part) {
    case 'Active':
      return OPEN_STATUSES.includes(status);
    case 'DueToday':
      return isOut && dayOf(dueDate) === today;
    case 'Overdue':
      return isOut && dayOf(dueDate) < today;
    case 'LastDayToCollect':
      return books.some(({ state }) => state === 'reserved') && dayOf(collectBy) === today;
    case 'RentedLastMonth':
      return dayOf(rentDate) >= monthBefore(today) && !neverWas(books);
    case 'ToPayOut':
      return refundDue > 0;
  }
}
