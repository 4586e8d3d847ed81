import { borrowEventTime, type BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { addDays, localDay, startOfDay } from '#contracts/local-day.js';
import {
  EventWithoutRent,
  evolveBorrow,
  fineDue,
  isOpen,
  isOut,
  lentBooks,
  type Borrow,
} from './borrow-state.js';
import { numbersFor, type BorrowRules } from './borrow.policy.js';
import { lateFee } from './late-fee.decider.js';
import { isOverdue, loanDaysOf, renewableFrom, renewalsOf } from './loan-rules.js';
import { lossCharge } from './loss.decider.js';
import { endOfPeriod, isOver } from './period.js';
import { rulesOfBook } from './terms.js';

/** Of what time the figures are: instants, ISO 8601 in UTC. What is earlier is folded and not counted. */
export interface TrialSpan {
  from: string;
  /** The first instant after it: nothing from then on is looked at. */
  until: string;
}

/** A figure as it was, and as it would have been. */
export interface Compared {
  real: number;
  tried: number;
}

/** What rules would have done. Amounts in grosze. */
export interface TrialResult {
  /** Late fees by month (`yyyy-MM`) of the library, every month of the span. */
  fees: (Compared & { month: string })[];
  /** Books that came back, or were lost, after their due day. */
  lateReturns: Compared;
  /** Rents with books that were not collected in time; of `cannotBeTold` it is not known whether they would have been. */
  expiredRents: Compared & { cannotBeTold: number };
  /** Rents and renewals that the rules would have refused, and of how many readers. */
  refused: { rents: number; renewals: number; readers: number };
  /** Each reader whose fees would have been others, the one with the largest difference first. */
  readers: (Compared & { reader: string })[];
  events: number;
}

/** One borrow in both worlds. */
interface Tried {
  real: Borrow;
  tried: Borrow;
  /** Up to the end of which month its fees are settled. */
  settled: string;
  hasExpired: boolean;
}

interface TriedReader {
  borrows: Map<string, Tried>;
  fees: Compared;
  isRefused: boolean;
}

/** Milliseconds after its end for which a borrow may still be undone. */
const MAY_BE_UNDONE = 24 * 3_600_000;

/** Of a borrow that is over for long: money, which no figure is about, and a book that turned up. */
const AFTER_ITS_END: ReadonlySet<BorrowEvent['type']> = new Set([
  'FinePaid',
  'FeeWaived',
  'WaiverUndone',
  'PaymentUndone',
  'LostBookFound',
  'UndoAbandoned',
  'CopyRebound',
]);

/**
 * The log folded again under other rules, by the functions that decide commands. What people did is taken as it was: when they
 * rented, collected, renewed, brought back and paid. What the rules would have refused is counted, and goes on as it did.
 *
 * Late fees are charged as the library does: by day, so that those of a month are its days'. It takes the events of each reader in their
 * order, readers in any.
 */
export class Trial {
  private readonly readers = new Map<string, TriedReader>();
  private readonly fees = new Map<string, Compared>();
  private readonly monthEnds = new Map<string, string>();
  private readonly over: { at: number; borrows: Map<string, Tried>; id: string }[] = [];
  private readonly from: number;
  private readonly until: number;
  private oldest = 0;
  private readonly result: Omit<TrialResult, 'fees' | 'readers'> = {
    lateReturns: { real: 0, tried: 0 },
    expiredRents: { real: 0, tried: 0, cannotBeTold: 0 },
    refused: { rents: 0, renewals: 0, readers: 0 },
    events: 0,
  };

  private readonly draft: BorrowRules;

  /**
   * @param draft with a version of its own, above all that the log names
   * @param rules that were in force, of every version
   */
  constructor(
    draft: BorrowRules,
    private readonly rules: BorrowRules,
    span: TrialSpan,
  ) {
    // Whatever version a book was lent by: it is lent by the draft.
    this.draft = { ...draft, of: () => this.draft };
    this.from = Date.parse(span.from);
    this.until = Date.parse(span.until);
    const last = this.monthOf(new Date(this.until - 1).toISOString());
    for (let month = this.monthOf(span.from); month <= last; month = nextMonth(month))
      this.fees.set(month, { real: 0, tried: 0 });
  }

  /**
   * The next event of a reader.
   * @param revision in the reader's stream
   * @throws EventWithoutRent
   */
  add(reader: string, event: BorrowEvent, revision: number): void {
    const at = borrowEventTime(event);
    if (Date.parse(at) >= this.until || event.type === 'RentAbandoned') return;
    this.result.events += 1;
    let known = this.readers.get(reader);
    if (!known) {
      known = { borrows: new Map(), fees: { real: 0, tried: 0 }, isRefused: false };
      this.readers.set(reader, known);
    }
    if (event.type === 'BooksRented') return this.rent(known, event, revision);
    const { borrowId } = event.data;
    const borrow = known.borrows.get(borrowId);
    if (!borrow) {
      if (AFTER_ITS_END.has(event.type)) return;
      throw new EventWithoutRent(event);
    }
    this.settleMonths(known, borrow, at);
    this.apply(known, borrow, event, revision, at);
    if (!isOpen(borrow.real)) this.forgetLater(known, borrowId, at);
  }

  /** The result, once all events were given. */
  finish(): TrialResult {
    const end = new Date(this.until - 1).toISOString();
    for (const reader of this.readers.values())
      for (const borrow of reader.borrows.values()) {
        this.settleMonths(reader, borrow, end);
        this.charge(reader, borrow, end);
      }
    const readers = [...this.readers].flatMap(([reader, { fees }]) =>
      fees.real === fees.tried ? [] : { reader, ...fees },
    );
    const difference = ({ real, tried }: Compared) => Math.abs(tried - real);
    return {
      ...this.result,
      refused: {
        ...this.result.refused,
        readers: [...this.readers.values()].filter(({ isRefused }) => isRefused).length,
      },
      fees: [...this.fees].map(([month, fees]) => ({ month, ...fees })),
      readers: readers.sort(
        (one, other) => difference(other) - difference(one) || (one.reader < other.reader ? -1 : 1),
      ),
    };
  }

  private rent(reader: TriedReader, event: BorrowEvent<'BooksRented'>, revision: number): void {
    const { borrowId, books, rentedAt, readerKind } = event.data;
    const numbers = numbersFor(this.draft, readerKind);
    const open = [...reader.borrows.values()].reduce(
      (sum, { real }) => sum + real.books.filter(isOut).length,
      0,
    );
    if (open + books.length > numbers.maxBooksPerReader) this.refuse(reader, 'rents', rentedAt);
    const collectBy = endOfPeriod(rentedAt, numbers.collectDays, this.draft);
    const real = evolveBorrow(undefined, event, revision);
    const tried = evolveBorrow(
      undefined,
      { ...event, data: { ...event.data, collectBy, policyVersion: this.draft.version } },
      revision,
    );
    if (real && tried)
      reader.borrows.set(borrowId, { real, tried, settled: this.monthOf(rentedAt), hasExpired: false });
  }

  private apply(reader: TriedReader, borrow: Tried, event: BorrowEvent, revision: number, at: string): void {
    const { draft } = this;
    const { real, tried } = borrow;
    const both = (triedEvent: BorrowEvent = event) => {
      borrow.real = evolveBorrow(borrow.real, event, revision) ?? borrow.real;
      borrow.tried = evolveBorrow(borrow.tried, triedEvent, revision) ?? borrow.tried;
    };
    switch (event.type) {
      case 'BooksIssued': {
        if (isOver(tried.collectBy, at, draft)) this.expire(borrow, at);
        const { bookIds, readerKind } = event.data;
        const lent = tried.books.filter(({ bookId }) => bookIds.includes(bookId));
        const dueDate = laterOf(endOfPeriod(at, loanDaysOf(lent, draft, readerKind), draft), tried.dueDate);
        return both({ ...event, data: { ...event.data, dueDate, policyVersion: draft.version } });
      }
      case 'BorrowRenewed': {
        const isRefused =
          tried.dueDate === null ||
          tried.renewals >= renewalsOf(tried, draft) ||
          isOverdue(tried, tried.dueDate, at, draft) ||
          renewableFrom(tried, tried.dueDate, draft) > localDay(at, draft.timeZone) ||
          fineDue(tried) > 0;
        if (isRefused) {
          this.refuse(reader, 'renewals', at);
          borrow.real = evolveBorrow(real, event, revision) ?? real;
          return;
        }
        const loanDays = loanDaysOf(lentBooks(tried), draft, event.data.readerKind);
        const dueDate = laterOf(endOfPeriod(at, loanDays, draft), tried.dueDate);
        return both({ ...event, data: { ...event.data, dueDate, policyVersion: draft.version } });
      }
      case 'FineCharged':
        this.count(reader, 'real', event.data.amount, at);
        borrow.real = evolveBorrow(real, event, revision) ?? real;
        return this.charge(reader, borrow, at);
      case 'BooksReturned':
      case 'BooksTakenBack':
        this.charge(reader, borrow, at);
        this.comeBack(borrow, event.data.bookIds, at, 1);
        return both();
      case 'BookLost':
      case 'BookDamaged':
        this.charge(reader, borrow, at);
        this.comeBack(borrow, [event.data.bookId], at, 1);
        return both({ ...event, data: { ...event.data, amount: this.lossOf(tried, event) } });
      case 'ReturnUndone':
        for (const { bookId, returnedAt } of real.books)
          if (returnedAt && event.data.bookIds.includes(bookId))
            this.comeBack(borrow, [bookId], returnedAt, -1);
        return both();
      case 'LossUndone': {
        const { bookId } = event.data;
        const returnedAt = real.books.find((book) => book.bookId === bookId)?.returnedAt;
        if (returnedAt) this.comeBack(borrow, [bookId], returnedAt, -1);
        return both();
      }
      case 'IssueUndone': {
        const issue = tried.recent.find((recent) => recent.revision === event.data.revision);
        return both({ ...event, data: { ...event.data, dueDate: issue?.dueDate ?? null } });
      }
      case 'BorrowExpired':
        if (this.isCounted(at)) this.result.expiredRents.real += 1;
        if (isOver(tried.collectBy, at, draft)) this.expire(borrow, at);
        else if (this.isCounted(at)) this.result.expiredRents.cannotBeTold += 1;
        return both();
      case 'RentCancelled':
        if (isOver(tried.collectBy, at, draft)) this.expire(borrow, at);
        return both();
      case 'BooksRented':
      case 'CopyRebound':
      case 'FinePaid':
      case 'FeeWaived':
      case 'WaiverUndone':
      case 'PaymentUndone':
      case 'LostBookFound':
      case 'UndoAbandoned':
      case 'RentAbandoned':
        return both();
    }
  }

  private expire(borrow: Tried, at: string): void {
    if (!borrow.hasExpired && this.isCounted(at)) this.result.expiredRents.tried += 1;
    borrow.hasExpired = true;
  }

  /** @param times below 0 where their return was undone */
  private comeBack({ real, tried }: Tried, bookIds: readonly number[], at: string, times: 1 | -1): void {
    if (!this.isCounted(at)) return;
    const late = ({ books, dueDate }: Borrow, rules: BorrowRules) =>
      dueDate === null
        ? 0
        : books.filter(
            (book) => bookIds.includes(book.bookId) && isOver(dueDate, at, rulesOfBook(book, rules)),
          ).length;
    this.result.lateReturns.real += times * late(real, this.rules);
    this.result.lateReturns.tried += times * late(tried, this.draft);
  }

  private lossOf({ books }: Borrow, { data }: BorrowEvent<'BookLost' | 'BookDamaged'>): number {
    const book = books.find(({ bookId }) => bookId === data.bookId);
    return lossCharge(data.price, book ? rulesOfBook(book, this.draft) : this.draft);
  }

  private refuse(reader: TriedReader, what: 'rents' | 'renewals', at: string): void {
    if (!this.isCounted(at)) return;
    this.result.refused[what] += 1;
    reader.isRefused = true;
  }

  /** Charges what it is late up to an instant. */
  private charge(reader: TriedReader, borrow: Tried, at: string): void {
    const fee = lateFee(borrow.tried, at, this.draft);
    if (!fee || fee.uncharged === 0) return;
    borrow.tried = { ...borrow.tried, charged: borrow.tried.charged + fee.uncharged };
    this.count(reader, 'tried', fee.uncharged, at);
  }

  /** Charges the days of every month that has ended since the borrow was looked at last. */
  private settleMonths(reader: TriedReader, borrow: Tried, at: string): void {
    const month = this.monthOf(at);
    for (; borrow.settled < month; borrow.settled = nextMonth(borrow.settled)) {
      const { dueDate } = borrow.tried;
      // Nothing is late before its due day is over: the months up to that one need no look.
      if (dueDate === null || lentBooks(borrow.tried).length === 0) {
        borrow.settled = month;
        return;
      }
      this.charge(reader, borrow, this.endOf(borrow.settled));
    }
  }

  private count({ fees }: TriedReader, world: keyof Compared, amount: number, at: string): void {
    if (!this.isCounted(at)) return;
    const month = this.fees.get(this.monthOf(at));
    if (month) month[world] += amount;
    fees[world] += amount;
  }

  private isCounted(at: string): boolean {
    return Date.parse(at) >= this.from;
  }

  /** Borrows are kept for as long as something may be undone: a log of years would not find room. */
  private forgetLater({ borrows }: TriedReader, id: string, at: string): void {
    const now = Date.parse(at);
    this.over.push({ at: now, borrows, id });
    for (; this.oldest < this.over.length; this.oldest += 1) {
      const ended = this.over[this.oldest];
      if (!ended || now - ended.at <= MAY_BE_UNDONE) break;
      const borrow = ended.borrows.get(ended.id);
      if (borrow && !isOpen(borrow.real)) ended.borrows.delete(ended.id);
    }
    if (this.oldest > 10_000) {
      this.over.splice(0, this.oldest);
      this.oldest = 0;
    }
  }

  private monthOf(at: string): string {
    return localDay(at, this.draft.timeZone).slice(0, 7);
  }

  private endOf(month: string): string {
    let end = this.monthEnds.get(month);
    if (end === undefined) {
      end = new Date(startOfDay(`${nextMonth(month)}-01`, this.draft.timeZone) - 1).toISOString();
      this.monthEnds.set(month, end);
    }
    return end;
  }
}

function nextMonth(month: string): string {
  return addDays(`${month}-01`, 31).slice(0, 7);
}

function laterOf(one: string, other: string | null): string {
  return other !== null && Date.parse(other) > Date.parse(one) ? other : one;
}
