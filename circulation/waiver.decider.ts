import type { BorrowEvent, WaiverReason } from '#contracts/borrowing/borrow-events.js';
import { DomainError } from '#contracts/domain-error.js';
import { money } from '#contracts/money.js';
import { fineDue, type Borrow } from './borrow-state.js';
import { notOnesOwn } from './borrow.rules.js';

/** A librarian waives a fee, in part or whole. */
export interface Waiver {
  readerId: string;
  /** grosze */
  amount: number;
  reason: WaiverReason;
  librarianId: string;
  /** ISO 8601 in UTC */
  at: string;
}

/**
 * What is charged can be waived; days that are not charged yet can not.
 * @throws DomainError OwnFee, NothingToPay, WrongAmount
 */
export function waive(borrow: Borrow, waiver: Waiver): BorrowEvent[] {
  const { readerId, amount, reason, librarianId, at } = waiver;
  notOnesOwn(readerId, librarianId, 'waives his own fee');
  const due = fineDue(borrow);
  if (due <= 0) throw new DomainError('NothingToPay', 'There is no unpaid fee on this borrow.');
  if (amount <= 0 || amount > due) {
    throw new DomainError(
      'WrongAmount',
      `No more can be waived than is due: ${money(due)}. Nothing was waived.`,
    );
  }
  return [
    { type: 'FeeWaived', data: { borrowId: borrow.id, amount, reason, waivedBy: librarianId, waivedAt: at } },
  ];
}
