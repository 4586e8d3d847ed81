import type { BorrowView, TakenBack } from '#contracts/borrowing/borrow-views.js';
import { daysBetween } from '#contracts/local-day.js';
import { plnText } from '../fees/money.js';
import { isoDay } from '../../lib/dates.js';

/** The books of a borrow in one line. */
export function titlesOf({ borrowedBooks }: Pick<BorrowView, 'borrowedBooks'>): string {
  return borrowedBooks.map(({ title }) => title).join(', ');
}

/** The books of a borrow that wait at the desk. */
export function waitingBooks({ books }: Pick<BorrowView, 'books'>): BorrowView['books'] {
  return books.filter(({ state }) => state === 'reserved');
}

export function borrowsText(count: number): string {
  return count === 1 ? '1 borrow' : `${count} borrows`;
}

/** What a librarian should know of a borrow beside its status. */
interface BorrowNote {
  text: string;
  /** The day that it speaks of, after the text. */
  day?: string;
  /** It is late: said by weight and words, not by colour alone. */
  late: boolean;
}

/**
 * How late or how soon due what is lent of a borrow is, and by when what waits of it is collected.
 * @param now milliseconds since 1970
 */
export function noteOf(borrow: BorrowView, now: number): BorrowNote | undefined {
  const { collectBy, dueDate, books } = borrow;
  const today = isoDay(now);
  const isOut = dueDate !== null && books.some(({ state }) => state === 'lent');
  const left = isOut ? daysBetween(today, isoDay(dueDate)) : Infinity;
  if (left < 0) return { text: `${days(-left)} late`, late: true };
  const waiting = waitingBooks(borrow).length;
  if (waiting > 0) {
    const day = isoDay(collectBy);
    const late = day < today;
    if (waiting < books.length)
      return { text: `${waiting} of ${books.length} ${late ? 'not collected' : 'to collect'} by`, day, late };
    return { text: late ? 'Not collected by' : 'Collect by', day, late };
  }
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

type BookOfBorrow = BorrowView['books'][number];

/** What was charged for a book that is gone: "lost, 45.00 PLN charged"; nothing for any other. */
export function lossText({ state, charged = 0 }: BookOfBorrow): string | undefined {
  if (state !== 'lost' && state !== 'damaged') return undefined;
  return `${state}, ${plnText(charged)} charged`;
}

/** The same of each such book of a borrow, with its title: "Lalka: lost, 45.00 PLN charged". */
export function lossesOf({ books }: BorrowView): string[] {
  return books.flatMap((book) => {
    const words = lossText(book);
    return words === undefined ? [] : [`${book.title}: ${words}`];
  });
}

/** What became of the money of a borrow, in the reader's words. */
export function moneyOf({ finePaid, fineWaived, fineDue, refundDue }: BorrowView): string[] {
  const words = [
    finePaid > 0 && `${plnText(finePaid)} paid`,
    fineWaived > 0 && `${plnText(fineWaived)} waived`,
    fineDue > 0 && `${plnText(fineDue)} to pay`,
    refundDue > 0 && `${plnText(refundDue)} owed to you; collect it at the desk`,
  ];
  return words.filter((each) => each !== false);
}

/** Where at the desk a copy waits for a reader: by the first letter of their name, as it is shown. */
export function holdShelfFor(fullname: string): string {
  return ([...fullname.trim()][0] ?? '').toLocaleUpperCase('pl');
}

/** Where a copy goes that somebody waits for. */
export function heldFor(fullname: string): string {
  return `For ${fullname}, shelf ${holdShelfFor(fullname)}`;
}

/** Where books go that came back, as far as somebody waits for them; nothing where they go back to their shelves. */
export function heldForText(
  kept: TakenBack['keptFor'] | undefined,
  { borrowedBooks }: Pick<BorrowView, 'borrowedBooks'>,
): string | undefined {
  if (!kept?.length) return undefined;
  const title = (bookId: number) => borrowedBooks.find((book) => book.bookId === bookId)?.title ?? '';
  return kept
    .map(({ bookId, user: { fullname } }) =>
      borrowedBooks.length === 1 ? heldFor(fullname) : `${title(bookId)}: ${heldFor(fullname)}`,
    )
    .join('; ');
}
