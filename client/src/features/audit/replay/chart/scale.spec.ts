import { servedInTimeZone } from '../../../../../../test-support/served-time-zone.js';
import { axisTicks, type Scale } from './scale.js';
import { WHOLE } from './bars.js';

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
      '2020',
      '2021',
      '2022',
      '2023',
      '2024',
      '2025',
      '2026',
    ]);
  });
});
