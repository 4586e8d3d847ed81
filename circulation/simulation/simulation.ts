import {
  BORROW_EVENTS,
  beginsBorrow,
  borrowEventTime,
  isSimulated,
  type BeginningEvent,
  type BorrowEvent,
} from '#contracts/borrowing/borrow-events.js';
import {
  type HoldEvent,
  holdEventTime,
  isHoldEvent,
  type ReaderEvent,
} from '#contracts/holds/hold-events.js';
import { localDay, startOfDay } from '#contracts/local-day.js';
import { READER_KINDS, type ReaderKind } from '#contracts/rules/kinds.js';
import type { RuleSet } from '#contracts/rules/rule-set.js';
import { READERS_SHOWN, type SimulationAnswer } from '#contracts/rules/what-if.js';
import {
  EventWithoutRent,
  evolveBorrow,
  fineDue,
  isLent,
  isOpen,
  isOut,
  laterOf,
  lentBooks,
  refundDue,
  reservedBooks,
  type Borrow,
} from '../borrow/borrow-state.js';
import { numbersFor, rulesIn, type BorrowRules, rulesOfBook } from '../rules/borrow.policy.js';
import { owesFee, isOverdue, loanDaysOf, renewableFrom, renewalsOf } from '../borrow/borrow.rules.js';
import { evolveHold, type Hold } from '../borrow/hold-state.js';
import { lateFee } from '../borrow/late-fee.decider.js';
import { lossCharge } from '../borrow/loss.decider.js';
import { endOfPeriod, isDayOver, isOver } from '../rules/period.js';
import type { RuleBook } from '../rules/rule-book.js';
import {
  FeesByMonth,
  nextMonth,
  type Comparison,
  inForceDuring,
  relaxedLimits,
  LimitHits,
} from './simulated-figures.js';
import { HoldWaits } from './simulated-holds.js';

/** What is tried. */
export interface SimulationInput {
  rules: RuleSet;
  /** By whose midnights days and months begin. */
  timeZone: string;
  /** Of what time the figures are: instants, ISO 8601 in UTC. What is earlier is folded and not counted. */
  from: string;
  /** The first instant after it: nothing from then on is looked at. */
  until: string;
}

/** What rules would have done. */
export interface SimulationResult {
  answer: SimulationAnswer;
  /** Pseudonyms of the readers whose late fees would have been others, the largest difference first, a few of them. In grosze. */
  readers: (Comparison & { reader: string })[];
}

/** One borrow in both worlds. */
interface Simulated {
  real: Borrow;
  simulated: Borrow;
  kind: ReaderKind;
  /** Up to the end of which month its fees are settled. */
  settled: string;
  hasExpired: boolean;
  /** When it was over, in milliseconds; it may have been undone since. */
  endedAt: number;
  /** What money that changed hands comes to in the tried world, by the revisions of its events. */
  money: Map<number, number> | undefined;
  /** What was charged there for books that were found again. */
  found: Map<number, number> | undefined;
}

interface SimulatedReader {
  id: string;
  borrows: Map<string, Simulated>;
  holds: Map<string, Hold> | undefined;
  kind: ReaderKind;
  fees: Comparison;
  /** Those of their borrows that were over at a time, the first one first. */
  over: { at: number; borrow: Simulated }[];
}

/** Milliseconds after its end for which a borrow may still be undone. */
const MAY_BE_UNDONE = 24 * 3_600_000;

/**
 * The log folded again under other rules, by the functions that decide commands. What people did is taken as it was: when they
 * rented, collected, renewed, brought back and paid. What the rules would have refused is counted: a rent or a hold happens all the
 * same, a renewal gives no days. Whoever paid all that they owed pays all that they would have owed.
 *
 * Late fees are charged as the library does: by day, so that those of a month are its days'. It takes the events in the order
 * of the log; only how long holds waited depends on the order between readers.
 */
