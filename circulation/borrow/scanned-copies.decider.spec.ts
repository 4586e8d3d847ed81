import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import type { CopyOfBook } from '#contracts/catalogue/copy-code.js';
import {
  BORROW,
  borrowAfter,
  borrowsIn,
  bring,
  but,
  charged,
  day,
  giveBack,
  issue,
  issued as borrowIssued,
  LIBRARIAN,
  rented as borrowRented,
  returned,
  takenBack,
  type Short,
} from '../../test-support/arbitraries/borrow-history.js';
import { casesOf } from '../../test-support/product/decider-specification.js';

const given = borrowsIn('UTC');
const rented = borrowRented();
const copy = (bookId: number, number: number): CopyOfBook => ({ bookId, copy: number });
const issued = (bookIds: number[], ...copies: CopyOfBook[]) => but(borrowIssued(BORROW, bookIds), { copies });
const rebound = (bookId: number, number: number, reboundAt = day(3)): BorrowEvent => ({
  type: 'CopyRebound',
  data: { borrowId: BORROW, bookId, copy: number, reboundBy: LIBRARIAN, reboundAt },
});
const undone: BorrowEvent = {
  type: 'IssueUndone',
  data: {
    ...{ borrowId: BORROW, revision: 1, bookIds: [1, 2], dueDate: null },
    ...{ undoneBy: LIBRARIAN, undoneAt: day(2, '10:05:00.000') },
  },
};
const lent = [rented, issued([1, 2])];
const oneKnown = [rented, issued([1, 2], copy(1, 1))];
const both = [copy(1, 1), copy(2, 3)];
const twice = [copy(1, 1), copy(1, 2)];

describe('copies that are scanned', () => {
  casesOf(given, [
    [
      'are named by the issue, and no others',
      [rented],
      { ...issue(), copies: [copy(2, 3)] },
      [issued([1, 2], copy(2, 3))],
    ],
    [
      'are named as far as their books are issued now',
      [rented, issued([1])],
      { ...issue(), copies: both },
      [issued([2], copy(2, 3))],
    ],
    [
      'are refused to an issue of two of one title',
      [rented],
      { ...issue([1]), copies: twice },
      'BooksDoNotMatch',
    ],
    ['are refused to a return of them', lent, { ...giveBack(day(3), [1]), copies: twice }, 'BooksDoNotMatch'],
    ['are refused to who takes them back', lent, { ...bring(day(3), [1]), copies: twice }, 'BooksDoNotMatch'],
    [
      'are corrected by a return',
      oneKnown,
      { ...giveBack(day(3)), copies: both },
      [rebound(2, 3), returned(day(3))],
    ],
    [
      'are corrected by who takes them back',
      oneKnown,
      { ...bring(day(3)), copies: both },
      [rebound(2, 3), returned(day(3))],
    ],
    [
      'are corrected while a fee is left to be paid, too',
      lent,
      { ...bring(day(20), [1]), copies: [copy(1, 2)] },
      [charged(400, 400, 4, day(20)), rebound(1, 2, day(20)), takenBack(day(20), [1])],
    ],
  ]);
});

describe('rebinding a copy', () => {
  const rebind = (...copies: CopyOfBook[]): Short => ({ type: 'RebindCopies', copies, at: day(3) });
  const back = [...lent, returned(day(3), [1])];
  casesOf(given, [
    [
      'says which one is with the reader',
      oneKnown,
      rebind(copy(1, 4), copy(2, 3)),
      [rebound(1, 4), rebound(2, 3)],
    ],
    ['changes nothing where that is known', oneKnown, rebind(copy(1, 1)), []],
    ['is refused before the book was handed over', [rented], rebind(copy(1, 1)), 'BorrowNotIssued'],
    ['is refused once it is back', back, rebind(copy(1, 1)), 'BorrowNotIssued'],
    ['is refused for a book of another borrow', lent, rebind(copy(3, 1)), 'BooksDoNotMatch'],
  ]);
});

describe('the copy of a borrowed book', () => {
  const scanned = issued([1, 2], copy(2, 3));
  const copiesAfter = (...events: BorrowEvent[]) => borrowAfter(...events).books.map((book) => book.copy);
  it('is the one that was scanned last, and stays with what came back', () => {
    expect(copiesAfter(rented, scanned)).toEqual([undefined, 3]);
    expect(copiesAfter(rented, scanned, rebound(1, 2), rebound(2, 5), returned())).toEqual([2, 5]);
  });
  it('is not known any more once the issue was undone', () => {
    expect(copiesAfter(rented, scanned, rebound(1, 2), undone)).toEqual([undefined, undefined]);
    expect(copiesAfter(rented, scanned, undone, rebound(1, 2))).toEqual([undefined, undefined]);
    expect(copiesAfter(rented, scanned, undone, issued([1, 2]))).toEqual([undefined, undefined]);
  });
});
