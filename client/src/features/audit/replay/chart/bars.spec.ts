import { servedInTimeZone } from '../../../../../../test-support/browser/served-time-zone.js';
import { borrowIdOf, eventsOf, type TestEvent } from '../../../../../test-support/audit-history.js';
import { barsOf, showing, viewOf, WHOLE, barLayout } from './bars.js';
import { axisTicks, scaleOf, type Scale } from './scale.js';

const late: TestEvent[] = [
  { type: 'BooksRented', borrow: 'a', at: '2026-03-01T10:00:00Z' },
  { type: 'BooksIssued', borrow: 'a', at: '2026-03-02T10:00:00Z', due: '2026-03-16T10:00:00Z' },
  { type: 'FineCharged', borrow: 'a', at: '2026-03-17T00:00:00Z', amount: 50 },
  { type: 'FineCharged', borrow: 'a', at: '2026-03-18T00:00:00Z', amount: 50 },
  { type: 'FinePaid', borrow: 'a', at: '2026-03-18T12:00:00Z', amount: 100 },
  { type: 'BooksReturned', borrow: 'a', at: '2026-03-18T13:00:00Z' },
];

const told = (events: TestEvent[]) =>
  barsOf(eventsOf(events)).map((bar) => ({
    end: bar.end,
    lane: bar.lane,
    stretches: bar.stretches.map(({ kind, from, to }) => [
      kind,
      new Date(from.time).toISOString().slice(5, 13),
      to && new Date(to.time).toISOString().slice(5, 13),
    ]),
  }));

describe('the bars of a history', () => {
  it('follow a borrow that was late: overdue from the due date, unpaid from the first charge, then paid', () => {
    expect(told(late)).toEqual([
      {
        end: 'returned',
        lane: 0,
        stretches: [
          ['rented', '03-01T10', '03-02T10'],
          ['issued', '03-02T10', '03-16T10'],
          ['overdue', '03-16T10', '03-17T00'],
          ['unpaid', '03-17T00', '03-18T12'],
          ['paid', '03-18T12', '03-18T13'],
        ],
      },
    ]);
  });

  it('stay unpaid where less than the fee was paid', () => {
    const part = late.map((event) =>
      event.type === 'FinePaid' ? { ...event, amount: 60, status: 'Not_Paid' as const } : event,
    );
    expect(told(part)[0]?.stretches.at(-1)).toEqual(['unpaid', '03-17T00', '03-18T13']);
  });

  it('are never overdue where a renewal came before the due date', () => {
    const renewed = told([
      ...late.slice(0, 2),
      { type: 'BorrowRenewed', borrow: 'a', at: '2026-03-10T10:00:00Z', due: '2026-03-30T10:00:00Z' },
      { type: 'BooksReturned', borrow: 'a', at: '2026-03-28T10:00:00Z' },
    ]);
    expect(renewed[0]?.stretches.map(([kind]) => kind)).toEqual(['rented', 'issued', 'issued']);
  });

  it('go on where a borrow is open, and end with a cross where it was never collected', () => {
    const bars = told([
      { type: 'BooksRented', borrow: 'a', at: '2026-03-01T10:00:00Z' },
      { type: 'BooksRented', borrow: 'b', at: '2026-03-02T10:00:00Z' },
      { type: 'BorrowExpired', borrow: 'a', at: '2026-03-04T11:00:00Z' },
      { type: 'BooksRented', borrow: 'c', at: '2026-03-05T10:00:00Z' },
    ]);
    expect(bars.map(({ end }) => end)).toEqual(['expired', null, null]);
    // What was free again is used again: no bar lies on another.
    expect(bars.map(({ lane }) => lane)).toEqual([0, 1, 0]);
    expect(bars[1]?.stretches).toEqual([['rented', '03-02T10', null]]);
  });

  it('go on where the return is undone, and stay issued while a part is back', () => {
    const bars = told([
      { type: 'BooksRented', borrow: 'a', at: '2026-03-01T10:00:00Z' },
      { type: 'BooksIssued', borrow: 'a', at: '2026-03-02T10:00:00Z', due: '2026-03-16T10:00:00Z' },
      { type: 'BooksReturned', borrow: 'a', at: '2026-03-03T10:00:00Z', status: 'Issued' },
      { type: 'BooksReturned', borrow: 'a', at: '2026-03-04T10:00:00Z' },
      { type: 'ReturnUndone', borrow: 'a', at: '2026-03-04T11:00:00Z', status: 'Issued' },
      { type: 'BooksRented', borrow: 'b', at: '2026-03-20T10:00:00Z' },
    ]);
    expect(bars.map(({ end }) => end)).toEqual(['returned', null, null]);
    expect(bars[0]?.stretches.map(([kind]) => kind)).toEqual(['rented', 'issued']);
    expect(bars[1]?.stretches).toEqual([
      ['issued', '03-04T11', '03-16T10'],
      ['overdue', '03-16T10', null],
    ]);
  });

  it('are drawn as one where there are more than pixels, and apart when one looks closer', () => {
    const many = Array.from({ length: 2000 }, (_, index): TestEvent[] => {
      const day = new Date(Date.UTC(2000, 0, 1 + index)).toISOString();
      const end = new Date(Date.UTC(2000, 0, 1 + index, 20)).toISOString();
      return [
        { type: 'BooksRented', borrow: String.fromCharCode(1000 + index), at: day },
        { type: 'BooksReturned', borrow: String.fromCharCode(1000 + index), at: end },
      ];
    }).flat();
    const events = eventsOf(many);
    const scale = scaleOf(events, 'time');
    const bars = barsOf(events);
    const whole = barLayout(bars, scale, WHOLE, 800);
    expect(whole.length).toBeLessThanOrEqual(800);
    expect(whole.reduce((sum, { count }) => sum + count, 0)).toBe(2000);
    const [, , third] = bars;
    if (!third) throw new Error('There are bars.');
    const near = barLayout(bars, scale, viewOf(third, scale), 800);
    expect(near.length).toBeLessThan(20);
    expect(near.find(({ bar }) => bar.borrowId === borrowIdOf(String.fromCharCode(1002)))?.count).toBe(1);
  });

  it('come into view by moving it only as far as is needed', () => {
    expect(showing({ from: 0.2, to: 0.4 }, 0.3)).toEqual({ from: 0.2, to: 0.4 });
    const moved = showing({ from: 0.2, to: 0.4 }, 0.95);
    expect(moved.to).toBeCloseTo(1);
    expect(moved.to - moved.from).toBeCloseTo(0.2);
  });
});

