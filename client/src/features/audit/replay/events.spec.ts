import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { eventsOf, timelineOf, type TestEvent } from '../../../../test-support/audit-history.js';
import { borrowView } from '../../../../test-support/views.js';
import { heightOf, rowsInView, scrollTo, topOf, type RowLayout } from './events/event-list.js';
import { grown, historyOf, numberAt } from './history/history.js';
import { changedFields } from './state/get-state.js';

const layout: RowLayout = { count: 10_000, rowHeight: 40, open: null, openHeight: 0 };
const opened: RowLayout = { ...layout, open: 100, openHeight: 400 };

describe('the rows in view', () => {
  it('are few, wherever one has scrolled to', () => {
    for (const top of [0, 4_000, 199_999, 399_600]) {
      const [first, end] = rowsInView(layout, top, 400);
      expect(end - first).toBeLessThan(30);
      expect(topOf(layout, first)).toBeLessThanOrEqual(top);
      expect(topOf(layout, end - 1) + 40).toBeGreaterThanOrEqual(Math.min(top + 400, heightOf(layout)));
    }
  });

  it('make room for the details of an open row', () => {
    expect(heightOf(opened) - heightOf(layout)).toBe(400);
    expect([topOf(opened, 100), topOf(opened, 101)]).toEqual([4000, 4440]);
    // Within the details it is still the open row that one looks at.
    const [first, end] = rowsInView(opened, 4200, 40);
    expect(first).toBeLessThanOrEqual(100);
    expect(end).toBeGreaterThan(100);
    const [after] = rowsInView(opened, 40_000, 400);
    expect(topOf(opened, after)).toBeLessThanOrEqual(40_000);
  });

  it('stay where they are when the row is in view, and have it in the middle when it is far', () => {
    expect(scrollTo(layout, 5, 100, 400)).toBe(100);
    expect(scrollTo(layout, 10, 0, 400)).toBe(80);
    expect(scrollTo(layout, 5000, 0, 400)).toBe(200_000 - 180);
  });
});

const events: TestEvent[] = [
  { type: 'BooksRented', borrow: 'a', at: '2026-03-01T10:00:00Z' },
  { type: 'BooksIssued', borrow: 'a', at: '2026-03-02T10:00:00Z' },
  { type: 'BooksReturned', borrow: 'a', at: '2026-03-01T23:00:00Z' },
];

describe('a history', () => {
  it('never goes back in time, also where a clock did', () => {
    const [, issued, returned] = eventsOf(events);
    expect(returned?.when).toBe(issued?.when);
    expect(returned?.occurredAt).toBeLessThan(returned?.when ?? 0);
  });

  it('grows by what is new, once', () => {
    const known = historyOf(timelineOf(events.slice(0, 2)));
    const since = timelineOf(events, 1);
    const more = grown(known, since);
    expect(more.events.map(({ revision }) => revision)).toEqual([0, 1, 2]);
    expect(more.events[2]?.when).toBe(more.events[1]?.when);
    expect(grown(more, since)).toBe(more);
  });

  it('knows how many events had happened at a time', () => {
    const all = eventsOf(events);
    const at = (time: string) => numberAt(all, Date.parse(time));
    expect(at('2026-03-01T09:59:59Z')).toBe(0);
    expect(at('2026-03-01T10:00:00Z')).toBe(1);
    expect(at('2026-03-02T10:00:00Z')).toBe(3);
  });
});

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
