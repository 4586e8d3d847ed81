import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { decide, type BorrowCommand } from '#circulation/borrow/borrow.decider.js';
import {
  evolve,
  fold,
  NO_BORROWS,
  type Borrow,
  type ReaderBorrows,
} from '#circulation/borrow/borrow-state.js';
import { borrowRules } from '#circulation/rules/borrow.policy.js';
import { specification } from '../product/decider-specification.js';

export const READER = '6b1f1c52-5a30-4f9c-8a63-0a8f5c7d9e11';
export const LIBRARIAN = 'c2f7a0d4-91f3-4b8e-a1d0-3e5b7c9f0a22';
export const BORROW = '0b54c0de-7f2a-4d0e-9d5e-5f8f3c1a2b30';
export const OTHER = '7d1d2f6c-3c58-4a5e-8b7e-6f1c9a0d4e55';
export const day = (n: number, time = '10:00:00.000') => `2026-11-${String(n).padStart(2, '0')}T${time}Z`;
/** The end of a day. */
export const end = (n: number) => day(n, '23:59:59.999');

type Usual = 'borrowId' | 'readerId' | 'librarianId' | 'transactionId';
/** A command of which nothing usual is said: it is on the borrow of the reader, by the librarian. */
export type Short<Command = BorrowCommand> = Command extends BorrowCommand
  ? Omit<Command, Usual> & { [Name in Usual]?: string }
  : never;
const whole = (command: Short) =>
  ({
    ...{ borrowId: BORROW, readerId: READER, librarianId: LIBRARIAN, transactionId: 'tx-1' },
    ...command,
  }) as BorrowCommand;

/** The decider of borrows under these rules, else under those that a library of the time zone begins with. */
export const borrowsIn = (timeZone: string, rules = borrowRules(timeZone)) =>
  specification<ReaderBorrows, Short, BorrowEvent>({
    initial: NO_BORROWS,
    evolve,
    decide: (state, command) => decide(state, whole(command), rules),
  });

/** The borrow after these events. */
export const borrowAfter = (...events: BorrowEvent[]) => fold(events).borrows.get(BORROW) as Borrow;

export const books = (...ids: number[]) => ids.map((bookId) => ({ bookId, title: `Book ${bookId}` }));
type Of<Type extends BorrowCommand['type']> = Short<Extract<BorrowCommand, { type: Type }>>;
export const rent = (bookIds = [1, 2], borrowId = BORROW, at = day(1)): Of<'RentBooks'> => ({
  ...{ type: 'RentBooks', borrowId, books: books(...bookIds), at },
});
export const issue = (bookIds = [1, 2], at = day(2)): Of<'IssueBooks'> => ({
  ...{ type: 'IssueBooks', bookIds, at },
});
export const giveBack = (at = day(15), bookIds = [1, 2]): Of<'ReturnBooks'> => ({
  ...{ type: 'ReturnBooks', bookIds, at },
});
export const bring = (at = day(15), bookIds = [1, 2]): Of<'TakeBackBooks'> => ({
  ...{ type: 'TakeBackBooks', bookIds, at },
});
export const renew = (at = day(10)): Of<'RenewBorrow'> => ({ type: 'RenewBorrow', renewedBy: READER, at });
export const charge = (at: string): Of<'ChargeFine'> => ({ type: 'ChargeFine', at });
export const pay = (amount: number): Of<'RecordPayment'> => ({
  ...{ type: 'RecordPayment', amount, provider: 'sandbox', at: day(18) },
});
export const take = (amount: number, at = day(17), due = amount): Of<'TakePayment'> => ({
  ...{ type: 'TakePayment', amount, due, at },
});
export const undo = (revision: number, at: string, librarianId = LIBRARIAN): Of<'Undo'> => ({
  ...{ type: 'Undo', revision, at, librarianId },
});

