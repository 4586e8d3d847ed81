import { money } from '#contracts/money.js';
import type { RuleSet } from '#contracts/rules/rule-set.js';
import { numbersFor } from '#circulation/rules/borrow.policy.js';
import { daysOf, daysText } from './editor/closed-days.js';
import { BOOK_KIND_LABELS, BOOK_KINDS, READER_KIND_LABELS, READER_KINDS } from '#contracts/rules/kinds.js';

export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

/** "14", "0.50 PLN", "the first day", "3 days before". */
export function numberText({ name, unit, blank }: RuleField, value: number | null): string {
  if (value === null) return blank ?? '';
  if (unit === 'PLN') return money(value);
  if (name === 'renewableDaysBefore') return value === 1 ? '1 day before' : `${value} days before`;
  return String(value);
}

/** What differs: its name, what it was and what it will be; what is empty is not said. */
export interface Difference {
  name: string;
  before: string;
  after: string;
}

/** What changes from some rules to others, in words. */
export function differences(before: RuleSet, after: RuleSet): Difference[] {
  const numbers = RULE_FIELDS.flatMap((field) => {
    const [one, other] = [before[field.name], after[field.name]];
    if (one === other) return [];
    return [{ name: field.label, before: numberText(field, one), after: numberText(field, other) }];
  });
  return [...numbers, ...exceptions(before, after), ...hours(before, after), ...closed(before, after)];
}

const sameKinds = (one: RuleException) => (other: RuleException) =>
  one.reader === other.reader && one.book === other.book;

function exceptions(before: RuleSet, after: RuleSet): Difference[] {
  const all = [
    ...before.exceptions,
    ...after.exceptions.filter((each) => !before.exceptions.some(sameKinds(each))),
  ];
  return inOrder(all).flatMap((kinds) => {
    const [one, other] = [before, after].map(({ exceptions: of }) => of.find(sameKinds(kinds))?.numbers);
    return fieldsOf(kinds).flatMap((field) => {
      const [was, willBe] = [one?.[field.name], other?.[field.name]];
      if (was === willBe) return [];
      return [
        {
          name: `${kindsOf(kinds)}: ${field.label}`,
          before: was === undefined ? otherwise(before, kinds, field) : numberText(field, was),
          after: willBe === undefined ? otherwise(after, kinds, field) : numberText(field, willBe),
        },
      ];
    });
  });
}

/** What holds for some kinds where their own exception does not say it. */
function otherwise(rules: RuleSet, kinds: RuleException, field: ReturnType<typeof fieldsOf>[number]): string {
  return `${numberText(field, inherited(rules, kinds)[field.name])}, as usual`;
}

/** The rules for some kinds of readers and books without the exception for just these. */
export function inherited(rules: RuleSet, kinds: Pick<RuleException, 'reader' | 'book'>): RuleSet {
  const others = rules.exceptions.filter(
    ({ reader, book }) =>
      (reader === null || reader === kinds.reader) &&
      (book === null || book === kinds.book) &&
      !(reader === kinds.reader && book === kinds.book),
  );
  return {
    ...rules,
    ...numbersFor(
      { version: 0, ...rules, exceptions: others },
      kinds.reader ?? undefined,
      kinds.book ?? undefined,
    ),
  };
}

/** "09:00–18:00", "closed", "open". */
export function hoursText({ week }: Pick<RuleSet, 'week'>, weekday: number): string {
  if (week === null) return 'open';
  const day = week[weekday];
  return day ? `${day.opens}–${day.closes}` : 'closed';
}

/** The weekdays in which the same holds, as they follow each other: "Monday to Friday". */
export function byWeekdays<Value>(
  valueOf: (weekday: number) => Value,
  same: (one: Value, other: Value) => boolean,
): { name: string; value: Value }[] {
  const spans: { from: number; to: number; value: Value }[] = [];
  for (const weekday of WEEKDAYS.keys()) {
    const value = valueOf(weekday);
    const last = spans.at(-1);
    if (last && same(last.value, value)) last.to = weekday;
    else spans.push({ from: weekday, to: weekday, value });
  }
  return spans.map(({ from, to, value }) => {
    const name = [WEEKDAYS[from], WEEKDAYS[to]].join(to === from + 1 ? ' and ' : ' to ');
    return { name: from === to ? (WEEKDAYS[from] ?? '') : name, value };
  });
}

function hours(before: RuleSet, after: RuleSet): Difference[] {
  if (before.week !== null && after.week === null)
    return [{ name: 'Opening hours', before: 'by weekday', after: 'open every day' }];
  return byWeekdays(
    (weekday) => ({ before: hoursText(before, weekday), after: hoursText(after, weekday) }),
    (one, other) => one.before === other.before && one.after === other.after,
  )
    .filter(({ value }) => value.before !== value.after)
    .map(({ name, value }) => ({ name, ...value }));
}

