import type { RuleSet } from '#contracts/rules/rule-set.js';
import { BORROW_POLICY } from '#circulation/rules/borrow.policy.js';
import { ruleSetOf } from '#circulation/rules/rule-book.js';
import type { RulesVersion } from '#contracts/rules/rule-views.js';
import { differences } from './rule-texts.js';
import { rebaseTyped, rulesOf, typedOf, type TypedRules } from './editor/typed-rules.js';
import { before, inForceAt, latestOf } from './rule-versions.js';
import { daysFrom, daysOf, monthAfter, spansOf, daysText, weeksOf } from './editor/closed-days.js';
import { feesLayout, HEIGHT, LEFT, RIGHT } from './what-if/fees-chart.js';

const DEFAULT = ruleSetOf(BORROW_POLICY);
const FULL: RuleSet = {
  ...DEFAULT,
  renewableDaysBefore: 3,
  exceptions: [
    { reader: null, book: 'short-loan', numbers: { loanDays: 3, renewableDaysBefore: null } },
    { reader: 'child', book: null, numbers: { maxBooksPerReader: 5, fineCap: 1_000 } },
  ],
  week: [...Array.from({ length: 6 }, () => ({ opens: '09:00', closes: '18:00' })), null],
  closedDays: [{ from: '2026-12-24', to: '2026-12-26' }],
};
const typed = (rules: RuleSet, part: Partial<TypedRules> = {}) => ({ ...typedOf(rules), ...part });
const numbers = (rules: RuleSet, part: Partial<TypedRules['numbers']>) =>
  typed(rules, { numbers: { ...typedOf(rules).numbers, ...part } });
const told = (before: RuleSet, after: RuleSet) =>
  differences(before, after).map(({ name, before: was, after: is }) => `${name} ${was} → ${is}`);

describe('rules as they are typed', () => {
  it.each([
    ['the default', DEFAULT],
    ['all that there can be', FULL],
  ])('are %s again when nothing was typed', (_name, rules) => {
    const { rules: read } = rulesOf(typedOf(rules));
    expect(differences(rules, read ?? DEFAULT)).toEqual([]);
    expect({ ...read, exceptions: [] }).toEqual({ ...rules, exceptions: [] });
    expect(read?.exceptions).toHaveLength(rules.exceptions.length);
    expect(read?.exceptions).toEqual(expect.arrayContaining(rules.exceptions));
  });

  it('take amounts in PLN, and a limit that is left blank for none', () => {
    const { rules } = rulesOf(numbers(FULL, { finePerBookAndDay: ' 0,75 ', renewableDaysBefore: '' }));
    expect(rules).toMatchObject({ finePerBookAndDay: 75, renewableDaysBefore: null });
  });

  it('say at each field what is wrong with it', () => {
    const { rules, errors } = rulesOf({
      ...numbers(FULL, { loanDays: '0', fineCap: '1.234', maxHolds: '', lossPrice: '99999' }),
      exceptions: [
        { reader: 'child', book: null, numbers: { graceDays: 'x' } },
        { reader: 'staff', book: null, numbers: {} },
      ],
      week: typedOf(FULL).week.map((day) => ({ ...day, closes: '08:00' })),
    });
    expect(rules).toBeUndefined();
    expect(Object.fromEntries(errors)).toMatchObject({
      loanDays: 'At least 1.',
      fineCap: 'An amount such as 0.50.',
      maxHolds: 'A whole number.',
      lossPrice: 'At most 10000.00 PLN.',
      'exceptions.0.numbers.graceDays': 'A whole number.',
      'exceptions.1.numbers': 'Choose what differs.',
      'week.0.closes': 'The opening time must be before the closing time.',
    });
  });

  it('go on top of what somebody else has changed meanwhile: what was not touched becomes what it is there', () => {
    const mine = {
      ...numbers(FULL, { loanDays: '21' }),
      closed: ['2026-12-24', '2026-12-25', '2027-01-06'],
    };
    const theirs = {
      ...FULL,
      maxRenewals: 1,
      loanDays: 7,
      exceptions: [],
      closedDays: [{ from: '2026-12-24', to: '2026-12-27' }],
    };
    const { rules } = rulesOf(rebaseTyped(mine, FULL, theirs));
    expect(told(theirs, rules ?? DEFAULT)).toEqual([
      'Loan days 7 → 21',
      'Closed  → 2027-01-06',
      'No longer closed 2026-12-26 → ',
    ]);
  });
});

