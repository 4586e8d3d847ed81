import { DESK, type BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { DomainError } from '#contracts/domain-error.js';
import { money } from '#contracts/money.js';
import { fineDue, type Borrow } from './borrow-state.js';
import type { BorrowRules } from './borrow.policy.js';
import { lateFee, owedAt } from './late-fee.decider.js';

/** A payment of a fee. */
export interface PaymentMade {
  /** grosze */
  amount: number;
  transactionId: string;
  /** ISO 8601 in UTC */
  at: string;
}

/**
 * A payment that is already made: of all that is due, or a part of it.
 * @throws DomainError NothingToPay, or WrongAmount if it is more than is due
 */
export function recordPayment(borrow: Borrow, payment: PaymentMade, provider: string): BorrowEvent[] {
  const { amount, transactionId, at } = payment;
  const due = fineDue(borrow);
  if (due <= 0) throw new DomainError('NothingToPay', 'There is no unpaid fee on this borrow.');
  if (amount <= 0 || amount > due) {
    throw new DomainError('WrongAmount', 'The amount paid is not the amount that is due.');
  }
  return [{ type: 'FinePaid', data: { borrowId: borrow.id, amount, transactionId, provider, paidAt: at } }];
}

/**
 * A payment at the desk, which can still be handed back: the whole amount that the borrow owes by now. A day that is not
 * charged yet refuses it.
 * @throws DomainError NothingToPay, FeeChanged
 */
export function takePayment(borrow: Borrow, payment: PaymentMade, rules: BorrowRules): BorrowEvent[] {
  const uncharged = lateFee(borrow, payment.at, rules)?.uncharged ?? 0;
  const due = owedAt(borrow, payment.at, rules);
  if (due > 0 && (uncharged > 0 || payment.amount !== due)) throw feeChanged(due);
  return recordPayment(borrow, payment, DESK);
}

/** @param due grosze */
export function feeChanged(due: number): DomainError {
  return new DomainError('FeeChanged', `The fee is ${money(due)} by now. Nothing was recorded.`);
}
