import type { RuleSet } from '#contracts/rules/rule-set.js';
import { BORROW_POLICY } from '#circulation/rules/borrow.policy.js';
import { ruleSetOf } from '#circulation/rules/rule-book.js';
import { differences } from '../rule-texts.js';
import { rebaseTyped, rulesOf, typedOf, type TypedRules } from './typed-rules.js';

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
