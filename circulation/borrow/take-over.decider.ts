import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import type { BookKind, ReaderKind } from '#contracts/rules/kinds.js';
import { endOfDay, localDay, startOfDay } from '#contracts/local-day.js';
import type { ReaderBorrows } from './borrow-state.js';
import { noDuplicateBook, rentNotAbandoned } from './borrow.rules.js';
import { decidedBy, type BorrowRules } from '../rules/borrow.policy.js';

/** A book that a reader has from the library's earlier system. */
export interface TakeOverLoan {
  type: 'TakeOverLoan';
  borrowId: string;
  readerId: string;
  readerKind?: ReaderKind;
  book: { bookId: number; title: string; kind?: BookKind };
  copy: number;
  /** The last day in time, as that system says: `yyyy-MM-dd`. */
  statedDue: string;
  /** The day of its loan; unknown where that system does not say. */
  lentOn: string | null;
  renewals: number;
  /** Whether the days late before the take-over count too. */
  countsEarlierDays: boolean;
  librarianId: string;
  at: string;
}

/**
 * What the reader has is a fact: no limit, block or fee is asked about, nor whether the book may be lent.
 * @returns nothing where the same loan was taken over before, whatever has become of it since
 * @throws DomainError BookAlreadyBorrowed, RentAbandoned
 */
export function takeOver(state: ReaderBorrows, command: TakeOverLoan, rules: BorrowRules): BorrowEvent[] {
  const { borrowId, readerId, readerKind, book, copy, statedDue, lentOn, renewals, at } = command;
  if (wasTakenOver(state, command)) return [];
  rentNotAbandoned(state, borrowId);
  noDuplicateBook(state, [book]);
  const { timeZone } = rules;
  const today = localDay(at, timeZone);
  const due = statedDue < today && !command.countsEarlierDays ? today : statedDue;
  const isKnown = lentOn !== null && lentOn <= today && lentOn <= statedDue;
  // Everything is due after it was lent.
  const lentAt = isKnown ? startOfDay(lentOn, timeZone) : Math.min(Date.parse(at), startOfDay(due, timeZone));
  return [
    {
      type: 'LoanTakenOver',
      data: {
        ...{ borrowId, readerId, book, copy, renewals, statedDue },
        lentSince: new Date(lentAt).toISOString(),
        dueDate: new Date(endOfDay(due, timeZone)).toISOString(),
        takenOverBy: command.librarianId,
        takenOverAt: at,
        ...decidedBy(rules, readerKind),
      },
    },
  ];
}

/** One that was undone never was. */
function wasTakenOver({ borrows }: ReaderBorrows, { book, copy, statedDue }: TakeOverLoan): boolean {
  for (const { books } of borrows.values())
    for (const { bookId, copy: lent, takenOver, undone } of books)
      if (bookId === book.bookId && lent === copy && takenOver === statedDue && !undone) return true;
  return false;
}