describe('a scale', () => {
  it.each(['time', 'events'] as const)('by %s finds back every number from its place', (proportion) => {
    const scale = scaleOf(eventsOf(late), proportion);
    const numbers = [0, 1, 2, 3, 4, 5, 6];
    expect(numbers.map((number) => scale.numberAt(scale.ofNumber(number)))).toEqual(numbers);
    const places = numbers.map(scale.ofNumber);
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(places.every((place) => place >= 0 && place <= 1)).toBe(true);
  });
});

/** Of an axis that shows the time between two instants. */
function ticksOf(from: string, to: string, width = 800): string[] {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const scale = {
    timeAt: (place: number) => start + place * (end - start),
    ofTime: (time: number) => (time - start) / (end - start),
  } as Scale;
  return axisTicks(scale, WHOLE, width, 'time', 0).map(
    ({ place, label }) => `${new Date(Math.round(scale.timeAt(place))).toISOString().slice(5, 16)} ${label}`,
  );
}

describe('the marks of a time axis', () => {
  afterEach(() => servedInTimeZone(''));

  it('are at the midnights of the library, on days of 23 and 25 hours too', () => {
    servedInTimeZone('Europe/Warsaw');
    expect(ticksOf('2026-03-27T12:00:00Z', '2026-03-31T12:00:00Z', 500)).toEqual([
      '03-27T23:00 2026-03-28',
      '03-28T23:00 2026-03-29',
      '03-29T22:00 2026-03-30',
      '03-30T22:00 2026-03-31',
    ]);
  });

  it('count the hours from a midnight of the library', () => {
    servedInTimeZone('Asia/Kathmandu');
    expect(ticksOf('2026-11-10T10:00:00Z', '2026-11-11T08:00:00Z')).toEqual([
      '11-10T12:15 18:00',
      '11-10T15:15 21:00',
      '11-10T18:15 2026-11-11',
      '11-10T21:15 03:00',
      '11-11T00:15 06:00',
      '11-11T03:15 09:00',
      '11-11T06:15 12:00',
    ]);
  });

  it('are its months and years further away', () => {
    servedInTimeZone('America/New_York');
    expect(ticksOf('2026-01-15T00:00:00Z', '2026-07-15T00:00:00Z').slice(0, 2)).toEqual([
      '02-01T05:00 2026-02',
      '03-01T05:00 2026-03',
    ]);
    expect(ticksOf('2019-06-01T00:00:00Z', '2026-07-15T00:00:00Z').map((tick) => tick.slice(12))).toEqual([
      ...['2020', '2021', '2022', '2023', '2024', '2025', '2026'],
    ]);
  });
});
