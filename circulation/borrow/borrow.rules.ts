import * as m from '#words/messages.js';
import { LIMITS, type Beyond, type Limit, type LimitReason } from '#contracts/borrowing/borrow-events.js';
import { bookState, type BorrowedBook } from '#contracts/borrowing/borrowed-book.js';
import { DomainError } from '#contracts/domain-error.js';
import { money } from '#contracts/money.js';
import { isOut, lentBooks, type Borrow, type ReaderBorrows } from './borrow-state.js';
import type { BookKind, ReaderKind } from '#contracts/rules/kinds.js';
import { type BorrowRules, numbersForBook, rulesOfBook } from '../rules/borrow.policy.js';
import { amountDueAt } from './late-fee.decider.js';
import { addDays, localDay } from '#contracts/local-day.js';
import { isOver } from '../rules/period.js';

export function allFeesPaid(state: ReaderBorrows, at: string, rules: BorrowRules): void {
  for (const borrow of state.unsettled.values()) if (owesFee(borrow, at, rules)) throw feeNotPaid();
}

/** Charged and unpaid, or late and not charged yet, and not covered by what the reader has paid before. */
export function owesFee(borrow: Borrow, at: string, rules: BorrowRules): boolean {
  return amountDueAt(borrow, at, rules) > 0;
}

/** @throws DomainError RentAbandoned, ConcurrentChange */
export function rentNotAbandoned(state: ReaderBorrows, borrowId: string): void {
  if (state.abandoned.has(borrowId)) {
    throw new DomainError('RentAbandoned', m.borrow_refused_abandoned());
  }
  if (state.borrows.has(borrowId)) {
    throw new DomainError('ConcurrentChange', m.borrow_refused_recorded());
  }
}

export function noDuplicateBook(
  state: ReaderBorrows,
  books: readonly { bookId: number; title: string }[],
): void {
  const taken = new Set(openBooks(state));
  for (const { bookId, title } of books) {
    if (taken.has(bookId)) {
      throw new DomainError('BookAlreadyBorrowed', m.borrow_refused_already_yours({ title }));
    }
    taken.add(bookId);
  }
}

/** @throws DomainError ReadingRoomOnly */
export function noReadingRoomBook(
  books: readonly { title: string; kind?: BookKind }[],
  done: 'rented' | 'lent' | 'reserved',
): void {
  const book = books.find(({ kind }) => kind === 'reading-room');
  if (!book) return;
  throw new DomainError('ReadingRoomOnly', m.borrow_refused_reading_room({ title: book.title, done }));
}

export function withinBookLimit(state: ReaderBorrows, wanted: number, rules: BorrowRules): void {
  const open = openBooks(state).length;
  if (open + wanted > rules.maxBooksPerReader) {
    throw new DomainError(
      'TooManyBooks',
      m.borrow_refused_too_many({ most: rules.maxBooksPerReader, have: open, wanted }),
    );
  }
}

/** Why something may be done beyond the limits, and what stands in its way that no event says. */
export interface AskedBeyond {
  beyondLimit?: LimitReason;
  /** What is said of the reader's block, where there is one. */
  blocked?: string;
}

/**
 * A limit is in the way.
 * @returns it, where it is gone beyond
 * @throws DomainError its own, where there is no reason for that
 */
export function beyond(limit: Limit, detail: string, { beyondLimit }: AskedBeyond): Limit[] {
  if (beyondLimit === undefined) throw new DomainError(LIMITS[limit], detail);
  return [limit];
}

/** What the event says of the limits that it went beyond. */
export function saidBeyond(limits: Limit[], { beyondLimit }: AskedBeyond): { beyond?: Beyond } {
  return beyondLimit === undefined || limits.length === 0 ? {} : { beyond: { limits, reason: beyondLimit } };
}

/** @throws DomainError ReaderBlocked */
export function notBlocked(asked: AskedBeyond): Limit[] {
  return asked.blocked === undefined ? [] : beyond('block', asked.blocked, asked);
}

