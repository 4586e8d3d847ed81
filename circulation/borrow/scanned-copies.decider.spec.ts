import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import type { CopyOfBook } from '#contracts/catalogue/copy-code.js';
import {
  BORROW,
  borrowsIn,
  but,
  day,
  issued as borrowIssued,
  LIBRARIAN,
  rented as borrowRented,
} from '../../test-support/borrow-history.js';
import { decide, type BorrowCommand } from './borrow.decider.js';
import { borrowRules } from '../rules/borrow.policy.js';
import { fold } from './borrow-state.js';

const RULES = borrowRules('UTC');
const given = borrowsIn('UTC');
const rented = borrowRented();
const issued = (bookIds: number[], copies: CopyOfBook[]) => but(borrowIssued(BORROW, bookIds), { copies });
const rebound = (bookId: number, copy: number, reboundAt = day(3)): BorrowEvent => ({
  type: 'CopyRebound',
  data: { borrowId: BORROW, bookId, copy, reboundBy: LIBRARIAN, reboundAt },
});
const returned = (bookIds: number[], returnedAt = day(3)): BorrowEvent => ({
  type: 'BooksReturned',
  data: { borrowId: BORROW, bookIds, returnedTo: LIBRARIAN, returnedAt },
});
const undone: BorrowEvent = {
  type: 'IssueUndone',
  data: {
    ...{ borrowId: BORROW, revision: 1, bookIds: [1, 2], dueDate: null },
    ...{ undoneBy: LIBRARIAN, undoneAt: day(2, '10:05:00.000') },
  },
};
const desk = (
  type: 'IssueBooks' | 'ReturnBooks' | 'TakeBackBooks',
  bookIds: number[],
  copies: CopyOfBook[],
  at = type === 'IssueBooks' ? day(2) : day(3),
): BorrowCommand => ({ type, borrowId: BORROW, bookIds, copies, librarianId: LIBRARIAN, at });
const rebind = (...copies: CopyOfBook[]): BorrowCommand => ({
  ...{ type: 'RebindCopies', borrowId: BORROW, copies, librarianId: LIBRARIAN, at: day(3) },
});
const copiesAfter = (...events: BorrowEvent[]) =>
  fold(events)
    .borrows.get(BORROW)
    ?.books.map(({ copy }) => copy);

describe('copies that are scanned', () => {
  it('are named by the issue, and no others', () =>
    given(rented).decides(
      desk('IssueBooks', [1, 2], [{ bookId: 2, copy: 3 }]),
      issued([1, 2], [{ bookId: 2, copy: 3 }]),
    ));
  it('are named as far as their books are issued now', () =>
    given(rented, issued([1], [])).decides(
      desk(
        'IssueBooks',
        [1, 2],
        [
          { bookId: 1, copy: 1 },
          { bookId: 2, copy: 3 },
        ],
      ),
      issued([2], [{ bookId: 2, copy: 3 }]),
    ));
  it.each(['IssueBooks', 'ReturnBooks', 'TakeBackBooks'] as const)(
    'are refused to %s where two are of one title',
    (type) =>
      given(rented, ...(type === 'IssueBooks' ? [] : [issued([1, 2], [])])).refuses(
        desk(
          type,
          [1],
          [
            { bookId: 1, copy: 1 },
            { bookId: 1, copy: 2 },
          ],
        ),
        'BooksDoNotMatch',
      ),
  );
  it.each(['ReturnBooks', 'TakeBackBooks'] as const)('correct what was said before by %s', (type) =>
    given(rented, issued([1, 2], [{ bookId: 1, copy: 1 }])).decides(
      desk(
        type,
        [1, 2],
        [
          { bookId: 1, copy: 1 },
          { bookId: 2, copy: 3 },
        ],
      ),
      rebound(2, 3),
      returned([1, 2]),
    ),
  );
  it('are corrected while a fee is left to be paid, too', () => {
    const late = desk('TakeBackBooks', [1], [{ bookId: 1, copy: 2 }], day(20));
    const events = decide(fold([rented, issued([1, 2], [])]), late, RULES);
    expect(events.map(({ type }) => type)).toEqual(['FineCharged', 'CopyRebound', 'BooksTakenBack']);
  });
});

describe('rebinding a copy', () => {
  it('says which one is with the reader', () =>
    given(rented, issued([1, 2], [{ bookId: 1, copy: 1 }])).decides(
      rebind({ bookId: 1, copy: 4 }, { bookId: 2, copy: 3 }),
      rebound(1, 4),
      rebound(2, 3),
    ));
  it('changes nothing where that is known', () =>
    given(rented, issued([1, 2], [{ bookId: 1, copy: 1 }])).ignores(rebind({ bookId: 1, copy: 1 })));
  it('is refused before the book was handed over, and once it is back', () => {
    given(rented).refuses(rebind({ bookId: 1, copy: 1 }), 'BorrowNotIssued');
    given(rented, issued([1, 2], []), returned([1])).refuses(
      rebind({ bookId: 1, copy: 1 }),
      'BorrowNotIssued',
    );
  });
  it('is refused for a book of another borrow', () =>
    given(rented, issued([1, 2], [])).refuses(rebind({ bookId: 3, copy: 1 }), 'BooksDoNotMatch'));
});

describe('the copy of a borrowed book', () => {
  const scanned = issued([1, 2], [{ bookId: 2, copy: 3 }]);
  it('is the one that was scanned last, and stays with what came back', () => {
    expect(copiesAfter(rented, scanned)).toEqual([undefined, 3]);
    expect(copiesAfter(rented, scanned, rebound(1, 2), rebound(2, 5), returned([1, 2]))).toEqual([2, 5]);
  });
  it('is not known any more once the issue was undone', () => {
    expect(copiesAfter(rented, scanned, rebound(1, 2), undone)).toEqual([undefined, undefined]);
    expect(copiesAfter(rented, scanned, undone, issued([1, 2], []))).toEqual([undefined, undefined]);
  });
});
