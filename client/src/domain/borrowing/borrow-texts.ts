import * as m from '#words/messages.js';
import type { BorrowView, TakenBack } from '#contracts/borrowing/borrow-views.js';
import { daysBetween } from '#contracts/local-day.js';
import { amountText } from '../fees/money.js';
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
  return m.common_borrows_count({ count });
}

/** What a librarian should know of a borrow beside its status. */
interface BorrowNote {
  text: string;
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
  if (left < 0) return { text: m.borrow_days_late({ count: -left }), late: true };
  const waiting = waitingBooks(borrow).length;
  if (waiting > 0) {
    const day = isoDay(collectBy);
    const late = day < today;
    if (waiting < books.length) {
      const part = { waiting, all: books.length, day };
      return { text: late ? m.borrow_part_not_collected(part) : m.borrow_part_to_collect(part), late };
    }
    return { text: late ? m.borrow_not_collected_by({ day }) : m.borrow_collect_by_day({ day }), late };
  }
  if (left > 1) return undefined;
  return { text: left === 0 ? m.common_due_today() : m.borrow_due_tomorrow(), late: false };
}

/** What a reader owes for a borrow; nothing where they owe nothing. */
export function debtOf({ fineDue }: BorrowView): string | undefined {
  return fineDue > 0 ? amountText(fineDue) : undefined;
}

/** After the fee of a borrow: how much of it is still owed. */
export function paidOf({ fineAmount, fineDue }: BorrowView): string {
  if (fineDue === 0) return m.borrow_fee_paid();
  return fineDue === fineAmount
    ? m.borrow_fee_to_pay()
    : m.borrow_fee_left_to_pay({ amount: amountText(fineDue) });
}

/** How a call names a borrow and its reader. */
export const ofBorrow = ({ id, user }: Pick<BorrowView, 'id' | 'user'>) => ({
  query: { borrowId: id, userId: user.id },
});

type BookOfBorrow = BorrowView['books'][number];

/** What was charged for a book that is gone: "lost, 45.00 PLN charged"; nothing for any other. */
export function lossText({ state, charged = 0 }: BookOfBorrow): string | undefined {
  if (state !== 'lost' && state !== 'damaged') return undefined;
  const amount = amountText(charged);
  return state === 'lost' ? m.borrow_charged_lost({ amount }) : m.borrow_charged_damaged({ amount });
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
    finePaid > 0 && m.borrow_money_paid({ amount: amountText(finePaid) }),
    fineWaived > 0 && m.borrow_money_waived({ amount: amountText(fineWaived) }),
    fineDue > 0 && m.borrow_money_to_pay({ amount: amountText(fineDue) }),
    refundDue > 0 && m.borrow_money_to_collect({ amount: amountText(refundDue) }),
  ];
  return words.filter((each) => each !== false);
}

/** Where at the desk a copy waits for a reader: by the first letter of their name, as it is shown. */
export function holdShelfFor(fullname: string): string {
  return ([...fullname.trim()][0] ?? '').toLocaleUpperCase('pl');
}

/** Where a copy goes that somebody waits for. */
export function heldFor(fullname: string): string {
  return m.borrow_held_for({ name: fullname, shelf: holdShelfFor(fullname) });
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