/**
 * The rules of a rent, as the desk needs their words: they say what to do with the reader who stands there.
 * @returns the limits that are gone beyond
 */
export function mayBeLent(
  state: ReaderBorrows,
  books: readonly { bookId: number; title: string }[],
  at: string,
  rules: BorrowRules,
  asked: AskedBeyond,
): Limit[] {
  const open = [...state.unsettled.values()];
  const limits = notBlocked(asked);
  const owed = open.reduce((sum, borrow) => sum + amountDueAt(borrow, at, rules), 0);
  if (owed > 0) limits.push(...beyond('fee', m.borrow_refused_owing({ amount: money(owed) }), asked));
  const theirs = new Map(
    open.flatMap((borrow) => borrow.books.filter(isOut)).map((book) => [book.bookId, book]),
  );
  for (const { bookId, title } of books) {
    const book = theirs.get(bookId);
    if (!book) continue;
    throw new DomainError(
      'BookAlreadyBorrowed',
      bookState(book) === 'reserved'
        ? m.borrow_refused_waiting({ title })
        : m.borrow_refused_has_it({ title }),
    );
  }
  return [...limits, ...withinDeskLimit(theirs.size, books.length, rules, asked)];
}

/**
 * As many books as a reader may have.
 * @param have how many they have
 * @returns the limit, where it is gone beyond
 * @throws DomainError LimitReached
 */
export function withinDeskLimit(
  have: number,
  more: number,
  { maxBooksPerReader }: BorrowRules,
  asked: AskedBeyond,
): Limit[] {
  if (have + more <= maxBooksPerReader) return [];
  return beyond('books', m.borrow_refused_limit({ most: maxBooksPerReader, have }), asked);
}

/** The books whose copies the reader keeps off the shelf. */
export function openBooks(state: ReaderBorrows): number[] {
  return [...state.unsettled.values()].flatMap(({ books }) =>
    books.filter(isOut).map(({ bookId }) => bookId),
  );
}

export function knownBorrow(state: ReaderBorrows, borrowId: string): Borrow {
  const borrow = state.borrows.get(borrowId);
  if (!borrow) throw new DomainError('BorrowNotFound', m.borrow_refused_not_of_reader());
  return borrow;
}

/**
 * The due date of a borrow with books at the reader.
 * @throws DomainError BorrowNotIssued unless there are any
 */
export function issuedBorrow(borrow: Borrow): string {
  if (borrow.dueDate === null || lentBooks(borrow).length === 0) {
    throw new DomainError('BorrowNotIssued', m.borrow_refused_not_issued({ status: word(borrow) }));
  }
  return borrow.dueDate;
}

/**
 * Those of the named books that are among some of the borrow's: others of its books are passed over, as a list may be older than
 * what happened with them.
 * @throws DomainError BooksDoNotMatch for a book that is not of this borrow, or is named twice
 */
export function booksOfBorrow(
  { books }: Borrow,
  named: readonly number[],
  among: readonly { bookId: number }[],
): number[] {
  const known = new Set(books.map(({ bookId }) => bookId));
  if (new Set(named).size !== named.length || !named.every((bookId) => known.has(bookId))) {
    throw new DomainError('BooksDoNotMatch', m.borrow_refused_other_books());
  }
  return named.filter((bookId) => among.some((book) => book.bookId === bookId));
}

/**
 * Nobody decides on money that they owe themselves, or are owed.
 * @param words what is said to them
 * @throws DomainError OwnFee
 */
export function notOwnFee(readerId: string, librarianId: string, words: () => string): void {
  if (readerId !== librarianId) return;
  throw new DomainError('OwnFee', words());
}

export function feeNotPaid(): DomainError {
  return new DomainError('FeeNotPaid', m.borrow_refused_fee_not_paid());
}

/** The status within a sentence. */
export function word({ status }: Borrow): string {
  return m.borrow_status_within({ status });
}

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
