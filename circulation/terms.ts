import type { BorrowedBook } from '#contracts/borrowing/borrowed-book.js';
import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import type { ReaderKind } from '#contracts/rules/kinds.js';
import { BORROW_POLICY, numbersForBook, type BorrowRules } from './borrow.policy.js';

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
