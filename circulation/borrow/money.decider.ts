import * as m from '#words/messages.js';
import { DESK, type BorrowEvent, type WaiverReason } from '#contracts/borrowing/borrow-events.js';
import { DomainError } from '#contracts/domain-error.js';
import { money } from '#contracts/money.js';
import { fineDue, type Borrow, type GivenWaiver, refundDue } from './borrow-state.js';
import type { BorrowRules } from '../rules/borrow.policy.js';
import { lateFee, amountDueAt } from './late-fee.decider.js';
import { notOwnFee } from './borrow.rules.js';

/** A payment of a fee. */
interface PaymentMade {
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
  if (due <= 0) throw new DomainError('NothingToPay', m.fees_refused_nothing_to_pay());
  if (amount <= 0 || amount > due) {
    throw new DomainError('WrongAmount', m.fees_refused_wrong_amount());
  }
  return [{ type: 'FinePaid', data: { borrowId: borrow.id, amount, transactionId, provider, paidAt: at } }];
}

/**
 * A payment at the desk, which can still be handed back: all that the borrow owes, or a part of it. Where anything else is due by
 * now than the librarian saw, in grosze, nothing is recorded.
 * @throws DomainError NothingToPay, FeeChanged, WrongAmount
 */
export function takePayment(
  borrow: Borrow,
  payment: PaymentMade & { due: number },
  rules: BorrowRules,
): BorrowEvent[] {
  const uncharged = lateFee(borrow, payment.at, rules)?.uncharged ?? 0;
  const due = amountDueAt(borrow, payment.at, rules);
  if (due > 0 && (uncharged > 0 || payment.due !== due)) throw feeChanged(due);
  return recordPayment(borrow, payment, DESK);
}

/** @param due grosze */
export function feeChanged(due: number): DomainError {
  return new DomainError('FeeChanged', m.fees_refused_changed({ amount: money(due) }));
}

/** A librarian hands back, at the desk, what a reader has paid for a book that was found, by whichever way they paid it. */
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
  notOwnFee(readerId, librarianId, m.borrow_own_refund);
  const owed = refundDue(borrow);
  if (owed <= 0) throw nothingToRefund();
  if (amount <= 0 || amount > owed) {
    throw new DomainError('WrongAmount', m.fees_refused_refund_too_high({ amount: money(owed) }));
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
  return new DomainError('FeeChanged', m.fees_refused_refund_changed({ amount: money(owed) }));
}

export function nothingToRefund(): DomainError {
  return new DomainError('NothingToRefund', m.fees_refused_nothing_to_refund());
}

/** A librarian waives a fee, in part or whole. */
export interface Waiver {
  readerId: string;
  /** grosze */
  amount: number;
  reason: WaiverReason;
  librarianId: string;
  /** grosze of one borrow that they may waive alone; null: there is no limit. */
  upTo: number | null;
  /** Who asked them to, and what was due then, in grosze. */
  asked?: { by: string; due: number };
  /** ISO 8601 in UTC */
  at: string;
}

/**
 * What is charged can be waived; days that are not charged yet can not. Small waivers of one borrow add up.
 * @param earlier waivers of the borrow
 * @throws DomainError OwnFee, NothingToPay, FeeChanged, WrongAmount, WaiverAboveLimit; NotAllowed for who asked themselves
 */
export function waive(borrow: Borrow, waiver: Waiver, earlier: readonly GivenWaiver[]): BorrowEvent[] {
  const { readerId, amount, reason, librarianId, upTo, asked, at } = waiver;
  notOwnFee(readerId, librarianId, m.borrow_own_waive);
  if (asked?.by === librarianId) throw new DomainError('NotAllowed', m.borrow_waiver_not_yours());
  const due = fineDue(borrow);
  if (due <= 0) throw new DomainError('NothingToPay', m.fees_refused_nothing_to_pay());
  if (asked && asked.due !== due) throw feeChanged(due);
  if (amount <= 0 || amount > due) {
    throw new DomainError('WrongAmount', m.fees_refused_waiver_too_high({ amount: money(due) }));
  }
  const waived = earlier.reduce((sum, each) => sum + (each.by === librarianId ? each.amount : 0), 0);
  if (upTo !== null && waived + amount > upTo) {
    const inputs = { limit: money(upTo), waived: money(waived), again: waived > 0 ? 'yes' : 'no' } as const;
    throw new DomainError('WaiverAboveLimit', m.borrow_waiver_above_limit(inputs));
  }
  const by = { waivedBy: librarianId, ...(asked && { askedBy: asked.by }), waivedAt: at };
  return [{ type: 'FeeWaived', data: { borrowId: borrow.id, amount, reason, ...by } }];
}
