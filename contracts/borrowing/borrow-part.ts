import { addDays } from '../local-day.js';
import { OPEN_STATUSES, type BorrowStatus } from './borrow-status.js';

/** The parts of the queue that the dashboard counts and leads to: `GET Borrow?Only=`. */
export const BORROW_PARTS = [
  /** Rented or lent: what the counter "Active borrows" counts. */
  'Active',
  /** With the reader, and due on this day. */
  'DueToday',
  /** With the reader, and due before this day. */
  'Overdue',
  /** At the desk until the end of this day. */
  'LastDayToCollect',
  /** What the counter "Books borrowed last month" counts the books of. */
  'RentedLastMonth',
] as const;
export type BorrowPart = (typeof BORROW_PARTS)[number];

/** "Last month" is the last 30 days, this one included (`docs/specification-readings.md`). */
export const MONTH_DAYS = 30;

/** The first day of the last month. */
export const monthBefore = (today: string) => addDays(today, 1 - MONTH_DAYS);

/** A borrow in one of these states was handed to the reader; once the books are back it has a date of return. */
export const HANDED_OUT: readonly BorrowStatus[] = ['Issued', 'Not_Paid', 'Paid'];

/** What of a borrow says to which parts it belongs. */
interface Placed {
  status: BorrowStatus;
  rentDate: string;
  collectBy: string;
  dueDate: string | null;
  returnDate: string | null;
}

/**
 * Whether a borrow belongs to a part of the queue.
 * @param dayOf the library's day of an instant
 * @param today the library's
 */
export function isPartOf(
  part: BorrowPart,
  { status, rentDate, collectBy, dueDate, returnDate }: Placed,
  dayOf: (instant: string) => string,
  today: string,
): boolean {
  const isOut = HANDED_OUT.includes(status) && dueDate !== null && returnDate === null;
  switch (part) {
    case 'Active':
      return OPEN_STATUSES.includes(status);
    case 'DueToday':
      return isOut && dayOf(dueDate) === today;
    case 'Overdue':
      return isOut && dayOf(dueDate) < today;
    case 'LastDayToCollect':
      return status === 'Rented' && dayOf(collectBy) === today;
    case 'RentedLastMonth':
      return dayOf(rentDate) >= monthBefore(today);
  }
}
