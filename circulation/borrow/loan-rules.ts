import type { BorrowedBook } from '#contracts/borrowing/borrowed-book.js';
import { addDays, localDay } from '#contracts/local-day.js';
import type { ReaderKind } from '#contracts/rules/kinds.js';
import { lentBooks, type Borrow } from './borrow-state.js';
import { numbersForBook, type BorrowRules } from '../rules/borrow.policy.js';
import { isOver } from '../rules/period.js';
import { rulesOfBook } from '../rules/borrow.policy.js';

/** A borrow has one due day: that of the book which may be kept the shortest. */
export function loanDaysOf(books: readonly BorrowedBook[], rules: BorrowRules, reader?: ReaderKind): number {
  return Math.min(...books.map(({ kind }) => numbersForBook(rules, reader, kind).loanDays));
}

/** How often the borrow may be renewed: as was said when its books were handed over. */
export function renewalsOf(borrow: Pick<Borrow, 'books'>, rules: BorrowRules): number {
  return Math.min(...lentBooks(borrow).map((book) => rulesOfBook(book, rules).maxRenewals));
}

/** The first day on which it may be renewed, as was said then. */
export function renewableFrom(borrow: Pick<Borrow, 'books'>, dueDate: string, rules: BorrowRules): string {
  const days = lentBooks(borrow).flatMap((book) => rulesOfBook(book, rules).renewableDaysBefore ?? []);
  return days.length === 0 ? '' : addDays(localDay(dueDate, rules.timeZone), -Math.min(...days));
}

/** Whether a book is late: on closed days after the due day, by the rules that it is lent by, none is. */
export function isOverdue(
  borrow: Pick<Borrow, 'books'>,
  dueDate: string,
  at: string,
  rules: BorrowRules,
): boolean {
  return (
    localDay(at, rules.timeZone) > localDay(dueDate, rules.timeZone) &&
    lentBooks(borrow).some((book) => isOver(dueDate, at, rulesOfBook(book, rules)))
  );
}
