import fc from 'fast-check';
import { addDays, localMinute, startOfDay } from '#contracts/local-day.js';
import { forAll } from '../../test-support/arbitraries/for-all.js';
import { utcOffsets, hourOf, QUARTER_HOUR, quartersOfHour } from './utc-offsets.js';

const ZONES = [
  'Europe/Warsaw',
  'UTC',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
];
const spans = fc
  .record({ start: fc.integer({ min: 0, max: 20_000 }), days: fc.integer({ min: 1, max: 500 }) })
  .map(({ start, days }) => ({
    from: addDays('1980-01-01', start),
    until: addDays('1980-01-01', start + days),
  }));

describe('how the clock of the library stood', () => {
  it('is what its calendar says, at every quarter of an hour', () => {
    forAll(
      [fc.constantFrom(...ZONES), spans, fc.double({ min: 0, max: 1, noNaN: true })],
      { numRuns: 60 },
      (zone, { from, until }, place) => {
        const shifts = utcOffsets(from, until, zone);
        expect(shifts[0]?.began).toBe(startOfDay(from, zone) / 1000 / QUARTER_HOUR);
        expect(shifts.at(-1)?.ended).toBe(startOfDay(until, zone) / 1000 / QUARTER_HOUR);
        for (const [index, { began }] of shifts.entries())
          if (index > 0) expect(began).toBe(shifts[index - 1]?.ended);
        const first = shifts[0]?.began ?? 0;
        const all = (shifts.at(-1)?.ended ?? 0) - first;
        const edges = shifts.flatMap(({ began, ended }) => [began, ended - 1]);
        for (const quarter of [first + Math.floor(place * (all - 1)), ...edges]) {
          const shift = shifts.find(({ began, ended }) => quarter >= began && quarter < ended);
          const shown = Number(localMinute(quarter * QUARTER_HOUR * 1000, zone).slice(11, 13));
          expect(hourOf(quarter, shift?.ahead ?? NaN)).toBe(shown);
        }
      },
    );
  });

  it('has an hour twice on the day that it is put back, and none where it is put forward', () => {
    const inWarsaw = (day: string) => utcOffsets(day, addDays(day, 1), 'Europe/Warsaw');
    expect(quartersOfHour(2, inWarsaw('2026-10-25'))).toHaveLength(8);
    expect(quartersOfHour(2, inWarsaw('2026-03-29'))).toHaveLength(0);
    expect(quartersOfHour(2, inWarsaw('2026-03-30'))).toHaveLength(4);
  });
});
