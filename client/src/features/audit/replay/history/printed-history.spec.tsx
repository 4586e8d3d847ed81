import { jest } from '@jest/globals';
import { render } from '@testing-library/react';
import { screen } from '../../../../../test-support/on-screen.js';
import { timelineOf } from '../../../../../test-support/audit-history.js';
import { historyOf } from './history.js';
import { PrintedHistory } from './printed-history.js';

describe('the printed history', () => {
  beforeEach(() => {
    window.print = jest.fn();
  });

  it('names the version of the rules and for which kinds they were applied, where an event went by them', () => {
    const at = '2026-03-04T10:00:00Z';
    const timeline = timelineOf([
      { type: 'BooksRented', borrow: 'a', at },
      { type: 'FineCharged', borrow: 'a', at, amount: 50 },
      { type: 'FineCharged', borrow: 'a', at, amount: 50 },
    ]);
    const chain = {
      ...{ exportedAt: at, firstHash: 'f'.repeat(64), finalHash: 'a'.repeat(64) },
      hashes: new Map(timeline.rows.map(([revision]) => [revision, String(revision).repeat(64)])),
    };
    const history = historyOf({ ...timeline, kinds: { 2: ['child', 'short-loan'] } });
    render(<PrintedHistory history={history} chain={chain} onDone={() => undefined} />);
    const rules = screen.getAllByRole('row').map((row) => row.children[5]?.textContent);
    expect(rules).toEqual(['Rules', '', 'version 1', 'version 1, for: Child, Short loan']);
  });
});
