import type { RuleSet } from '#contracts/rules/rule-set.js';

/** How a number of the rules is written. */
type Unit = 'days' | 'times' | 'books' | 'titles' | 'PLN' | 'minutes';

export interface RuleField {
  name: Exclude<keyof RuleSet, 'exceptions' | 'week' | 'closedDays'>;
  label: string;
  unit: Unit;
  hint?: string;
  /** It may be left blank: then there is no such limit. */
  blank?: string;
}

/** The numbers of the rules, as they are asked for and told. */
export const RULE_GROUPS: readonly { title: string; fields: readonly RuleField[] }[] = [
  {
    title: 'Loans',
    fields: [
      {
        name: 'loanDays',
        label: 'Loan period',
        unit: 'days',
        hint: 'From the day of issue, and of a renewal.',
      },
      { name: 'maxRenewals', label: 'Renewals', unit: 'times' },
      {
        name: 'renewableDaysBefore',
        label: 'Renewable from',
        unit: 'days',
        hint: 'Days before the due day. Blank: from the first day on.',
        blank: 'the first day on',
      },
    ],
  },
  {
    title: 'Limits',
    fields: [
      { name: 'maxBooksPerReader', label: 'Books at a time', unit: 'books' },
      { name: 'maxHolds', label: 'Holds at a time', unit: 'titles' },
      { name: 'collectDays', label: 'Time to collect', unit: 'days', hint: 'How long a rented book waits.' },
    ],
  },
  {
    title: 'Late fees',
    fields: [
      { name: 'finePerBookAndDay', label: 'Fee per book and day', unit: 'PLN' },
      { name: 'fineCap', label: 'Most per borrow', unit: 'PLN' },
      {
        name: 'graceDays',
        label: 'Days of grace',
        unit: 'days',
        hint: 'They cost nothing; a book that is later than that costs all its days.',
      },
    ],
  },
  {
    title: 'Lost and damaged books',
    fields: [
      {
        name: 'lossPrice',
        label: 'Set price',
        unit: 'PLN',
        hint: 'For a book that has no price of its own.',
      },
      { name: 'lossFee', label: 'Fee beside the price', unit: 'PLN' },
    ],
  },
  {
    title: 'Desk and letters',
    fields: [
      { name: 'undoMinutes', label: 'Time to undo', unit: 'minutes' },
      { name: 'reminderDays', label: 'Reminder before the due day', unit: 'days' },
    ],
  },
];

export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

const ONE: Partial<Record<Unit, string>> = {
  ...{ days: 'day', times: 'time', books: 'book', titles: 'title', minutes: 'minute' },
};

/** "14 days", "0.50 PLN", "the first day on". */
export function told({ name, unit, blank = '' }: RuleField, rules: RuleSet): string {
  const value = rules[name];
  if (value === null) return blank;
  if (unit === 'PLN') return `${(value / 100).toFixed(2)} PLN`;
  return `${value} ${value === 1 ? (ONE[unit] ?? unit) : unit}`;
}

/** What is otherwise: name, old and new. */
export interface Difference {
  name: string;
  before: string;
  after: string;
}

export function differences(before: RuleSet, after: RuleSet): Difference[] {
  const numbers = RULE_GROUPS.flatMap(({ fields }) =>
    fields.flatMap((field) =>
      before[field.name] === after[field.name]
        ? []
        : [{ name: field.label, before: told(field, before), after: told(field, after) }],
    ),
  );
  const days = WEEKDAYS.flatMap((name, n) => {
    const [one, other] = [hours(before, n), hours(after, n)];
    return one === other ? [] : [{ name, before: one, after: other }];
  });
  const [closed, willBe] = [closedDays(before), closedDays(after)];
  const calendar =
    closed.join() === willBe.join()
      ? []
      : [
          {
            name: 'Closed days',
            before: closed.filter((day) => !willBe.includes(day)).join(', ') || 'no more than now',
            after: willBe.filter((day) => !closed.includes(day)).join(', ') || 'some fewer',
          },
        ];
  return [...numbers, ...days, ...calendar];
}

function hours({ week }: RuleSet, n: number): string {
  if (week === null) return 'open';
  const day = week[n];
  return day ? `${day.opens} – ${day.closes}` : 'closed';
}

const closedDays = ({ closedDays: all }: RuleSet) =>
  all.map(({ from, to }) => (from === to ? from : `${from} – ${to}`)).sort();
