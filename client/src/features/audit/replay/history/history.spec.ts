import { eventsOf, timelineOf, type TestEvent } from '../../../../../test-support/audit-history.js';
import { grown, historyOf, numberAt } from './history.js';

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
