import { NO_BORROWS, fineDue, fold } from './borrow-state.js';
import { decide, type BorrowCommand } from './borrow.decider.js';
import { lateFee } from './late-fee.decider.js';
import { borrowRules } from '../rules/borrow.policy.js';
import {
  BORROW,
  borrowsIn,
  but,
  day,
  issued,
  LIBRARIAN,
  OTHER,
  READER,
  rented,
} from '../../test-support/arbitraries/borrow-history.js';
import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';

const RULES = borrowRules('UTC');
const loan: Extract<BorrowCommand, { type: 'TakeOverLoan' }> = {
  type: 'TakeOverLoan',
  borrowId: BORROW,
  readerId: READER,
  book: { bookId: 1, title: 'Book 1' },
  copy: 3,
  statedDue: '2026-11-20',
  lentOn: '2026-10-30',
  renewals: 1,
  countsEarlierDays: false,
  librarianId: LIBRARIAN,
  at: day(10),
};
const taken: BorrowEvent<'LoanTakenOver'> = {
  type: 'LoanTakenOver',
  data: {
    ...{ borrowId: BORROW, readerId: READER, book: loan.book, copy: 3, renewals: 1 },
    ...{
      statedDue: '2026-11-20',
      lentSince: '2026-10-30T00:00:00.000Z',
      dueDate: '2026-11-20T23:59:59.999Z',
    },
    ...{ takenOverBy: LIBRARIAN, takenOverAt: day(10), policyVersion: 1 },
  },
};
const borrows = borrowsIn('UTC');

describe('a loan of an earlier system', () => {
  it('is with the reader, due when that system said', () => {
    borrows().decides(loan, taken);
    const borrow = fold([taken]).borrows.get(BORROW);
    expect(borrow).toMatchObject({ status: 'Issued', dueDate: '2026-11-20T23:59:59.999Z', renewals: 1 });
    expect(borrow?.books).toEqual([
      { ...loan.book, issuedAt: '2026-10-30T00:00:00.000Z', copy: 3, takenOver: '2026-11-20' },
    ]);
  });

  it('is due today where it was late, and costs nothing for the days before', () => {
    const [event] = decide(NO_BORROWS, { ...loan, statedDue: '2026-11-02' }, RULES);
    expect(event?.data).toMatchObject({ statedDue: '2026-11-02', dueDate: '2026-11-10T23:59:59.999Z' });
    const borrow = fold(event ? [event] : []).borrows.get(BORROW);
    expect(borrow && lateFee(borrow, day(10), RULES)).toBeUndefined();
    expect(borrow && lateFee(borrow, day(12), RULES)).toMatchObject({ daysLate: 2 });
  });

  it('is late from its own day on where the library counts the days before, too', () => {
    const late = decide(NO_BORROWS, { ...loan, statedDue: '2026-11-02', countsEarlierDays: true }, RULES);
    const state = fold(late);
    const charged = decide(state, { type: 'ChargeLateFees', at: day(10) }, RULES);
    const borrow = fold(charged, state).borrows.get(BORROW);
    expect(borrow && fineDue(borrow)).toBe(8 * RULES.finePerBookAndDay);
  });

  it('was lent some time before now, where nobody says when', () => {
    for (const lentOn of [null, '2026-11-12', '2026-11-25', '2027-01-01'])
      for (const statedDue of ['2026-11-02', '2026-11-20']) {
        const [event] = decide(NO_BORROWS, { ...loan, lentOn, statedDue, countsEarlierDays: true }, RULES);
        const { lentSince = '', dueDate = '' } = event?.type === 'LoanTakenOver' ? event.data : {};
        expect(lentSince <= loan.at && lentSince < dueDate).toBe(true);
      }
  });

  it('is taken over once, whatever has become of it', () => {
    const back: BorrowEvent = {
      type: 'BooksReturned',
      data: { borrowId: BORROW, bookIds: [1], returnedTo: LIBRARIAN, returnedAt: day(12) },
    };
    borrows(taken, back).ignores({ ...loan, borrowId: OTHER, at: day(13) });
    for (const other of [{ copy: 2 }, { book: { bookId: 2, title: 'Book 2' } }])
      borrows(taken, back).decides(
        { ...loan, ...other, borrowId: OTHER, at: day(13) },
        but(taken, { ...other, borrowId: OTHER, takenOverAt: day(13) }),
      );
  });

  it('is refused for a book that the reader has, and asks no limit', () => {
    borrows(rented(OTHER), issued(OTHER)).refuses(loan, 'BookAlreadyBorrowed');
    const many = Array.from({ length: RULES.maxBooksPerReader }, (_, n) => n + 100);
    borrows(rented(OTHER, many), issued(OTHER, many)).decides(loan, taken);
    const fence: BorrowEvent = { type: 'RentAbandoned', data: { borrowId: BORROW, abandonedAt: day(9) } };
    borrows(fence).refuses(loan, 'RentAbandoned');
  });

  it('can be undone for some minutes, and then be taken over anew', () => {
    const at = day(10, '10:05:00.000');
    const state = fold([taken]);
    const undone = decide(
      state,
      { type: 'Undo', borrowId: BORROW, readerId: READER, revision: 0, librarianId: LIBRARIAN, at },
      RULES,
    );
    expect(undone.map(({ type }) => type)).toEqual(['IssueUndone', 'RentCancelled']);
    const after = fold(undone, state);
    expect(after.unsettled.size).toBe(0);
    expect(decide(after, { ...loan, borrowId: OTHER, at }, RULES)).toHaveLength(1);
  });
});
