import { DESK, type BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { fineDue, type Borrow } from '#borrowing/borrow-state.js';
import type { BorrowRules } from '#borrowing/borrow.policy.js';
import { isOver } from '#borrowing/period.js';

/** What a letter about a borrow says. Times are ISO 8601 in UTC, amounts grosze. */
export type BorrowLetter =
  | { kind: 'books-rented'; titles: string[]; collectBy: string; loanDays: number }
  | { kind: 'books-issued'; titles: string[]; dueDate: string; renewalsLeft: number }
  | { kind: 'due-soon'; titles: string[]; dueDate: string; renewalsLeft: number }
  | { kind: 'borrow-expired'; titles: string[]; collectBy: string }
  | {
      kind: 'fee-charged';
      titles: string[];
      dueDate: string;
      daysLate: number;
      perBookAndDay: number;
      /** The most that the borrow can cost. */
      cap: number;
      charged: number;
      due: number;
      /** Already paid for earlier days. */
      paid: number;
    }
  | {
      kind: 'fee-paid';
      titles: string[];
      amount: number;
      paidAt: string;
      transactionId: string;
      /** Paid at the desk, not online. */
      atDesk: boolean;
      daysLate: number;
      /** Still to be paid. */
      due: number;
      /** Whether the books are still with the reader. */
      toReturn: boolean;
    };

/** The data of a letter's job. */
export interface AskedLetter {
  kind: BorrowLetter['kind'];
  /** The id of the event that the letter reports; none for a reminder. */
  cause: string;
  borrowId: string;
  /** The due date that a reminder is about. */
  dueDate?: string;
}

/** An event of the reader's stream. */
export interface KnownEvent {
  id: string;
  event: BorrowEvent;
}

/** The log does not have the event that the letter reports. */
export class LetterWithoutEvent extends Error {}

/** Whether these events, the newest of a stream, are all that a letter is decided from beside the borrow. */
export function hasEnoughFor({ kind, cause, borrowId }: AskedLetter, newest: readonly KnownEvent[]): boolean {
  const hasCharge = (events: readonly KnownEvent[]) =>
    events.some(({ event: { type, data } }) => type === 'FineCharged' && data.borrowId === borrowId);
  if (kind === 'fee-charged') return hasCharge(newest);
  if (kind !== 'fee-paid') return true;
  const at = newest.findIndex(({ id }) => id === cause);
  return at >= 0 && hasCharge(newest.slice(0, at));
}

/**
 * What a letter says, by the current log. Things change between the event and the sending: a reader who has paid gets
 * no request to pay, one who renewed gets no reminder.
 * @param borrow that it is about; nothing where there is none
 * @param events the reader's, in order; of the newest as many as `hasEnoughFor` wants
 * @param now ISO 8601 in UTC
 * @returns nothing if the letter is no longer true
 * @throws LetterWithoutEvent
 */
export function decideLetter(
  asked: AskedLetter,
  borrow: Borrow | undefined,
  events: readonly KnownEvent[],
  now: string,
  rules: BorrowRules,
): BorrowLetter | undefined {
  if (!borrow) throw new LetterWithoutEvent('The log has no such borrow of this reader.');
  const titles = borrow.books.map(({ title }) => title);
  const { kind } = asked;
  switch (kind) {
    case 'books-rented':
      if (borrow.status !== 'Rented' || isOver(borrow.collectBy, now, rules)) return undefined;
      return { kind, titles, collectBy: borrow.collectBy, loanDays: rules.loanDays };
    case 'books-issued':
      return isOut(borrow, now, rules) ? { kind, titles, ...dueDateOf(borrow, rules) } : undefined;
    case 'due-soon':
      if (!isOut(borrow, now, rules) || borrow.dueDate !== asked.dueDate) return undefined;
      return { kind, titles, ...dueDateOf(borrow, rules) };
    case 'borrow-expired':
      return borrow.status === 'Expired' ? { kind, titles, collectBy: borrow.collectBy } : undefined;
    case 'fee-charged':
      return feeCharged(borrow, titles, events, rules);
    case 'fee-paid':
      return feePaid(borrow, titles, asked.cause, events);
  }
}

/** With the reader, and not overdue. */
function isOut(borrow: Borrow, now: string, rules: BorrowRules): borrow is Borrow & { dueDate: string } {
  return borrow.status === 'Issued' && borrow.dueDate !== null && !isOver(borrow.dueDate, now, rules);
}

function dueDateOf(borrow: Borrow & { dueDate: string }, rules: BorrowRules) {
  return {
    dueDate: borrow.dueDate,
    renewalsLeft: Math.max(0, rules.maxRenewals - borrow.renewals),
  };
}

function feeCharged(
  borrow: Borrow,
  titles: string[],
  events: readonly KnownEvent[],
  rules: BorrowRules,
): BorrowLetter | undefined {
  const due = fineDue(borrow);
  if (due <= 0 || borrow.dueDate === null) return undefined;
  return {
    kind: 'fee-charged',
    titles,
    dueDate: borrow.dueDate,
    daysLate: daysLate(borrow.id, events),
    perBookAndDay: rules.finePerBookAndDay,
    cap: rules.fineCap,
    charged: borrow.charged,
    paid: borrow.paid,
    due,
  };
}

function feePaid(
  borrow: Borrow,
  titles: string[],
  cause: string,
  events: readonly KnownEvent[],
): BorrowLetter {
  const at = events.findIndex(({ id }) => id === cause);
  const paid = events[at]?.event;
  if (paid?.type !== 'FinePaid') throw new LetterWithoutEvent('The log has no such payment of this reader.');
  return {
    kind: 'fee-paid',
    titles,
    amount: paid.data.amount,
    paidAt: paid.data.paidAt,
    transactionId: paid.data.transactionId,
    atDesk: paid.data.provider === DESK,
    daysLate: daysLate(borrow.id, events.slice(0, at)),
    due: fineDue(borrow),
    toReturn: borrow.status === 'Paid' || borrow.status === 'Not_Paid',
  };
}

/** Up to the last charge. */
function daysLate(borrowId: string, events: readonly KnownEvent[]): number {
  let days = 0;
  for (const { event } of events) {
    if (event.type === 'FineCharged' && event.data.borrowId === borrowId) days = event.data.daysLate;
  }
  return days;
}
