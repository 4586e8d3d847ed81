import * as m from '#words/messages.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { groszeOf, money } from '#contracts/money.js';
import { isoDay } from '../../lib/dates.js';

/** An amount as it is shown: two decimals and the currency. */
export function amountText(amount: number): string {
  return money(groszeOf(amount));
}

/** 'No fee' when 0, else the amount (specification, section 4). */
export function feeText(amount: number): string {
  return amount === 0 ? m.fees_none() : amountText(amount);
}

/** What of a borrow says what its money is for. */
export type BorrowCharges = Pick<
  BorrowView,
  'borrowedBooks' | 'books' | 'dueDate' | 'fineAmount' | 'lossAmount'
>;

/** What a borrow is charged for, as it is named by itself and with the books. */
const CHARGES = {
  late: { name: m.fees_late, purpose: m.fees_for_late },
  lost: { name: m.fees_lost, purpose: m.fees_for_lost },
  damaged: { name: m.fees_damaged, purpose: m.fees_for_damaged },
};

interface Charge {
  kind: keyof typeof CHARGES;
  name: string;
  titles: string[];
  amount: number;
}

/** What the money of a borrow is for: the late fee with the books that were late, and each book that is gone. */
export function chargesOf(borrow: BorrowCharges): Charge[] {
  const { borrowedBooks, books, dueDate, fineAmount, lossAmount } = borrow;
  const late = (groszeOf(fineAmount) - groszeOf(lossAmount)) / 100;
  const lent = books.filter(({ issueDate }) => issueDate !== null);
  const overdue = lent.filter(
    ({ returnDate }) => !returnDate || !dueDate || isoDay(returnDate) > isoDay(dueDate),
  );
  const [titles = []] = [overdue, lent, borrowedBooks]
    .filter((some) => some.length > 0)
    .map((some) => some.map(({ title }) => title));
  const charge = (kind: Charge['kind'], of: string[], amount: number): Charge => ({
    ...{ kind, name: CHARGES[kind].name(), titles: of, amount },
  });
  return [
    ...(late > 0 ? [charge('late', titles, late)] : []),
    ...books.flatMap(({ state, title, charged = 0 }) =>
      state === 'lost' || state === 'damaged' ? [charge(state, [title], charged)] : [],
    ),
  ];
}

/** The same in words: "“Dune” (late fee); “Lalka” (damaged book)". */
export function purposesOf(borrow: BorrowCharges): string {
  return chargesOf(borrow)
    .map(({ kind, titles }) =>
      CHARGES[kind].purpose({ titles: titles.map((title) => m.fees_title({ title })).join(', ') }),
    )
    .join('; ');
}