describe('what changes, in words', () => {
  it('names numbers, exceptions, weekdays and days', () => {
    expect(
      told(DEFAULT, { ...FULL, loanDays: 21, finePerBookAndDay: 75, renewableDaysBefore: 1, maxRenewals: 0 }),
    ).toEqual([
      'Loan days 14 → 21',
      'Renewals 2 → 0',
      'Renewable from the first day → 1 day before',
      'Fee a day 0.50 PLN → 0.75 PLN',
      'Child: Books at a time 10, as usual → 5',
      'Child: Cap 50.00 PLN, as usual → 10.00 PLN',
      'Short loan: Loan days 14, as usual → 3',
      'Short loan: Renewable from the first day, as usual → the first day',
      'Monday to Saturday open → 09:00–18:00',
      'Sunday open → closed',
      'Closed  → 2026-12-24 to 2026-12-26',
    ]);
  });

  it('says of an exception that goes what holds instead, also that of another exception', () => {
    const both = { reader: 'child', book: 'short-loan', numbers: { loanDays: 5 } } as const;
    const before = { ...FULL, exceptions: [...FULL.exceptions, both] };
    expect(told(before, FULL)).toEqual(['Child, short loan: Loan days 5 → 3, as usual']);
    expect(told(FULL, { ...FULL, week: null })).toEqual(['Opening hours by weekday → open every day']);
  });
});

const version = (number: number, from: string | null, state: RulesVersion['state']): RulesVersion => ({
  ...{ version: number, from, state, rules: ruleSetOf(BORROW_POLICY) },
  ...{ changedAt: null, changedBy: null, why: null, withdrawnAt: null, withdrawnBy: null },
});
const ALL = [
  version(8, '2026-12-15T00:00:00Z', 'coming'),
  version(7, '2026-12-20T00:00:00Z', 'withdrawn'),
  version(6, '2027-01-01T00:00:00Z', 'coming'),
  version(5, '2026-11-01T00:00:00Z', 'current'),
  version(4, null, 'past'),
  version(3, null, 'past'),
];
const at = (time: string, upTo?: number) => inForceAt(ALL, Date.parse(time), upTo)?.version;

describe('versions of the rules', () => {
  it('are in force from their beginning until another begins, in whatever order they were made', () => {
    expect(at('2026-10-31T23:59:59Z')).toBe(4);
    expect(at('2026-11-01T00:00:00Z')).toBe(5);
    expect(at('2026-12-31T00:00:00Z')).toBe(8);
    expect(at('2027-01-01T00:00:00Z')).toBe(6);
    expect(at('2026-12-31T00:00:00Z', 7)).toBe(5);
    expect(latestOf(ALL)).toBe(8);
  });

  it('are compared with what was in force until they began', () => {
    expect(ALL.map((each) => before(ALL, each)?.version)).toEqual([5, 5, 5, 4, 3, undefined]);
  });
});

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

const months = (count: number, fees: (at: number) => { real: number; simulated: number }) =>
  Array.from({ length: count }, (_, at) => ({
    month: `2026-${String(at + 1).padStart(2, '0')}`,
    ...fees(at),
  }));

describe('the drawing of fees by month', () => {
  it('has two columns a month beside each other, of one scale, within its space', () => {
    for (const count of [1, 12, 120]) {
      const drawn = feesLayout(months(count, (at) => ({ real: 1_000 + at, simulated: 2_000 + 2 * at })));
      expect(drawn.months).toHaveLength(count);
      for (const { x, width, real, simulated } of drawn.months) {
        expect(real.x).toBeGreaterThanOrEqual(x);
        expect(real.x + real.width).toBeLessThanOrEqual(simulated.x + 0.2);
        expect(simulated.x + simulated.width).toBeLessThanOrEqual(x + width + 0.2);
        expect(simulated.height).toBeCloseTo(2 * real.height, -1);
        for (const column of [real, simulated]) {
          expect(column.y).toBeGreaterThanOrEqual(0);
          expect(column.y + column.height).toBeLessThan(HEIGHT);
        }
      }
      expect(drawn.months[0]?.x).toBe(LEFT);
      expect(drawn.named.length).toBeLessThanOrEqual(6);
    }
  });

  it('knows the month under the pointer', () => {
    const { months: drawn, monthAt } = feesLayout(months(12, () => ({ real: 1, simulated: 2 })));
    for (const [at, { x, width }] of drawn.entries()) expect(monthAt(x + width / 2)).toBe(at);
    expect(monthAt(0)).toBe(0);
    expect(monthAt(RIGHT + 10)).toBe(11);
  });

  it('stands where nothing was charged', () => {
    const { months: drawn, ticks } = feesLayout(months(3, () => ({ real: 0, simulated: 0 })));
    expect(drawn.every(({ real, simulated }) => real.height === 0 && simulated.height === 0)).toBe(true);
    expect(ticks.map(({ amount }) => amount)).toEqual([0, 100]);
  });
});