export class Simulation {
  private readonly readers = new Map<string, SimulatedReader>();
  private readonly fees: FeesByMonth;
  private readonly limits = new LimitHits();
  private readonly waits = new HoldWaits();
  private readonly monthEnds = new Map<string, string>();
  /** The ends of periods, by their first days and lengths: those of a day are many. */
  private readonly ends = new Map<string, string>();
  private readonly from: number;
  private readonly until: number;
  /** The time that was looked at last, and what it comes to: that of an event is asked for many times. */
  private known = { at: '', instant: NaN, month: '' };
  private events = 0;
  private readonly losses = { real: 0, simulated: 0 };
  private readonly lateReturns = { real: 0, simulated: 0 };
  private readonly expiredRents = { real: 0, simulated: 0, cannotBeTold: 0 };
  private readonly draft: BorrowRules;
  private readonly rules: BorrowRules;

  /** @param book all versions of the rules that events name */
  constructor(
    private readonly order: SimulationInput,
    private readonly book: RuleBook,
  ) {
    const { rules, timeZone, from, until } = order;
    const policy = { version: book.latest + 1, ...rules };
    // Whatever version a book was lent by: it is lent by the draft.
    this.draft = { ...rulesIn(timeZone, policy, () => policy), of: () => this.draft };
    this.rules = rulesRemembered(book, timeZone, from);
    this.from = Date.parse(from);
    this.until = Date.parse(until);
    this.fees = new FeesByMonth(this.monthOf(from), this.monthOf(new Date(this.until - 1).toISOString()));
  }

  /**
   * The next event of a reader.
   * @param revision in the reader's stream
   * @throws EventWithoutRent, EventWithoutHold
   */
  add(reader: string, event: ReaderEvent, revision: number): void {
    const isHold = isHoldEvent(event);
    const at = isHold ? holdEventTime(event) : borrowEventTime(event);
    if (this.timeOf(at).instant >= this.until || event.type === 'RentAbandoned') return;
    let known = this.readers.get(reader);
    if (!known) {
      const fees = { real: 0, simulated: 0 };
      known = { id: reader, borrows: new Map(), holds: undefined, kind: READER_KINDS[0], fees, over: [] };
      this.readers.set(reader, known);
    }
    if (isHold) this.hold(known, event, revision, at);
    else if (beginsBorrow(event)) this.begin(known, event, revision);
    else this.change(known, event, revision, at);
    this.events += 1;
  }

  /** The result, once all events were given. */
  finish(): SimulationResult {
    const end = new Date(this.until - 1).toISOString();
    for (const reader of this.readers.values())
      for (const borrow of reader.borrows.values()) {
        this.chargeUpTo(reader, borrow, end);
        if (reservedBooks(borrow.real).length > 0 && !this.isCollectable(borrow.simulated, end))
          this.expire(borrow, end);
      }
    const others = [...this.readers.values()].filter(({ fees }) => fees.real !== fees.simulated);
    const kinds = READER_KINDS.map((kind) => ({
      kind,
      ...this.fees.ofKind(kind),
      otherReaders: others.filter((reader) => reader.kind === kind).length,
    }));
    const sum = (world: keyof Comparison) => kinds.reduce((total, each) => total + each[world], 0);
    const answer: SimulationAnswer = {
      timeZone: this.order.timeZone,
      events: this.events,
      readers: this.readers.size,
      months: this.fees.ofMonths(),
      fees: { real: sum('real'), simulated: sum('simulated') },
      kinds,
      losses: this.losses,
      lateReturns: this.lateReturns,
      expiredRents: this.expiredRents,
      holds: this.waits.figures(),
      limits: this.limits.figures(),
      cannotBeTold: relaxedLimits(this.draft, inForceDuring(this.book, this.order)),
      changedReaders: others.length,
    };
    const difference = ({ real, simulated }: Comparison) => Math.abs(simulated - real);
    const readers = others
      .map(({ id: reader, fees }) => ({ reader, ...fees }))
      .sort((one, other) => difference(other) - difference(one) || (one.reader < other.reader ? -1 : 1))
      .slice(0, READERS_SHOWN);
    return { answer, readers };
  }

