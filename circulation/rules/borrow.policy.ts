import * as m from '#words/messages.js';
import { DomainError } from '#contracts/domain-error.js';
import { FIRST_VERSION, type BookKind, type ReaderKind } from '#contracts/rules/kinds.js';
import type { RuleSet } from '#contracts/rules/rule-set.js';
import type { BorrowedBook } from '#contracts/borrowing/borrowed-book.js';
import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';

/** The rules of the library, with a version: every charge records the one it used. */
export interface BorrowPolicy extends RuleSet {
  version: number;
}

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

/** The rules that a library begins with, in force until the log has others (`rule-book.ts`). Amounts in grosze. */
export const BORROW_POLICY: BorrowPolicy = {
  version: FIRST_VERSION,
  // Specification, section 9: at most 14.
  loanDays: 14,
  collectDays: 3,
  maxRenewals: 2,
  renewableDaysBefore: null,
  // "Users should not monopolise popular books."
  maxBooksPerReader: 10,
  finePerBookAndDay: 50,
  fineCap: 5000,
  graceDays: 0,
  undoMinutes: 10,
  lossPrice: 4000,
  lossFee: 1000,
  maxHolds: 10,
  reminderDays: 2,
  exceptions: [],
  week: null,
  closedDays: [],
};

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
        throw new DomainError('HistoryUnreadable', m.rules_version_not_in_log({ version }));
      }
      return rulesIn(timeZone, known, policyOf);
    },
  };
  return rules;
}

/** The rules that a library begins with, `undefined` for any other version. */
export function policyOfVersion(version: number): BorrowPolicy | undefined {
  return version === FIRST_VERSION ? BORROW_POLICY : undefined;
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
  const { exceptions } = policy;
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

/** What a book keeps of the rules that it is lent by: nothing by those that a library begins with, which have no exceptions. */
export function loanTermsOf({
  policyVersion: version,
  readerKind: reader,
}: Pick<BorrowEvent<'BorrowRenewed'>['data'], 'policyVersion' | 'readerKind'>): Pick<BorrowedBook, 'terms'> {
  if (version === FIRST_VERSION) return {};
  return { terms: reader === undefined ? { version } : { version, reader } };
}
