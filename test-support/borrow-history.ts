import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { decide, type BorrowCommand } from '#circulation/borrow/borrow.decider.js';
import { evolve, NO_BORROWS, type ReaderBorrows } from '#circulation/borrow/borrow-state.js';
import { borrowRules } from '#circulation/rules/borrow.policy.js';
import { specification } from './decider-specification.js';

/** The decider of borrows under the rules that a library of this time zone begins with. */
export const borrowsIn = (timeZone: string) =>
  specification<ReaderBorrows, BorrowCommand, BorrowEvent>({
    initial: NO_BORROWS,
    evolve,
    decide: (state, command) => decide(state, command, borrowRules(timeZone)),
  });

export const READER = '6b1f1c52-5a30-4f9c-8a63-0a8f5c7d9e11';
export const LIBRARIAN = 'c2f7a0d4-91f3-4b8e-a1d0-3e5b7c9f0a22';
export const BORROW = '0b54c0de-7f2a-4d0e-9d5e-5f8f3c1a2b30';
export const OTHER = '7d1d2f6c-3c58-4a5e-8b7e-6f1c9a0d4e55';
export const day = (n: number, time = '10:00:00.000') => `2026-11-${String(n).padStart(2, '0')}T${time}Z`;
/** The end of a day. */
export const end = (n: number) => day(n, '23:59:59.999');

/** Rented on the first and to be collected until the fourth. */
export const rented = (borrowId = BORROW, bookIds = [1, 2]): BorrowEvent => ({
  type: 'BooksRented',
  data: {
    borrowId,
    readerId: READER,
    books: bookIds.map((bookId) => ({ bookId, title: `Book ${bookId}` })),
    rentedAt: day(1),
    collectBy: end(4),
    policyVersion: 1,
  },
});
/** Handed over on the second, due on the 16th. */
export const issued = (borrowId = BORROW, bookIds = [1, 2]): BorrowEvent => ({
  type: 'BooksIssued',
  data: {
    borrowId,
    bookIds,
    copies: [],
    issuedBy: LIBRARIAN,
    issuedAt: day(2),
    dueDate: end(16),
    policyVersion: 1,
  },
});
/** The event with other data. */
export const but = <Event extends BorrowEvent>(event: Event, data: Partial<Event['data']>): Event => ({
  ...event,
  data: { ...event.data, ...data },
});
