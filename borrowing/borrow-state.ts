import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import type { BorrowStatus } from '#contracts/borrowing/borrow-views.js';

/** One borrow of a reader, as its events made it. Times are ISO 8601 in UTC, amounts grosze. */
export interface Borrow {
  readonly id: string;
  readonly books: readonly { bookId: number; title: string }[];
  readonly status: BorrowStatus;
  readonly rentedAt: string;
  readonly collectBy: string;
  readonly issuedAt: string | null;
  readonly dueDate: string | null;
  readonly returnedAt: string | null;
  readonly expiredAt: string | null;
  readonly renewals: number;
  readonly charged: number;
  readonly paid: number;
}

/** Everything that the rules need to know of one reader. */
export interface ReaderBorrows {
  readonly borrows: ReadonlyMap<string, Borrow>;
  /** Rents that were fenced off before they were stored. */
  readonly abandoned: ReadonlySet<string>;
}

export const NO_BORROWS: ReaderBorrows = { borrows: new Map(), abandoned: new Set() };

/** What is still to be paid of a borrow, in grosze. */
export function fineDue(borrow: Borrow): number {
  return borrow.charged - borrow.paid;
}

/** Whether the borrow keeps its copies from the shelf. */
export function isOpen(borrow: Borrow): boolean {
  return borrow.status !== 'Returned' && borrow.status !== 'Expired';
}

/** The state after an event. */
export function evolve(state: ReaderBorrows, event: BorrowEvent): ReaderBorrows {
  return fold([event], state);
}

/** The state after all the events: `evolve` over each, without a copy of the state for each. */
export function fold(events: Iterable<BorrowEvent>, from: ReaderBorrows = NO_BORROWS): ReaderBorrows {
  const borrows = new Map(from.borrows);
  const abandoned = new Set(from.abandoned);
  for (const event of events) {
    if (event.type === 'RentAbandoned') {
      abandoned.add(event.data.borrowId);
      continue;
    }
    const borrow = evolveBorrow(borrows.get(event.data.borrowId), event);
    if (borrow) borrows.set(borrow.id, borrow);
  }
  return { borrows, abandoned };
}

function evolveBorrow(
  borrow: Borrow | undefined,
  event: Exclude<BorrowEvent, { type: 'RentAbandoned' }>,
): Borrow | undefined {
  if (event.type === 'BooksRented') {
    const { borrowId, books, rentedAt, collectBy } = event.data;
    return {
      id: borrowId,
      books,
      status: 'Rented',
      rentedAt,
      collectBy,
      issuedAt: null,
      dueDate: null,
      returnedAt: null,
      expiredAt: null,
      renewals: 0,
      charged: 0,
      paid: 0,
    };
  }
  if (!borrow) return undefined;
  switch (event.type) {
    case 'BooksIssued':
      return { ...borrow, status: 'Issued', issuedAt: event.data.issuedAt, dueDate: event.data.dueDate };
    case 'BorrowRenewed':
      return { ...borrow, dueDate: event.data.dueDate, renewals: borrow.renewals + 1 };
    case 'BorrowExpired':
      return { ...borrow, status: 'Expired', expiredAt: event.data.expiredAt };
    case 'FineCharged':
      return { ...borrow, status: 'Not_Paid', charged: borrow.charged + event.data.amount };
    case 'FinePaid': {
      const paid = borrow.paid + event.data.amount;
      return { ...borrow, paid, status: paid >= borrow.charged ? 'Paid' : 'Not_Paid' };
    }
    case 'BooksReturned':
      return { ...borrow, status: 'Returned', returnedAt: event.data.returnedAt };
  }
}
