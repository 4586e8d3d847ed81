import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { borrowView } from '../../../../../test-support/views.js';
import { changedFields } from './get-state.js';

const borrow = borrowView({
  rentDate: '2026-03-01T10:00:00Z',
  collectBy: '2026-03-04T10:00:00Z',
  books: [{ bookId: 1, title: 'Solaris', state: 'reserved', issueDate: null, returnDate: null }],
  position: '1',
});
const names = (before: BorrowView | null, after: BorrowView | null) =>
  changedFields(before, after).map(({ name }) => name);

describe('what an event changed', () => {
  it('is what a new borrow has to say, and nothing that has not happened', () => {
    expect(names(null, borrow)).toEqual(['status', 'rentDate', 'collectBy', 'books']);
  });

  it('is each field that says something else, with what it said', () => {
    const paid = { ...borrow, status: 'Paid', fineAmount: 1.5, fineDue: 0, position: '9' } as const;
    const unpaid = { ...paid, status: 'Not_Paid', fineDue: 1.5, position: '8' } as const;
    expect(changedFields(unpaid, paid)).toEqual([
      { name: 'status', label: 'Status', before: 'Not paid', after: 'Paid' },
      { name: 'fineDue', label: 'Still to pay', before: '1.50 PLN', after: '0.00 PLN' },
    ]);
    expect(names(borrow, { ...borrow, renewals: 1 })).toEqual(['renewals']);
  });

  it('is nothing where only the position moved, or where there is no borrow', () => {
    expect(names(borrow, { ...borrow, position: '2' })).toEqual([]);
    expect(names(null, null)).toEqual([]);
  });
});
