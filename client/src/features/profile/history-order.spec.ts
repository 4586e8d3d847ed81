import { toggled } from './history-order.js';

describe('the order of a history', () => {
  it('turns round when the same column is chosen again', () => {
    const first = toggled({ key: 'rentDate', descending: true }, 'rentDate');
    expect(first).toEqual({ key: 'rentDate', descending: false });
    expect(toggled(first, 'returnDate')).toEqual({ key: 'returnDate', descending: true });
  });
});