  private hold(reader: SimulatedReader, event: HoldEvent, revision: number, at: string): void {
    reader.holds ??= new Map();
    const { holdId } = event.data;
    const before = reader.holds.get(holdId);
    if (event.type === 'HoldPlaced' && this.isCounted(at)) {
      const kind = event.data.readerKind ?? READER_KINDS[0];
      const { maxHolds } = numbersFor(this.draft, kind);
      const others = [...reader.holds.values()].filter(({ state }) => state !== 'ready').length;
      if (others >= maxHolds) this.limits.add('holds', reader.id);
    }
    const after = evolveHold(before, event, revision);
    if (event.type === 'HoldReady' && before)
      this.waits.ready(before, event.data.borrowId, at, this.isCounted(at));
    this.waits.changed(before, after);
    if (after) reader.holds.set(holdId, after);
    else reader.holds.delete(holdId);
  }

  private begin(reader: SimulatedReader, event: BeginningEvent, revision: number): void {
    const { borrowId, readerKind } = event.data;
    const kind = (reader.kind = readerKind ?? READER_KINDS[0]);
    const real = evolveBorrow(undefined, event, revision);
    const simulated = evolveBorrow(undefined, this.begunByDraft(reader, event), revision);
    const settled = this.monthOf(borrowEventTime(event));
    if (real && simulated) {
      const empty = { hasExpired: false, endedAt: 0, money: undefined, found: undefined };
      reader.borrows.set(borrowId, { real, simulated, kind, settled, ...empty });
    }
  }

  /** What was taken over is due when the earlier system said, and was no matter of limits. */
  private begunByDraft(reader: SimulatedReader, event: BeginningEvent): BeginningEvent {
    const policyVersion = this.draft.version;
    if (event.type === 'LoanTakenOver') return { ...event, data: { ...event.data, policyVersion } };
    const { borrowId, books, rentedAt } = event.data;
    const numbers = numbersFor(this.draft, reader.kind);
    if (this.isCounted(rentedAt) && !this.isOfHold(reader, borrowId)) {
      const all = [...reader.borrows.values()];
      const open = all.reduce((sum, { real }) => sum + real.books.filter(isOut).length, 0);
      if (open + books.length > numbers.maxBooksPerReader) this.limits.add('books', reader.id);
      if (all.some(({ simulated }) => owesFee(simulated, rentedAt, this.draft)))
        this.limits.add('fees', reader.id);
    }
    const collectBy = this.endOf(rentedAt, numbers.collectDays);
    return { ...event, data: { ...event.data, collectBy, policyVersion } };
  }

  /** A copy that was kept for a reader is not asked about limits. */
  private isOfHold({ holds }: SimulatedReader, borrowId: string): boolean {
    if (!holds) return false;
    for (const hold of holds.values()) if (hold.borrowId === borrowId) return true;
    return false;
  }

  private change(
    reader: SimulatedReader,
    event: Exclude<BorrowEvent, BeginningEvent | { type: 'RentAbandoned' }>,
    revision: number,
    at: string,
  ): void {
    const { borrowId } = event.data;
    const borrow = reader.borrows.get(borrowId);
    if (!borrow) {
      // Of one that is over for long and settled: no figure is about it.
      if (BORROW_EVENTS[event.type].life === 'may-follow-the-end') return;
      throw new EventWithoutRent(event);
    }
    this.settleMonths(reader, borrow, at);
    this.apply(reader, borrow, event, revision, at);
    if (isSettled(borrow)) this.forgetLater(reader, borrow, at);
  }

