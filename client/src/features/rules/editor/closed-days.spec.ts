import { daysFrom, daysOf, monthAfter, spansOf, daysText, weeksOf } from './closed-days.js';

describe('closed days', () => {
  it('are as few spans as there can be, none of them longer than the rules allow', () => {
    expect(
      spansOf(
        daysOf([
          { from: '2026-12-27', to: '2026-12-28' },
          { from: '2026-12-24', to: '2026-12-26' },
          { from: '2026-12-25', to: '2026-12-25' },
          { from: '2027-01-01', to: '2027-01-01' },
        ]),
      ),
    ).toEqual([
      { from: '2026-12-24', to: '2026-12-28' },
      { from: '2027-01-01', to: '2027-01-01' },
    ]);
    const twoYears = daysOf([
      { from: '2026-01-01', to: '2026-12-31' },
      { from: '2027-01-01', to: '2027-12-31' },
    ]);
    expect(twoYears).toHaveLength(730);
    expect(spansOf(twoYears)).toEqual([
      { from: '2026-01-01', to: '2027-01-01' },
      { from: '2027-01-02', to: '2027-12-31' },
    ]);
    expect(daysOf(spansOf(twoYears))).toEqual(twoYears);
  });

  it('can be every one of a weekday', () => {
    expect(daysFrom({ from: '2026-11-23', to: '2026-12-08' }, 1)).toEqual([
      '2026-11-24',
      '2026-12-01',
      '2026-12-08',
    ]);
    expect(daysFrom({ from: '2026-12-08', to: '2026-11-23' })).toEqual([]);
  });

  it('are told as spans', () => {
    expect(daysText(['2026-12-25', '2026-12-24', '2027-01-01'])).toBe('2026-12-24 to 2026-12-25, 2027-01-01');
  });

  it('stand in months by weeks from Monday', () => {
    expect(monthAfter('2026-12', 1)).toBe('2027-01');
    expect(monthAfter('2026-01', -1)).toBe('2025-12');
    const weeks = weeksOf('2026-02');
    expect(weeks).toHaveLength(5);
    expect(weeks[0]).toEqual([null, null, null, null, null, null, '2026-02-01']);
    expect(weeks[4]?.[5]).toBe('2026-02-28');
    expect(weeks[4]?.[6]).toBeNull();
  });
});