function closed(before: RuleSet, after: RuleSet): Difference[] {
  const [was, willBe] = [daysOf(before.closedDays), daysOf(after.closedDays)];
  const known = new Set(was);
  const wanted = new Set(willBe);
  const more = daysText(willBe.filter((day) => !known.has(day)));
  const fewer = daysText(was.filter((day) => !wanted.has(day)));
  return [
    ...(more === '' ? [] : [{ name: 'Closed', before: '', after: more }]),
    ...(fewer === '' ? [] : [{ name: 'No longer closed', before: fewer, after: '' }]),
  ];
}

/** What the rules have beside numbers has parts of the form of its own. */
export type NumberName = Exclude<keyof RuleSet, 'exceptions' | 'week' | 'closedDays'>;
export type RuleException = RuleSet['exceptions'][number];
type ExceptionName = keyof RuleException['numbers'];

/** How a number of the rules is counted. */
type Unit = 'days' | 'times' | 'books' | 'titles' | 'PLN' | 'minutes';

interface Field<Name extends NumberName> {
  name: Name;
  label: string;
  unit: Unit;
  hint?: string;
  /** It may be left blank, which means this. */
  blank?: string;
}

/** `of`: on whom it may depend. */
export type RuleField =
  | (Field<ExceptionName> & { of: 'book' | 'reader' })
  | (Field<Exclude<NumberName, ExceptionName>> & { of: 'library' });

/** The numbers of the rules, as they are asked for and told. */
export const RULE_GROUPS: readonly { title: string; fields: readonly RuleField[] }[] = [
  {
    title: 'Loans',
    fields: [
      {
        ...{ name: 'loanDays', label: 'Loan days', unit: 'days', of: 'book' },
        hint: 'From the day of issue, or of a renewal, to the due day.',
      },
      { name: 'maxRenewals', label: 'Renewals', unit: 'times', of: 'book' },
      {
        ...{ name: 'renewableDaysBefore', label: 'Renewable from', unit: 'days', of: 'book' },
        hint: 'Days before the due day. Blank: from the first day on.',
        blank: 'the first day',
      },
    ],
  },
  {
    title: 'Limits',
    fields: [
      { name: 'maxBooksPerReader', label: 'Books at a time', unit: 'books', of: 'reader' },
      { name: 'maxHolds', label: 'Holds at a time', unit: 'titles', of: 'reader' },
      {
        ...{ name: 'collectDays', label: 'Collect days', unit: 'days', of: 'reader' },
        hint: 'How long a book is kept at the desk.',
      },
    ],
  },
  {
    title: 'Late fees',
    fields: [
      { name: 'finePerBookAndDay', label: 'Fee a day', unit: 'PLN', of: 'book', hint: 'For each book.' },
      { name: 'fineCap', label: 'Cap', unit: 'PLN', of: 'reader', hint: 'The most one borrow can cost.' },
      {
        ...{ name: 'graceDays', label: 'Grace days', unit: 'days', of: 'reader' },
        hint: 'No fee within these days. A book that is later is charged for every day.',
      },
    ],
  },
  {
    title: 'Lost and damaged',
    fields: [
      {
        ...{ name: 'lossPrice', label: 'Price of a book', unit: 'PLN', of: 'book' },
        hint: 'For a book without its own price.',
      },
      {
        name: 'lossFee',
        label: 'Handling fee',
        unit: 'PLN',
        of: 'book',
        hint: 'On top of the price.',
      },
    ],
  },
  {
    title: 'Desk and letters',
    fields: [
      {
        ...{ name: 'reminderDays', label: 'Reminder days', unit: 'days', of: 'library' },
        hint: 'Before the due day.',
      },
      {
        ...{ name: 'undoMinutes', label: 'Minutes to undo', unit: 'minutes', of: 'library' },
        hint: 'For what was done at the desk.',
      },
    ],
  },
];

export const RULE_FIELDS = RULE_GROUPS.flatMap(({ fields }) => fields);

/** Those of which there can be an exception: what is a limit of the reader cannot depend on the book. */
export function fieldsOf({ book }: Pick<RuleException, 'book'>) {
  return RULE_FIELDS.filter(
    (field) => field.of === 'book' || (field.of === 'reader' && book === null),
  ) as (RuleField & { of: 'book' | 'reader' })[];
}

/** "Child", "Short loan", "Child, short loan". */
export function kindsOf({ reader, book }: Pick<RuleException, 'reader' | 'book'>): string {
  if (reader === null) return book === null ? '' : BOOK_KIND_LABELS[book]();
  const person = READER_KIND_LABELS[reader]();
  return book === null ? person : `${person}, ${BOOK_KIND_LABELS[book]().toLowerCase()}`;
}

/** As they are listed: those of all books before those of a kind. */
export function inOrder<Kinds extends Pick<RuleException, 'reader' | 'book'>>(
  all: readonly Kinds[],
): Kinds[] {
  const rank = ({ reader, book }: Kinds) =>
    (book === null ? 0 : 10 * (BOOK_KINDS.indexOf(book) + 1)) +
    (reader === null ? 0 : READER_KINDS.indexOf(reader) + 1);
  return [...all].sort((one, other) => rank(one) - rank(other));
}