  private apply(
    reader: SimulatedReader,
    borrow: Simulated,
    event: Exclude<BorrowEvent, BeginningEvent | { type: 'RentAbandoned' }>,
    revision: number,
    at: string,
  ): void {
    const { draft } = this;
    const { real, simulated } = borrow;
    const both = (simulatedEvent: BorrowEvent = event) => {
      borrow.real = evolveBorrow(borrow.real, event, revision) ?? borrow.real;
      borrow.simulated = evolveBorrow(borrow.simulated, simulatedEvent, revision) ?? borrow.simulated;
    };
    if (!isSimulated(event)) return both();
    switch (event.type) {
      case 'BooksIssued': {
        if (!this.isCollectable(simulated, at)) this.expire(borrow, at);
        // A borrow has one due day, which this may move for what is late.
        this.charge(reader, borrow, at);
        const { bookIds, readerKind } = event.data;
        borrow.kind = reader.kind = readerKind ?? READER_KINDS[0];
        this.waits.forget(real.id);
        const lent = simulated.books.filter(({ bookId }) => bookIds.includes(bookId));
        const dueDate = laterOf(this.endOf(at, loanDaysOf(lent, draft, readerKind)), simulated.dueDate);
        return both({ ...event, data: { ...event.data, dueDate, policyVersion: draft.version } });
      }
      case 'BorrowRenewed':
        return this.renew(reader, borrow, event, revision, at);
      case 'FineCharged':
        this.count(reader, borrow, 'real', event.data.amount, at);
        borrow.real = evolveBorrow(real, event, revision) ?? real;
        return this.charge(reader, borrow, at);
      case 'FinePaid':
      case 'FeeWaived': {
        // What they would have owed by then.
        this.charge(reader, borrow, at);
        borrow.real = evolveBorrow(real, event, revision) ?? real;
        const due = fineDue(borrow.simulated);
        const amount = fineDue(borrow.real) === 0 ? due : Math.min(event.data.amount, due);
        return this.move(
          borrow,
          { ...event, data: { ...event.data, amount } } as BorrowEvent,
          revision,
          amount,
        );
      }
      case 'RefundPaid': {
        this.charge(reader, borrow, at);
        borrow.real = evolveBorrow(real, event, revision) ?? real;
        const amount = Math.min(event.data.amount, refundDue(borrow.simulated));
        return this.move(borrow, { ...event, data: { ...event.data, amount } }, revision, amount);
      }
      case 'WaiverUndone':
      case 'PaymentUndone':
      case 'RefundUndone': {
        const amount = borrow.money?.get(event.data.revision) ?? 0;
        return both({ ...event, data: { ...event.data, amount } } as BorrowEvent);
      }
      case 'BooksReturned':
        this.comeBack(reader, borrow, event.data.bookIds, at);
        both();
        // Books are given back like this where no fee is owed: what would have been owed was paid then.
        borrow.simulated = { ...borrow.simulated, paid: borrow.simulated.paid + fineDue(borrow.simulated) };
        return;
      case 'BooksTakenBack':
        this.comeBack(reader, borrow, event.data.bookIds, at);
        return both();
      case 'BookLost':
      case 'BookDamaged': {
        this.comeBack(reader, borrow, [event.data.bookId], at);
        const amount = this.lossOf(simulated, event);
        this.countLoss(event.data.amount, amount, at);
        return both({ ...event, data: { ...event.data, amount } });
      }
      case 'LostBookFound': {
        const amount = chargedFor(simulated, event.data.bookId);
        this.countLoss(-event.data.amount, -amount, at);
        (borrow.found ??= new Map()).set(event.data.bookId, amount);
        return both();
      }
      case 'FindingUndone': {
        const amount = borrow.found?.get(event.data.bookId) ?? 0;
        this.countLoss(event.data.amount, amount, at);
        return both({ ...event, data: { ...event.data, amount } });
      }
      case 'ReturnUndone':
        this.takeBackReturns(borrow, event.data.bookIds);
        return both();
      case 'LossUndone': {
        const { bookId, amount } = event.data;
        this.countLoss(-amount, -chargedFor(simulated, bookId), at);
        this.takeBackReturns(borrow, [bookId]);
        return both();
      }
      case 'IssueUndone': {
        const issue = simulated.recent.find((recent) => recent.revision === event.data.revision);
        return both({ ...event, data: { ...event.data, dueDate: issue?.dueDate ?? null } });
      }
      case 'BorrowExpired':
        if (this.isCounted(at)) this.expiredRents.real += 1;
        if (!this.isCollectable(simulated, at)) this.expire(borrow, at);
        else if (this.isCounted(at)) this.expiredRents.cannotBeTold += 1;
        this.freeExpired(borrow, event, at);
        return both();
      case 'RentCancelled':
        if (!this.isCollectable(simulated, at)) this.expire(borrow, at);
        for (const bookId of event.data.bookIds) this.waits.freed(bookId, at, 0);
        this.waits.forget(real.id);
        return both();
      default:
        return event satisfies never;
    }
  }