/** Rented on the first and to be collected until the fourth. */
export const rented = (borrowId = BORROW, bookIds = [1, 2]): BorrowEvent => ({
  type: 'BooksRented',
  data: {
    ...{ borrowId, readerId: READER, books: books(...bookIds) },
    ...{ rentedAt: day(1), collectBy: end(4), policyVersion: 1 },
  },
});
/** Handed over on the second, due on the 16th. */
export const issued = (borrowId = BORROW, bookIds = [1, 2]): BorrowEvent<'BooksIssued'> => ({
  type: 'BooksIssued',
  data: {
    ...{ borrowId, bookIds, copies: [], issuedBy: LIBRARIAN },
    ...{ issuedAt: day(2), dueDate: end(16), policyVersion: 1 },
  },
});
export const renewed = (dueDate: string, renewedAt = day(10)): BorrowEvent => ({
  type: 'BorrowRenewed',
  data: { borrowId: BORROW, renewedBy: READER, renewedAt, dueDate, policyVersion: 1 },
});
export const expired = (bookIds = [1, 2]): BorrowEvent => ({
  type: 'BorrowExpired',
  data: { borrowId: BORROW, bookIds, expiredAt: day(5) },
});
export const cancelled = (bookIds = [1, 2]): BorrowEvent => ({
  type: 'RentCancelled',
  data: { borrowId: BORROW, bookIds, cancelledBy: READER, cancelledAt: day(2) },
});
export const charged = (amount: number, total: number, daysLate: number, at: string): BorrowEvent => ({
  type: 'FineCharged',
  data: {
    ...{ borrowId: BORROW, amount, total, daysLate, reason: 'overdue', chargedAt: at, policyVersion: 1 },
    calendar: { timeZone: 'UTC', dueDay: '2026-11-16', chargedDay: at.slice(0, 10) },
  },
});
/** Online; or at the desk. */
export const paid = (amount: number, provider = 'sandbox', paidAt = day(18)): BorrowEvent => ({
  type: 'FinePaid',
  data: { borrowId: BORROW, amount, transactionId: 'tx-1', provider, paidAt },
});
export const waived = (amount: number, waivedAt = day(18)): BorrowEvent => ({
  type: 'FeeWaived',
  data: { borrowId: BORROW, amount, reason: 'illness', waivedBy: LIBRARIAN, waivedAt },
});
export const returned = (returnedAt = day(15), bookIds = [1, 2]): BorrowEvent => ({
  type: 'BooksReturned',
  data: { borrowId: BORROW, bookIds, returnedTo: LIBRARIAN, returnedAt },
});
export const takenBack = (takenBackAt: string, bookIds = [1, 2]): BorrowEvent => ({
  type: 'BooksTakenBack',
  data: { borrowId: BORROW, bookIds, takenBackBy: LIBRARIAN, takenBackAt },
});
/** A loss on the tenth; a price of null is the one that the rules set. */
export const gone = (
  type: 'BookLost' | 'BookDamaged',
  price: number | null = 3990,
  bookId = 1,
  reportedAt = day(10),
): BorrowEvent => ({
  type,
  data: {
    ...{ borrowId: BORROW, bookId, price, amount: (price ?? 4000) + 1000, policyVersion: 1 },
    ...{ reportedBy: LIBRARIAN, reportedAt },
  },
});
export const found = (foundAt = day(20)): BorrowEvent => ({
  type: 'LostBookFound',
  data: { borrowId: BORROW, bookId: 1, amount: 4990, foundBy: LIBRARIAN, foundAt },
});
export const refunded = (amount = 4990): BorrowEvent => ({
  type: 'RefundPaid',
  data: {
    ...{ borrowId: BORROW, amount, transactionId: 'tx-1' },
    ...{ provider: 'desk', paidBy: LIBRARIAN, paidAt: day(20) },
  },
});
export const abandoned: BorrowEvent = {
  type: 'RentAbandoned',
  data: { borrowId: BORROW, abandonedAt: day(1) },
};

/** The event with other data. */
export const but = <Event extends BorrowEvent>(event: Event, data: Partial<Event['data']>): Event => ({
  ...event,
  data: { ...event.data, ...data },
});
