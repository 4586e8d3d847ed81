import { BOOK_KINDS, READER_KINDS } from '#contracts/rules/kinds.js';
import type { LooserLimit, TrialAnswer } from '#contracts/rules/what-if.js';
import { numbersFor, type BorrowPolicy } from './borrow.policy.js';
import type { RuleBook } from './rule-book.js';

type Limit = Exclude<keyof TrialAnswer['limits'], 'readers'>;

/** Who would have met a limit, how often. */
export class MetLimits {
  private readonly met: Record<Limit, { times: number; readers: Set<string> }> = {
    books: { times: 0, readers: new Set() },
    holds: { times: 0, readers: new Set() },
    renewals: { times: 0, readers: new Set() },
    fees: { times: 0, readers: new Set() },
  };

  add(limit: Limit, reader: string): void {
    this.met[limit].times += 1;
    this.met[limit].readers.add(reader);
  }

  figures(): TrialAnswer['limits'] {
    const figure = ({ times, readers }: { times: number; readers: Set<string> }) => ({
      times,
      readers: readers.size,
    });
    const { books, holds, renewals, fees } = this.met;
    const all = new Set(Object.values(this.met).flatMap(({ readers }) => [...readers]));
    return {
      books: figure(books),
      holds: figure(holds),
      renewals: figure(renewals),
      fees: figure(fees),
      readers: all.size,
    };
  }
}

/** The versions of the rules that were in force at some time of a span: instants, ISO 8601 in UTC, the second after it. */
export function inForceDuring(
  book: RuleBook,
  { from, until }: { from: string; until: string },
): BorrowPolicy[] {
  const begun = book.changes.map((change) => change.from);
  const within = begun.filter(
    (at) => Date.parse(at) > Date.parse(from) && Date.parse(at) < Date.parse(until),
  );
  return [...new Set([from, ...within].map((at) => book.inForceAt(at)))];
}

/** By which of its numbers a draft allows more than others did, for any kind of reader or book. */
const IS_LOOSER: Record<LooserLimit, (draft: BorrowPolicy, other: BorrowPolicy) => boolean> = {
  books: (draft, other) => draft.maxBooksPerReader > other.maxBooksPerReader,
  holds: (draft, other) => (draft.maxHolds ?? 0) > (other.maxHolds ?? 0),
  renewals: (draft, other) =>
    draft.maxRenewals > other.maxRenewals ||
    (draft.renewableDaysBefore ?? Infinity) > (other.renewableDaysBefore ?? Infinity),
  'collect-days': (draft, other) => draft.collectDays > other.collectDays,
  // Whoever owes a fee is refused.
  fees: (draft, other) =>
    draft.finePerBookAndDay < other.finePerBookAndDay ||
    draft.fineCap < other.fineCap ||
    (draft.graceDays ?? 0) > (other.graceDays ?? 0) ||
    draft.loanDays > other.loanDays,
};

/** The limits that a draft loosens against any of the rules that were in force. */
export function looserLimits(draft: BorrowPolicy, inForce: readonly BorrowPolicy[]): LooserLimit[] {
  const kinds = READER_KINDS.flatMap((reader) => BOOK_KINDS.map((book) => [reader, book] as const));
  return (Object.keys(IS_LOOSER) as LooserLimit[]).filter((limit) =>
    inForce.some((policy) =>
      kinds.some(([reader, book]) =>
        IS_LOOSER[limit](numbersFor(draft, reader, book), numbersFor(policy, reader, book)),
      ),
    ),
  );
}
