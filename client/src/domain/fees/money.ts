import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { groszeOf, money } from '#contracts/money.js';
import { isoDay } from '../../lib/dates.js';

/** An amount in PLN as it is shown: two decimals and the currency. */
export function plnText(amount: number): string {
  return money(groszeOf(amount));
}

/** 'No fee' when 0, else the amount in PLN (specification, section 4). */
export function feeText(amount: number): string {
  return amount === 0 ? 'No fee' : plnText(amount);
}

/** What of a borrow says what its money is for. */
export type BorrowCharges = Pick<
  BorrowView,
  'borrowedBooks' | 'books' | 'dueDate' | 'fineAmount' | 'lossAmount'
>;

/** What the money of a borrow is for: the late fee with the books that were late, and each book that is gone. In PLN. */
export function chargesOf(borrow: BorrowCharges): { name: string; titles: string[]; amount: number }[] {
  const { borrowedBooks, books, dueDate, fineAmount, lossAmount } = borrow;
  const late = (groszeOf(fineAmount) - groszeOf(lossAmount)) / 100;
  const lent = books.filter(({ issueDate }) => issueDate !== null);
  const overdue = lent.filter(
    ({ returnDate }) => !returnDate || !dueDate || isoDay(returnDate) > isoDay(dueDate),
  );
  const [titles = []] = [overdue, lent, borrowedBooks]
    .filter((some) => some.length > 0)
    .map((some) => some.map(({ title }) => title));
  return [
    ...(late > 0 ? [{ name: 'Late fee', titles, amount: late }] : []),
    ...books.flatMap(({ state, title, charged = 0 }) =>
      state === 'lost' || state === 'damaged'
        ? [{ name: state === 'lost' ? 'Lost book' : 'Damaged book', titles: [title], amount: charged }]
        : [],
    ),
  ];
}

/** The same in words: "“Dune” (late fee); “Lalka” (damaged book)". */
export function purposesOf(borrow: BorrowCharges): string {
  return chargesOf(borrow)
    .map(({ name, titles }) => `${titles.map((title) => `“${title}”`).join(', ')} (${name.toLowerCase()})`)
    .join('; ');
}
