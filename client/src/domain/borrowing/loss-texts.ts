import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { plnText } from '../fees/money.js';

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
    refundDue > 0 && `${plnText(refundDue)} owed to you, to be had at the desk`,
  ];
  return words.filter((each) => each !== false);
}
