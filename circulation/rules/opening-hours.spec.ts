import type { RuleSet } from '#contracts/rules/rule-set.js';
import { addDays } from '#contracts/local-day.js';
import { BORROW_POLICY, borrowRules } from './borrow.policy.js';
import { endOfPeriod, openingHours } from './period.js';

/** A Monday. */
const TODAY = '2026-11-23';
const hours = (opens: string, closes: string) => ({ opens, closes });
const WEEK: RuleSet['week'] = [
  ...Array.from({ length: 5 }, () => hours('09:00', '18:00')),
  hours('10:00', '14:00'),
  null,
];
const told = (rules: Partial<RuleSet>, from?: { day: string; rules: Partial<RuleSet> }) =>
  openingHours(TODAY, (day) => ({
    ...BORROW_POLICY,
    ...(from && day >= from.day ? from.rules : rules),
  }));

describe('opening hours', () => {
  it('are those of two weeks from today on, closed where the week or a closed day says so', () => {
    const { days, closed } = told({ week: WEEK, closedDays: [{ from: '2026-11-26', to: '2026-11-26' }] });
    expect(days).toHaveLength(14);
    expect(days.slice(0, 7)).toEqual([
      { day: TODAY, isOpen: true, hours: hours('09:00', '18:00') },
      { day: '2026-11-24', isOpen: true, hours: hours('09:00', '18:00') },
      { day: '2026-11-25', isOpen: true, hours: hours('09:00', '18:00') },
      { day: '2026-11-26', isOpen: false, hours: null },
      { day: '2026-11-27', isOpen: true, hours: hours('09:00', '18:00') },
      { day: '2026-11-28', isOpen: true, hours: hours('10:00', '14:00') },
      { day: '2026-11-29', isOpen: false, hours: null },
    ]);
    expect(closed).toEqual([{ from: '2026-11-26', to: '2026-11-26' }]);
  });

  it('are open every day, at no set hours, where the rules say nothing', () => {
    const { days, closed } = told({});
    expect(days.every(({ isOpen, hours: set }) => isOpen && set === null)).toBe(true);
    expect(closed).toEqual([]);
  });

  it('are by the rules of each day: what is prepared for a day begins on it', () => {
    const later = { day: '2026-11-25', rules: { week: WEEK.with(2, null) } };
    const { days } = told({ week: WEEK }, later);
    expect(days.slice(0, 3).map(({ isOpen }) => isOpen)).toEqual([true, true, false]);
  });

  it('name the closed days to come, what follows on each other as one, what runs from today on', () => {
    const closedDays = [
      { from: '2026-12-26', to: '2026-12-27' },
      { from: '2026-12-24', to: '2026-12-25' },
      { from: '2026-11-20', to: '2026-11-24' },
      { from: '2026-11-01', to: '2026-11-02' },
      { from: '2027-06-01', to: '2027-06-02' },
    ];
    expect(told({ week: WEEK, closedDays }).closed).toEqual([
      { from: TODAY, to: '2026-11-24' },
      { from: '2026-12-24', to: '2026-12-27' },
    ]);
  });
});

describe('the end of a period', () => {
  const endAfterClosed = (days: number) => {
    const closedDays = [{ from: '2026-11-24', to: addDays('2026-11-24', days - 1) }];
    return endOfPeriod(`${TODAY}T09:00:00.000Z`, 1, { ...borrowRules('UTC'), closedDays });
  };
  it('is on the first open day, if there is one in three years', () => {
    expect(endAfterClosed(2)).toBe('2026-11-26T23:59:59.999Z');
    expect(endAfterClosed(3 * 366)).toBe('2029-11-26T23:59:59.999Z');
    expect(endAfterClosed(3 * 366 + 1)).toBe('2026-11-24T23:59:59.999Z');
  });
});
