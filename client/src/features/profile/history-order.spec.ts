import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { servedInTimeZone } from '../../../../test-support/served-time-zone.js';
import { found, ordered, toggled } from './history-order.js';

const borrow = (id: string, rentDate: string, returnDate: string | null, title = 'Dune') =>
  ({ id, rentDate, returnDate, borrowedBooks: [{ bookId: 1, title }] }) as BorrowView;

const history = [
  borrow('a', '2026-11-01T10:00:00Z', null),
  borrow('b', '2026-10-01T10:00:00Z', '2026-10-09T10:00:00Z', 'Solaris'),
  borrow('c', '2026-09-01T10:00:00Z', '2026-11-09T10:00:00Z'),
];
const ids = (borrows: BorrowView[]) => borrows.map(({ id }) => id).join('');

describe('the order of a history', () => {
  it('turns round when the same column is chosen again', () => {
    const first = toggled({ key: 'rentDate', descending: true }, 'rentDate');
    expect(first).toEqual({ key: 'rentDate', descending: false });
    expect(toggled(first, 'returnDate')).toEqual({ key: 'returnDate', descending: true });
  });

  // spec 4.17
  it('counts a missing date as zero', () => {
    expect(ids(ordered(history, { key: 'returnDate', descending: false }))).toBe('abc');
    expect(ids(ordered(history, { key: 'returnDate', descending: true }))).toBe('cba');
  });

  it('finds titles and rent dates', () => {
    expect(ids(found(history, 'solar'))).toBe('b');
    expect(ids(found(history, '2026-11'))).toBe('a');
    expect(ids(found(history, ' '))).toBe('abc');
  });

  it('finds a rent date as the library has it, wherever the browser stands', () => {
    const [first] = history;
    const late = [{ ...first, rentDate: '2026-11-09T23:20:00Z' } as BorrowView];
    servedInTimeZone('Europe/Warsaw');
    expect([found(late, '2026-11-10'), found(late, '2026-11-09')].map(({ length }) => length)).toEqual([
      1, 0,
    ]);
    servedInTimeZone('');
  });
});