  private renew(
    reader: SimulatedReader,
    borrow: Simulated,
    event: BorrowEvent<'BorrowRenewed'>,
    revision: number,
    at: string,
  ): void {
    const { draft } = this;
    const { real, simulated } = borrow;
    const { readerKind } = event.data;
    borrow.kind = reader.kind = readerKind ?? READER_KINDS[0];
    borrow.real = evolveBorrow(real, event, revision) ?? real;
    const { dueDate } = simulated;
    const isRefused =
      dueDate === null ||
      simulated.renewals >= renewalsOf(simulated, draft) ||
      isOverdue(simulated, dueDate, at, draft) ||
      renewableFrom(simulated, dueDate, draft) > localDay(at, draft.timeZone) ||
      fineDue(simulated) > 0;
    if (isRefused) {
      if (this.isCounted(at)) this.limits.add('renewals', reader.id);
      return;
    }
    const until = laterOf(this.endOf(at, loanDaysOf(lentBooks(simulated), draft, readerKind)), dueDate);
    // It would give no day more: they have what they want.
    if (until === dueDate) return;
    const renewed = { ...event, data: { ...event.data, dueDate: until, policyVersion: draft.version } };
    borrow.simulated = evolveBorrow(simulated, renewed, revision) ?? simulated;
  }

  /** Money that changes hands in the tried world. */
  private move(borrow: Simulated, event: BorrowEvent, revision: number, amount: number): void {
    (borrow.money ??= new Map()).set(revision, amount);
    borrow.simulated = evolveBorrow(borrow.simulated, event, revision) ?? borrow.simulated;
  }

  private expire(borrow: Simulated, at: string): void {
    if (!borrow.hasExpired && this.isCounted(at)) this.expiredRents.simulated += 1;
    borrow.hasExpired = true;
  }

  private isCollectable({ collectBy }: Borrow, at: string): boolean {
    return !isDayOver(collectBy, at, this.order);
  }

  /** Copies that nobody collected go to who waits: earlier, where they would have waited for fewer days. */
  private freeExpired(
    { real, simulated, kind }: Simulated,
    { data }: BorrowEvent<'BorrowExpired'>,
    at: string,
  ): void {
    const shift = this.waits.shiftOf(real.id);
    this.waits.forget(real.id);
    const { bookIds } = data;
    const rented = new Date(Date.parse(real.rentedAt) + (shift ?? 0)).toISOString();
    const { collectDays } = numbersFor(this.draft, kind);
    const collectBy = shift === 0 ? simulated.collectBy : this.endOf(rented, collectDays);
    const later = Date.parse(collectBy) - Date.parse(real.collectBy);
    const freed = shift === undefined || later > 0 ? undefined : later;
    for (const bookId of bookIds) this.waits.freed(bookId, at, freed);
  }

  private comeBack(reader: SimulatedReader, borrow: Simulated, bookIds: readonly number[], at: string): void {
    this.charge(reader, borrow, at);
    this.countReturns(borrow, bookIds, at, 1);
    for (const bookId of bookIds) this.waits.freed(bookId, at, 0);
  }

  private takeBackReturns(borrow: Simulated, bookIds: readonly number[]): void {
    for (const { bookId, returnedAt } of borrow.real.books)
      if (returnedAt && bookIds.includes(bookId)) this.countReturns(borrow, [bookId], returnedAt, -1);
  }

  /** @param times below 0 where their return was undone */
  private countReturns(
    { real, simulated }: Simulated,
    bookIds: readonly number[],
    at: string,
    times: 1 | -1,
  ): void {
    if (!this.isCounted(at)) return;
    const late = ({ books, dueDate }: Borrow, rules: BorrowRules) =>
      dueDate === null
        ? 0
        : books.filter(
            (book) => bookIds.includes(book.bookId) && isOver(dueDate, at, rulesOfBook(book, rules)),
          ).length;
    this.lateReturns.real += times * late(real, this.rules);
    this.lateReturns.simulated += times * late(simulated, this.draft);
  }

  private lossOf({ books }: Borrow, { data }: BorrowEvent<'BookLost' | 'BookDamaged'>): number {
    const book = books.find(({ bookId }) => bookId === data.bookId);
    return lossCharge(data.price, book ? rulesOfBook(book, this.draft) : this.draft);
  }

  private countLoss(real: number, simulated: number, at: string): void {
    if (!this.isCounted(at)) return;
    this.losses.real += real;
    this.losses.simulated += simulated;
  }

