import * as m from '#words/messages.js';
import { money, moneyUnit } from '#contracts/money.js';
import type { RuleSet } from '#contracts/rules/rule-set.js';
import { numbersFor } from '#circulation/rules/borrow.policy.js';
import { weekdayName } from '../../lib/dates.js';
import { daysOf, daysText } from './editor/closed-days.js';
import { BOOK_KIND_LABELS, BOOK_KINDS, READER_KIND_LABELS, READER_KINDS } from '#contracts/rules/kinds.js';

/** From Monday to Sunday: the first day of 2024 was a Monday. */
export const WEEKDAYS = Array.from({ length: 7 }, (_, n) => weekdayName(`2024-01-0${n + 1}`));

/** "14", "0.50 PLN", "the first day", "3 days before". */
export function numberText({ name, unit, blank }: RuleField, value: number | null): string {
  if (value === null) return blank ?? '';
  if (unit === 'money') return money(value);
  if (name === 'renewableDaysBefore') return m.rules_days_before({ count: value });
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
          name: m.rules_exception_number({ kinds: kindsOf(kinds), number: field.label }),
          before: was === undefined ? otherwise(before, kinds, field) : numberText(field, was),
          after: willBe === undefined ? otherwise(after, kinds, field) : numberText(field, willBe),
        },
      ];
    });
  });
}

/** What holds for some kinds where their own exception does not say it. */
function otherwise(rules: RuleSet, kinds: RuleException, field: ReturnType<typeof fieldsOf>[number]): string {
  return m.rules_as_usual({ value: numberText(field, inherited(rules, kinds)[field.name]) });
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
  if (week === null) return m.hours_open();
  const day = week[weekday];
  return day ? `${day.opens}–${day.closes}` : m.hours_closed();
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
    const [first = '', last = ''] = [WEEKDAYS[from], WEEKDAYS[to]];
    if (from === to) return { name: first, value };
    const name =
      to === from + 1
        ? m.rules_weekdays_two({ first, second: last })
        : m.rules_weekdays_span({ first, last });
    return { name, value };
  });
}

function hours(before: RuleSet, after: RuleSet): Difference[] {
  if (before.week !== null && after.week === null)
    return [{ name: m.hours_title(), before: m.rules_hours_by_weekday(), after: m.rules_hours_every_day() }];
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
    ...(more === '' ? [] : [{ name: m.rules_newly_closed(), before: '', after: more }]),
    ...(fewer === '' ? [] : [{ name: m.rules_no_longer_closed(), before: fewer, after: '' }]),
  ];
}

/** What the rules have beside numbers has parts of the form of its own. */
export type NumberName = Exclude<keyof RuleSet, 'exceptions' | 'week' | 'closedDays'>;
export type RuleException = RuleSet['exceptions'][number];
type ExceptionName = keyof RuleException['numbers'];

/** How numbers of the rules are counted: what stands behind one that is typed, and one with it. */
export const UNITS = {
  days: { name: m.rules_unit_days, of: m.common_days },
  times: { name: m.rules_unit_times, of: m.rules_times },
  books: { name: m.rules_unit_books, of: m.common_books_count },
  titles: { name: m.rules_unit_titles, of: m.rules_titles },
  minutes: { name: m.rules_unit_minutes, of: m.rules_minutes },
  money: { name: moneyUnit, of: ({ count }: { count: number }) => money(count) },
};

interface Field<Name extends NumberName> {
  name: Name;
  label: string;
  unit: keyof typeof UNITS;
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
    title: m.rules_group_loans(),
    fields: [
      {
        ...{ name: 'loanDays', label: m.rules_loan_days(), unit: 'days', of: 'book' },
        hint: m.rules_loan_days_hint(),
      },
      { name: 'maxRenewals', label: m.rules_renewals(), unit: 'times', of: 'book' },
      {
        ...{ name: 'renewableDaysBefore', label: m.rules_renewable_from(), unit: 'days', of: 'book' },
        hint: m.rules_renewable_from_hint(),
        blank: m.rules_first_day(),
      },
    ],
  },
  {
    title: m.rules_group_limits(),
    fields: [
      { name: 'maxBooksPerReader', label: m.rules_books_at_a_time(), unit: 'books', of: 'reader' },
      { name: 'maxHolds', label: m.rules_holds_at_a_time(), unit: 'titles', of: 'reader' },
      {
        ...{ name: 'collectDays', label: m.rules_collect_days(), unit: 'days', of: 'reader' },
        hint: m.rules_collect_days_hint(),
      },
    ],
  },
  {
    title: m.rules_group_late_fees(),
    fields: [
      {
        name: 'finePerBookAndDay',
        label: m.rules_fee_a_day(),
        unit: 'money',
        of: 'book',
        hint: m.rules_fee_a_day_hint(),
      },
      { name: 'fineCap', label: m.rules_cap(), unit: 'money', of: 'reader', hint: m.rules_cap_hint() },
      {
        ...{ name: 'graceDays', label: m.rules_grace_days(), unit: 'days', of: 'reader' },
        hint: m.rules_grace_days_hint(),
      },
    ],
  },
  {
    title: m.rules_group_lost(),
    fields: [
      {
        ...{ name: 'lossPrice', label: m.rules_loss_price(), unit: 'money', of: 'book' },
        hint: m.rules_loss_price_hint(),
      },
      {
        name: 'lossFee',
        label: m.rules_loss_fee(),
        unit: 'money',
        of: 'book',
        hint: m.rules_loss_fee_hint(),
      },
    ],
  },
  {
    title: m.rules_group_desk(),
    fields: [
      {
        ...{ name: 'reminderDays', label: m.rules_reminder_days(), unit: 'days', of: 'library' },
        hint: m.rules_reminder_days_hint(),
      },
      {
        ...{ name: 'undoMinutes', label: m.rules_undo_minutes(), unit: 'minutes', of: 'library' },
        hint: m.rules_undo_minutes_hint(),
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
  return book === null
    ? person
    : m.rules_kinds({ reader: person, book: BOOK_KIND_LABELS[book]().toLowerCase() });
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
