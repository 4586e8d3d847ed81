import * as m from '#words/messages.js';
import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import type { Loss } from '#contracts/borrowing/borrowed-book.js';
import { DomainError } from '#contracts/domain-error.js';
import { lentBooks, type Borrow } from './borrow-state.js';
import type { BorrowPolicy, BorrowRules } from '../rules/borrow.policy.js';
import { notOwnFee } from './borrow.rules.js';
import { rulesOfBook } from '../rules/borrow.policy.js';

/** A book that the reader lost, or brought back so damaged that nobody can borrow it. */
export interface ReportedLoss {
  bookId: number;
  as: Loss;
  /** Of the book, in grosze; null where it has none. */
  price: number | null;
  librarianId: string;
  /** ISO 8601 in UTC */
  at: string;
}

/** A lost book turned up. */
export interface FoundBook {
  bookId: number;
  /** Whose charge it is. */
  readerId: string;
  foundBy: string;
  /** The copy itself was found: somebody may have said so of the borrow already. */
  ofCopy?: boolean;
  /** ISO 8601 in UTC */
  at: string;
}

/** What a lost or damaged book costs its reader, in grosze: its price, or a set one, and a fee. */
export function lossCharge(price: number | null, { lossPrice, lossFee }: BorrowPolicy): number {
  return (price ?? lossPrice) + lossFee;
}

/** @throws DomainError BorrowNotIssued unless the reader has the book */
export function reportLoss(borrow: Borrow, loss: ReportedLoss, rules: BorrowRules): BorrowEvent {
  const { bookId, as, price, librarianId, at } = loss;
  const lent = lentBooks(borrow).find((book) => book.bookId === bookId);
  if (!lent) {
    throw new DomainError('BorrowNotIssued', m.borrow_refused_no_loss({ as }));
  }
  const by = rulesOfBook(lent, rules);
  return {
    type: as === 'lost' ? 'BookLost' : 'BookDamaged',
    data: {
      borrowId: borrow.id,
      bookId,
      price,
      amount: lossCharge(price, by),
      policyVersion: by.version,
      reportedBy: librarianId,
      reportedAt: at,
    },
  };
}

/**
 * The charge of a lost book is taken back. That of a damaged one stays, whatever becomes of its copy.
 * @throws DomainError OwnFee, BookNotLost
 */
export function findBook(borrow: Borrow, found: FoundBook): BorrowEvent[] {
  const { bookId, readerId, foundBy, ofCopy = false, at } = found;
  notOwnFee(readerId, foundBy, m.borrow_own_cancel_charge);
  const gone = borrow.books.find((book) => book.bookId === bookId)?.loss;
  if (gone?.as !== 'lost') {
    if (ofCopy) return [];
    throw new DomainError('BookNotLost', m.borrow_refused_not_lost());
  }
  const data = { borrowId: borrow.id, bookId, amount: gone.charged, foundBy, foundAt: at };
  return [{ type: 'LostBookFound', data }];
}
