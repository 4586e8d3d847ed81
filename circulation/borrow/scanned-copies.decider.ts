import * as m from '#words/messages.js';
import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import type { CopyOfBook } from '#contracts/catalogue/copy-code.js';
import { DomainError } from '#contracts/domain-error.js';
import { lentBooks, type Borrow } from './borrow-state.js';
import { booksOfBorrow } from './borrow.rules.js';

/** A librarian scanned copies that are with the reader: they are those that they have, whatever was said before. */
export interface RebindCopies {
  type: 'RebindCopies';
  borrowId: string;
  copies: readonly CopyOfBook[];
  librarianId: string;
  /** ISO 8601 in UTC */
  at: string;
}

/** What a command says about copies, by whom and when. */
interface Scan {
  copies?: readonly CopyOfBook[];
  librarianId: string;
  at: string;
}

/**
 * Those of the scanned copies that are of the named books.
 * @throws DomainError BooksDoNotMatch for two copies of one book
 */
export function copiesOf(bookIds: readonly number[], { copies = [] }: Pick<Scan, 'copies'>): CopyOfBook[] {
  if (new Set(copies.map(({ bookId }) => bookId)).size !== copies.length) {
    throw new DomainError('BooksDoNotMatch', m.borrow_refused_two_copies());
  }
  return copies
    .filter(({ bookId }) => bookIds.includes(bookId))
    .map(({ bookId, copy }) => ({ bookId, copy }));
}

/**
 * Says of these books, which are with the reader, which copies they are, as far as that is not known yet.
 * @throws DomainError BooksDoNotMatch for two copies of one book
 */
export function identifyCopies(borrow: Borrow, bookIds: readonly number[], scan: Scan): BorrowEvent[] {
  return copiesOf(bookIds, scan)
    .filter(({ bookId, copy }) => borrow.books.every((book) => book.bookId !== bookId || book.copy !== copy))
    .map(({ bookId, copy }) => ({
      type: 'CopyRebound',
      data: { borrowId: borrow.id, bookId, copy, reboundBy: scan.librarianId, reboundAt: scan.at },
    }));
}

/** @throws DomainError BooksDoNotMatch, BorrowNotIssued */
export function rebind(borrow: Borrow, command: RebindCopies): BorrowEvent[] {
  const named = command.copies.map(({ bookId }) => bookId);
  const bookIds = booksOfBorrow(borrow, named, lentBooks(borrow));
  if (bookIds.length === 0) {
    throw new DomainError('BorrowNotIssued', m.borrow_refused_not_with_reader());
  }
  return identifyCopies(borrow, bookIds, command);
}
