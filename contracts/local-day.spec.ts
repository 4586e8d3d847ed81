import fc from 'fast-check';
import { searchedDays } from './borrowing/searched-days.js';
import {
  addDays,
  daysBetween,
  endOfDay,
  isTimeZone,
  localDay,
  localMinute,
  localSecond,
  startOfDay,
} from './local-day.js';
import { forAll } from '../test-support/arbitraries/for-all.js';

const HOUR = 3_600_000;
const iso = (time: number) => new Date(time).toISOString();
const hoursOf = (day: string, zone: string) =>
  (startOfDay(addDays(day, 1), zone) - startOfDay(day, zone)) / HOUR;

const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
const instants = fc.integer({ min: Date.UTC(2012, 0), max: Date.UTC(2037, 11, 31) });

describe('a day of the library', () => {
  it('is that of its clock, not that of UTC', () => {
    expect(localDay('2026-11-09T23:20:00Z', 'Europe/Warsaw')).toBe('2026-11-10');
    expect(localDay('2026-11-09T23:20:00Z', 'America/New_York')).toBe('2026-11-09');
    expect(localMinute('2026-11-09T23:20:00Z', 'Asia/Kathmandu')).toBe('2026-11-10 05:05');
    expect(localSecond('2026-11-09T23:00:07Z', 'Europe/Warsaw')).toBe('2026-11-10 00:00:07');
  });

  it.each([
    ['Europe/Warsaw', '2026-11-10', '2026-11-09T23:00:00.000Z', 24],
    ['Europe/Warsaw', '2026-03-29', '2026-03-28T23:00:00.000Z', 23],
    ['Europe/Warsaw', '2026-10-25', '2026-10-24T22:00:00.000Z', 25],
    ['Asia/Kathmandu', '2026-11-10', '2026-11-09T18:15:00.000Z', 24],
    // Midnight was skipped: the day began at one.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z', 23],
    ['Asia/Beirut', '2022-03-27', '2022-03-26T22:00:00.000Z', 23],
    // Midnight came twice: the first one counts.
    ['America/Havana', '2024-11-03', '2024-11-03T04:00:00.000Z', 25],
    // Half an hour, and no day at all on the way over the date line.
    ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00.000Z', 24.5],
    ['Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00.000Z', 24],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z', 0],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z', 24],
  ])('in %s: %s begins at %s and has %d hours', (zone, day, start, hours) => {
    expect(iso(startOfDay(day, zone))).toBe(start);
    expect(hoursOf(day, zone)).toBe(hours);
  });

  it('holds every instant that shows it, and no other, in every zone', () => {
    forAll([zones, instants], { numRuns: 400 }, (zone, at) => {
      const day = localDay(at, zone);
      const [start, end] = [startOfDay(day, zone), endOfDay(day, zone)];
      expect(at).toBeGreaterThanOrEqual(start);
      expect(at).toBeLessThanOrEqual(end);
      expect(localDay(start, zone)).toBe(day);
      expect(localDay(end, zone)).toBe(day);
      expect(localDay(start - 1, zone) < day).toBe(true);
      expect(localDay(end + 1, zone)).toBe(addDays(day, 1));
    });
  });

  it('is what the clock of the zone shows, on days on which it is changed too', () => {
    const shown = (at: number, timeZone: string) => new Intl.DateTimeFormat('sv-SE', { timeZone }).format(at);
    forAll([zones, instants, fc.integer({ min: -90, max: 90 })], { numRuns: 200 }, (zone, at, minutes) => {
      const near = startOfDay(localDay(at, zone), zone) + minutes * 60_000;
      for (const instant of [at, near]) expect(localDay(instant, zone)).toBe(shown(instant, zone));
    });
    // At a minute past midnight clocks were put back by an hour, and it was the day before again.
    for (let minute = -10; minute < 130; minute += 1) {
      const at = Date.UTC(2009, 10, 1, 2, 30 + minute);
      expect(localDay(at, 'America/St_Johns')).toBe(shown(at, 'America/St_Johns'));
    }
  });

  it('is counted by the calendar, whatever the clocks do', () => {
    expect(addDays('2026-10-20', 14)).toBe('2026-11-03');
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
    expect(daysBetween('2026-10-20', '2026-11-03')).toBe(14);
    expect(daysBetween('2026-11-03', '2026-10-20')).toBe(-14);
  });

  it('takes names of places, and no offsets', () => {
    for (const name of ['Europe/Warsaw', 'europe/warsaw', 'Asia/Kolkata', 'UTC', 'Etc/GMT-5'])
      expect(isTimeZone(name)).toBe(true);
    for (const name of ['', 'Mars/Olympus', '+01:00', 'Europe/Warsaw ', 'CET-1CEST'])
      expect(isTimeZone(name)).toBe(false);
  });
});

describe('a search by date', () => {
  it('is for a day or a month', () => {
    expect(searchedDays(' 2026-11-21 ')).toEqual({ from: '2026-11-21', until: '2026-11-22' });
    expect(searchedDays('2026-12')).toEqual({ from: '2026-12-01', until: '2027-01-01' });
    expect(searchedDays('2028-02')).toEqual({ from: '2028-02-01', until: '2028-03-01' });
  });

  it('is one by text for anything else', () => {
    for (const term of ['2026', '2026-1', '2026-13', '2026-02-30', '0000-01-01', '9999-12-31', 'x2026-11'])
      expect(searchedDays(term)).toBeUndefined();
  });
});
