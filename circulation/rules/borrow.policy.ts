import { DomainError } from '#contracts/domain-error.js';
import type { BookKind, ReaderKind } from '#contracts/rules/kinds.js';
import type { RuleSet } from '#contracts/rules/rule-set.js';
import type { BorrowedBook } from '#contracts/borrowing/borrowed-book.js';
import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';

/** The numbers of the borrow rules. Data with a version: every charge records the version it used. */
export interface BorrowPolicy {
  version: number;
  /** Days from issue until due (specification, section 9: at most 14). */
  loanDays: number;
  /** Days that a rented borrow waits at the desk. */
  collectDays: number;
  /** How often a borrow may be renewed. */
  maxRenewals: number;
  /** How many days before the due day a renewal becomes possible. Absent or null: from the first day on. */
  renewableDaysBefore?: number | null;
  /** Maximum of books rented or issued at once per reader ("users should not monopolise popular books"). */
  maxBooksPerReader: number;
  /** Fee per book and day late, in grosze. */
  finePerBookAndDay: number;
  /** Maximum fee of one borrow, in grosze. */
  fineCap: number;
  /** Minutes in which what was done at the desk can be undone; not above `RECENT_FOR`. Absent: not at all. */
  undoMinutes?: number;
  /** What is charged for a lost or damaged book that has no price, in grosze. Absent: nothing. */
  lossPrice?: number;
  /** What is charged for one beside its price, for the work with another copy, in grosze. Absent: nothing. */
  lossFee?: number;
  /** Maximum of places that a reader has in the queues of titles. Absent: none. */
  maxHolds?: number;
  /** Days late that cost nothing; a book that is later than that costs all of them. Absent: none. */
  graceDays?: number;
  /** How many days before the due day the reminder is sent. Absent: `REMINDER_DAYS`. */
  reminderDays?: number;
  /** What is otherwise for kinds of readers and books. Absent: nothing. */
  exceptions?: RuleSet['exceptions'];
  /** Opening hours from Monday to Sunday, null on a closed day. Absent or null: open every day. */
  week?: RuleSet['week'];
  /** Days on which the library is closed beside those of the week. Absent: none. */
  closedDays?: RuleSet['closedDays'];
}

/** Of versions that do not say it. */
export const REMINDER_DAYS = 2;

/** The rules in force, in the library that follows them. */
export interface BorrowRules extends BorrowPolicy {
  /** By whose midnight days begin. */
  timeZone: string;
  /**
   * The rules that something was done by earlier: nothing is ever decided by later ones.
   * @param version that it names; `undefined` where it names none, which is by `BORROW_POLICY`
   * @throws DomainError HistoryUnreadable for a version that nobody knows
   */
  of: (version: number | undefined) => BorrowRules;
}

/**
 * The versions of the rules that were numbers in the code; those of the log follow (`rule-book.ts`). A version that events refer to is never changed or removed: a change of the rules is a new
 * version, so that each fee can always be explained by the rules that made it.
 * Version 1 counted a day every 24 hours from the due instant, version 2 counts those of the library's calendar. Up to version
 * 2 a renewal added `loanDays` to the due day; by version 3 books are due `loanDays` after the day of the renewal, and never
 * earlier than they were. Before version 3 nothing could be undone, and nothing was charged for lost books. Before version 4
 * nobody could wait for a title.
 */
const BORROW_POLICIES = {
  1: {
    version: 1,
    loanDays: 14,
    collectDays: 3,
    maxRenewals: 2,
    maxBooksPerReader: 10,
    finePerBookAndDay: 50,
    fineCap: 5000,
  },
  2: {
    version: 2,
    loanDays: 14,
    collectDays: 3,
    maxRenewals: 2,
    maxBooksPerReader: 10,
    finePerBookAndDay: 50,
    fineCap: 5000,
  },
  3: {
    version: 3,
    loanDays: 14,
    collectDays: 3,
    maxRenewals: 2,
    maxBooksPerReader: 10,
    finePerBookAndDay: 50,
    fineCap: 5000,
    undoMinutes: 10,
    lossPrice: 4000,
    lossFee: 1000,
  },
  4: {
    version: 4,
    loanDays: 14,
    collectDays: 3,
    maxRenewals: 2,
    maxBooksPerReader: 10,
    finePerBookAndDay: 50,
    fineCap: 5000,
    undoMinutes: 10,
    lossPrice: 4000,
    lossFee: 1000,
    maxHolds: 10,
    graceDays: 0,
  },
} as const satisfies Record<number, BorrowPolicy>;

