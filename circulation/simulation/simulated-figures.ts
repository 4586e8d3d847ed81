import { READER_KINDS, type ReaderKind, BOOK_KINDS } from '#contracts/rules/kinds.js';
import type { SimulationAnswer, RelaxedLimit } from '#contracts/rules/what-if.js';
import { numbersFor, type BorrowPolicy } from '../rules/borrow.policy.js';
import type { RuleBook } from '../rules/rule-book.js';

/** A figure as it was, and as it would have been. */
export interface Comparison {
  real: number;
  simulated: number;
}

type OfKinds = Record<ReaderKind, Comparison>;

/** Late fees of a span by month and kind of reader, in grosze. */
export class FeesByMonth {
  private readonly months = new Map<string, OfKinds>();

  /** Both `yyyy-MM`, the last one included. */
  constructor(first: string, last: string) {
    for (let month = first; month <= last; month = nextMonth(month)) this.months.set(month, none());
  }

  add(world: keyof Comparison, month: string, kind: ReaderKind, amount: number): void {
    const fees = this.months.get(month)?.[kind];
    if (fees) fees[world] += amount;
  }

  ofMonths(): SimulationAnswer['months'] {
    return [...this.months].map(([month, kinds]) => ({
      month,
      ...sumOf(Object.values(kinds)),
      kinds: READER_KINDS.map((kind) => ({ kind, ...kinds[kind] })).filter(
        ({ real, simulated }) => real > 0 || simulated > 0,
      ),
    }));
  }

  ofKind(kind: ReaderKind): Comparison {
    return sumOf([...this.months.values()].map((kinds) => kinds[kind]));
  }
}

/** @param month `yyyy-MM` */
export function nextMonth(month: string): string {
  const year = Number(month.slice(0, 4));
  const next = Number(month.slice(5)) + 1;
  return next > 12
    ? `${String(year + 1).padStart(4, '0')}-01`
    : `${month.slice(0, 5)}${String(next).padStart(2, '0')}`;
}

function sumOf(all: readonly Comparison[]): Comparison {
  return all.reduce(
    (sum, { real, simulated }) => ({ real: sum.real + real, simulated: sum.simulated + simulated }),
    {
      real: 0,
      simulated: 0,
    },
  );
}

function none(): OfKinds {
  return Object.fromEntries(READER_KINDS.map((kind) => [kind, { real: 0, simulated: 0 }])) as OfKinds;
}

type Limit = Exclude<keyof SimulationAnswer['limits'], 'readers'>;

/** Who would have met a limit, how often. */
export class LimitHits {
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

  figures(): SimulationAnswer['limits'] {
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
const IS_LOOSER: Record<RelaxedLimit, (draft: BorrowPolicy, other: BorrowPolicy) => boolean> = {
  books: (draft, other) => draft.maxBooksPerReader > other.maxBooksPerReader,
  holds: (draft, other) => draft.maxHolds > other.maxHolds,
  renewals: (draft, other) =>
    draft.maxRenewals > other.maxRenewals ||
    (draft.renewableDaysBefore ?? Infinity) > (other.renewableDaysBefore ?? Infinity),
  'collect-days': (draft, other) => draft.collectDays > other.collectDays,
  // Whoever owes a fee is refused.
  fees: (draft, other) =>
    draft.finePerBookAndDay < other.finePerBookAndDay ||
    draft.fineCap < other.fineCap ||
    draft.graceDays > other.graceDays ||
    draft.loanDays > other.loanDays,
};

/** The limits that a draft loosens against any of the rules that were in force. */
export function relaxedLimits(draft: BorrowPolicy, inForce: readonly BorrowPolicy[]): RelaxedLimit[] {
  const kinds = READER_KINDS.flatMap((reader) => BOOK_KINDS.map((book) => [reader, book] as const));
  return (Object.keys(IS_LOOSER) as RelaxedLimit[]).filter((limit) =>
    inForce.some((policy) =>
      kinds.some(([reader, book]) =>
        IS_LOOSER[limit](numbersFor(draft, reader, book), numbersFor(policy, reader, book)),
      ),
    ),
  );
}
