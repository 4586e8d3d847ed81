import { BOOK_KIND_LABELS, BOOK_KINDS, READER_KIND_LABELS, READER_KINDS } from '#contracts/rules/kinds.js';
import type { RuleSet } from '#contracts/rules/rule-set.js';

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
        hint: 'How long a book waits at the desk.',
      },
    ],
  },
  {
    title: 'Late fees',
    fields: [
      { name: 'finePerBookAndDay', label: 'Fee a day', unit: 'PLN', of: 'book', hint: 'For each book.' },
      { name: 'fineCap', label: 'Cap', unit: 'PLN', of: 'reader', hint: 'The most that a borrow costs.' },
      {
        ...{ name: 'graceDays', label: 'Grace days', unit: 'days', of: 'reader' },
        hint: 'They cost nothing; a book that is later than that costs all its days.',
      },
    ],
  },
  {
    title: 'Lost and damaged',
    fields: [
      {
        ...{ name: 'lossPrice', label: 'Price of a book', unit: 'PLN', of: 'book' },
        hint: 'For a book that has no price of its own.',
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
        hint: 'What was done at the desk.',
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
  if (reader === null) return book === null ? '' : BOOK_KIND_LABELS[book];
  const person = READER_KIND_LABELS[reader];
  return book === null ? person : `${person}, ${BOOK_KIND_LABELS[book].toLowerCase()}`;
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
