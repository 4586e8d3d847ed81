import { DESK, type BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { DomainError } from '#contracts/domain-error.js';
import { money } from '#contracts/money.js';
import { refundDue, type Borrow } from './borrow-state.js';
import { notOnesOwn } from './borrow.rules.js';

/** A librarian hands back, at the desk, what a reader has paid for a book that was found, by whichever way he paid it. */
export interface Refund {
  readerId: string;
  /** grosze */
  amount: number;
  transactionId: string;
  librarianId: string;
  /** ISO 8601 in UTC */
  at: string;
}

/**
 * The money is out of the till: as much as is owed to the reader, or a part of it.
 * @throws DomainError OwnFee, NothingToRefund, WrongAmount
 */
export function payRefund(borrow: Borrow, refund: Refund): BorrowEvent[] {
  const { readerId, amount, transactionId, librarianId, at } = refund;
  notOnesOwn(readerId, librarianId, 'gives money back to himself');
  const owed = refundDue(borrow);
  if (owed <= 0) throw nothingToRefund();
  if (amount <= 0 || amount > owed) {
    throw new DomainError(
      'WrongAmount',
      `No more can be given back than is owed to the reader: ${money(owed)}. Nothing was recorded.`,
    );
  }
  const data = {
    borrowId: borrow.id,
    amount,
    transactionId,
    provider: DESK,
    paidBy: librarianId,
    paidAt: at,
  };
  return [{ type: 'RefundPaid', data }];
}

/** @param owed grosze */
export function refundChanged(owed: number): DomainError {
  return new DomainError('FeeChanged', `${money(owed)} is to be given back by now. Nothing was recorded.`);
}

export function nothingToRefund(): DomainError {
  return new DomainError(
    'NothingToRefund',
    'Nothing is owed to the reader on this borrow. Nothing was recorded.',
  );
}