  /** Charges each month's days in that month, and then those up to an instant. */
  private chargeUpTo(reader: SimulatedReader, borrow: Simulated, at: string): void {
    this.settleMonths(reader, borrow, at);
    this.charge(reader, borrow, at);
  }

  /** Charges what it is late up to an instant. */
  private charge(reader: SimulatedReader, borrow: Simulated, at: string): void {
    const fee = lateFee(borrow.simulated, at, this.draft);
    if (!fee || fee.uncharged === 0) return;
    borrow.simulated = { ...borrow.simulated, charged: borrow.simulated.charged + fee.uncharged };
    this.count(reader, borrow, 'simulated', fee.uncharged, at);
  }

  /** Charges the days of every month that has ended since the borrow was looked at last. */
  private settleMonths(reader: SimulatedReader, borrow: Simulated, at: string): void {
    const month = this.monthOf(at);
    for (; borrow.settled < month; borrow.settled = nextMonth(borrow.settled)) {
      const { dueDate } = borrow.simulated;
      // Nothing is late before its due day is over: the months up to that one need no look.
      if (dueDate === null || !borrow.simulated.books.some(isLent)) {
        borrow.settled = month;
        return;
      }
      this.charge(reader, borrow, this.endOfMonth(borrow.settled));
    }
  }

  private count(
    { fees }: SimulatedReader,
    { kind }: Simulated,
    world: keyof Comparison,
    amount: number,
    at: string,
  ): void {
    if (!this.isCounted(at)) return;
    this.fees.add(world, this.monthOf(at), kind, amount);
    fees[world] += amount;
  }

  private isCounted(at: string): boolean {
    return this.timeOf(at).instant >= this.from;
  }

  /** Borrows are kept for as long as something may be undone: a log of years would not find room. */
  private forgetLater({ borrows, over }: SimulatedReader, borrow: Simulated, at: string): void {
    const now = (borrow.endedAt = this.timeOf(at).instant);
    over.push({ at: now, borrow });
    for (let [first] = over; first && now - first.at > MAY_BE_UNDONE; [first] = over) {
      over.shift();
      const { at: endedAt, borrow: ended } = first;
      if (ended.endedAt === endedAt && isSettled(ended)) borrows.delete(ended.real.id);
    }
  }

  private monthOf(at: string): string {
    return this.timeOf(at).month;
  }

  private timeOf(at: string): { instant: number; month: string } {
    if (at !== this.known.at)
      this.known = {
        at,
        instant: Date.parse(at),
        month: localDay(at, this.order.timeZone).slice(0, 7),
      };
    return this.known;
  }

  /** As `endOfPeriod` by the draft. */
  private endOf(from: string, days: number): string {
    const name = `${localDay(from, this.order.timeZone)} ${days}`;
    let end = this.ends.get(name);
    if (end === undefined) this.ends.set(name, (end = endOfPeriod(from, days, this.draft)));
    return end;
  }

  private endOfMonth(month: string): string {
    let end = this.monthEnds.get(month);
    if (end === undefined) {
      end = new Date(startOfDay(`${nextMonth(month)}-01`, this.order.timeZone) - 1).toISOString();
      this.monthEnds.set(month, end);
    }
    return end;
  }
}

/** The rules in force at an instant, with each version made once. */
function rulesRemembered(book: RuleBook, timeZone: string, at: string): BorrowRules {
  const rules = book.rulesAt(at, timeZone);
  const versions = new Map<number | undefined, BorrowRules>();
  return {
    ...rules,
    of: (version) => {
      let known = versions.get(version);
      if (!known) versions.set(version, (known = rules.of(version)));
      return known;
    },
  };
}

/** Nothing that may come later changes a figure: it is over, nothing is owed, and no book of it may be found again. */
function isSettled({ real, simulated }: Simulated): boolean {
  return (
    !isOpen(real) &&
    fineDue(real) === 0 &&
    fineDue(simulated) === 0 &&
    real.books.every(({ loss }) => loss?.as !== 'lost')
  );
}

function chargedFor({ books }: Borrow, bookId: number): number {
  return books.find((book) => book.bookId === bookId)?.loss?.charged ?? 0;
}