/** The last of them, in force until the log has another: the default. */
export const BORROW_POLICY: BorrowPolicy = BORROW_POLICIES[4];

/** The default rules, in a library of this time zone. */
export function borrowRules(timeZone: string): BorrowRules {
  return rulesIn(timeZone, BORROW_POLICY, policyOfVersion);
}

/**
 * The rules of a policy.
 * @param policyOf every version that something may have been done by
 */
export function rulesIn(
  timeZone: string,
  policy: BorrowPolicy,
  policyOf: (version: number) => BorrowPolicy | undefined,
): BorrowRules {
  const rules: BorrowRules = {
    ...policy,
    timeZone,
    of: (version = BORROW_POLICY.version) => {
      if (version === policy.version) return rules;
      const known = policyOf(version);
      if (!known) {
        const detail = `Something was done by rules of version ${version}, which are not in the log.`;
        throw new DomainError('HistoryUnreadable', detail);
      }
      return rulesIn(timeZone, known, policyOf);
    },
  };
  return rules;
}

/** The rules of a version that is a number in the code, `undefined` of any other. */
export function policyOfVersion(version: number): BorrowPolicy | undefined {
  return (BORROW_POLICIES as Record<number, BorrowPolicy>)[version];
}

/**
 * The numbers for a kind of reader, and of book where one is meant: what is said of both goes before what is said of the book,
 * and that before what is said of the reader. A kind that is not named is the first of its list.
 */
export function numbersFor<Policy extends BorrowPolicy>(
  policy: Policy,
  reader: ReaderKind = 'adult',
  book?: BookKind,
): Policy {
  const { exceptions = [] } = policy;
  if (exceptions.length === 0) return policy;
  const ofKinds = numbersKnown.get(policy) ?? new Map<string, BorrowPolicy>();
  numbersKnown.set(policy, ofKinds);
  const kinds = `${reader} ${book}`;
  let numbers = ofKinds.get(kinds);
  if (!numbers) {
    const apply = exceptions
      .filter((each) => (each.reader ?? reader) === reader && (each.book === null || each.book === book))
      .sort((one, other) => weight(one) - weight(other));
    numbers = Object.assign({}, policy, ...apply.map((each) => each.numbers)) as Policy;
    ofKinds.set(kinds, numbers);
  }
  return numbers as Policy;
}

/** The numbers of policies with exceptions, by kinds: there are few, and they are asked for with every book. */
const numbersKnown = new WeakMap<BorrowPolicy, Map<string, BorrowPolicy>>();

/** Of a book that a reader has, or is to have. */
export function numbersForBook<Policy extends BorrowPolicy>(
  policy: Policy,
  reader?: ReaderKind,
  kind: BookKind = 'loanable',
): Policy {
  return numbersFor(policy, reader, kind);
}

const weight = ({ reader, book }: RuleSet['exceptions'][number]) =>
  (book === null ? 0 : 2) + (reader === null ? 0 : 1);

/** The rules by which a reader has a book: those of its issue or its last renewal, whatever was changed since. */
export function rulesOfBook({ terms, kind }: BorrowedBook, rules: BorrowRules): BorrowRules {
  return numbersForBook(rules.of(terms?.version), terms?.reader, kind);
}

/** What an event says of the rules that it was decided by. */
export function decidedBy(rules: BorrowRules, reader: ReaderKind = 'adult') {
  return { policyVersion: rules.version, ...(reader !== 'adult' && { readerKind: reader }) };
}

/**
 * What a book keeps of the rules that it is lent by. Nothing by those that were numbers in the code: late fees are the same by all
 * of them, and they have no exceptions.
 */
export function termsOf({
  policyVersion: version = 0,
  readerKind: reader,
}: Pick<BorrowEvent<'BorrowRenewed'>['data'], 'policyVersion' | 'readerKind'>): Pick<BorrowedBook, 'terms'> {
  if (version <= BORROW_POLICY.version) return {};
  return { terms: reader === undefined ? { version } : { version, reader } };
}
