import type { BeginningEvent, BorrowEvent, RecentEvent } from '#contracts/borrowing/borrow-events.js';
import type { BorrowStatus } from '#contracts/borrowing/borrow-status.js';
import { bookState, type BorrowedBook } from '#contracts/borrowing/borrowed-book.js';
import { isHoldEvent, type ReaderEvent } from '#contracts/holds/hold-events.js';
import { evolveHold, type Hold } from './hold-state.js';
import { PersistentMap } from '../persistent-map.js';
import { recentAfter } from './recent-events.js';
import { loanTermsOf } from '../rules/borrow.policy.js';

/** One borrow of a reader, folded from its events. Times are ISO 8601 in UTC, amounts grosze. */
export interface Borrow {
  readonly id: string;
  readonly books: readonly BorrowedBook[];
  /** Follows from books and money. */
  readonly status: BorrowStatus;
  readonly rentedAt: string;
  readonly collectBy: string;
  /** When the first book was handed over. */
  readonly issuedAt: string | null;
  readonly dueDate: string | null;
  /** When the last book came back, or was lost; null while one is out. */
  readonly returnedAt: string | null;
  /** When it was over without a book collected. */
  readonly expiredAt: string | null;
  readonly renewals: number;
  readonly charged: number;
  /** Less what was given back. */
  readonly paid: number;
  readonly waived: number;
  /** What can be undone, and what may stand in the way of that: of the last minutes before its last event. */
  readonly recent: readonly RecentEvent[];
}

/** A renewal of a borrow. */
export interface Renewal {
  /** The due date that it extended. */
  readonly extended: string | null;
  readonly renewedAt: string;
}

/** What somebody waived of a borrow, and has not been undone; amounts in grosze. */
export interface GivenWaiver {
  readonly revision: number;
  readonly by: string;
  readonly amount: number;
}

/** The state of one reader that the rules need. */
export interface ReaderBorrows {
  readonly borrows: PersistentMap<string, Borrow>;
  /** Those of them that are not over: open ones, and any with a fee that is not paid. Rules look at these alone. */
  readonly unsettled: ReadonlyMap<string, Borrow>;
  /** The renewals of each borrow that has any, in order. */
  readonly renewals: PersistentMap<string, readonly Renewal[]>;
  /** The waivers of each borrow that had any, in order. */
  readonly waivers: PersistentMap<string, readonly GivenWaiver[]>;
  /** Rents that were fenced off before they were stored. */
  readonly abandoned: ReadonlySet<string>;
  /** Their holds that are not over. */
  readonly holds: ReadonlyMap<string, Hold>;
  /** Of the last event, in the reader's stream; -1 before the first. */
  readonly revision: number;
}

/** The state that consists of these borrows. */
export function readerBorrows(
  borrows: Iterable<Borrow>,
  renewals: Iterable<readonly [string, readonly Renewal[]]>,
  abandoned: ReadonlySet<string>,
  revision: number,
  holds: ReadonlyMap<string, Hold> = new Map(),
  waived: Iterable<readonly [string, readonly GivenWaiver[]]> = [],
): ReaderBorrows {
  const all = PersistentMap.of([...borrows].map((borrow) => [borrow.id, borrow]));
  const unsettled = new Map([...all].filter(([, borrow]) => isUnsettled(borrow)));
  const [renewed, waivers] = [PersistentMap.of(renewals), PersistentMap.of(waived)];
  return { borrows: all, unsettled, renewals: renewed, waivers, abandoned, holds, revision };
}

export const NO_BORROWS: ReaderBorrows = readerBorrows([], [], new Set(), -1);

/** What of a borrow says what it costs. */
export type BorrowMoney = Pick<Borrow, 'books' | 'charged' | 'paid' | 'waived'>;

/** What was charged for its lost and damaged books, in grosze. */
export function lossCharges({ books }: Pick<Borrow, 'books'>): number {
  return books.reduce((sum, { loss }) => sum + (loss?.charged ?? 0), 0);
}

/** All that was charged for a borrow, in grosze. */
export function totalCharged(borrow: Pick<Borrow, 'books' | 'charged'>): number {
  return borrow.charged + lossCharges(borrow);
}

/** What of a borrow is still to be paid, in grosze. */
export function fineDue(borrow: BorrowMoney): number {
  return Math.max(0, totalCharged(borrow) - borrow.paid - borrow.waived);
}

/**
 * What the reader has paid for a book that was found again, and the library owes them, in grosze. What was waived is not paid
 * out, and what was given back is no longer among what they paid.
 */
export function refundDue(borrow: BorrowMoney): number {
  return Math.max(0, borrow.paid - totalCharged(borrow));
}

function isUnsettled(borrow: Borrow): boolean {
  return isOpen(borrow) || fineDue(borrow) > 0;
}

/** Whether the borrow keeps copies off the shelf. */
export function isOpen({ books }: Pick<Borrow, 'books'>): boolean {
  return books.some(isOut);
}

/** Whether the book's copy is off the shelf. */
export function isOut(book: BorrowedBook): boolean {
  const state = bookState(book);
  return state === 'reserved' || state === 'lent';
}

/** Whether the book is with the reader. */
export function isLent(book: BorrowedBook): boolean {
  return bookState(book) === 'lent';
}

/** The books that are with the reader. */
export function lentBooks({ books }: Pick<Borrow, 'books'>): BorrowedBook[] {
  return books.filter(isLent);
}

/** Whether it was lent at the desk, and that was undone: for figures it never was. */
export function isUndone({ books }: Pick<Borrow, 'books'>): boolean {
  return books.every(({ undone }) => undone);
}

/** The books that wait at the desk. */
export function reservedBooks({ books }: Pick<Borrow, 'books'>): BorrowedBook[] {
  return books.filter((book) => bookState(book) === 'reserved');
}

/** An event without a preceding rent. Its effect is unknown, so nothing is decided, shown or skipped. */
export class EventWithoutRent extends Error {
  constructor(readonly event: BorrowEvent) {
    super(`${event.type} of borrow ${event.data.borrowId} has no BooksRented or LoanTakenOver before it`);
    this.name = 'EventWithoutRent';
  }
}

/**
 * The state after the next event.
 * @throws EventWithoutRent, EventWithoutHold
 */
export function evolve(state: ReaderBorrows, event: ReaderEvent): ReaderBorrows {
  return fold([event], state);
}

/**
 * The state after all the events: as `evolve`, without a copy of the state for each.
 * @param revisionOf each event, by its place among them; without it, they come right after the state's last one
 * @throws EventWithoutRent, EventWithoutHold
 */
export function fold(
  events: Iterable<ReaderEvent>,
  from: ReaderBorrows = NO_BORROWS,
  revisionOf: (index: number) => number = (index) => from.revision + 1 + index,
): ReaderBorrows {
  const changed = new Map<string, Borrow>();
  const renewed = new Map<string, readonly Renewal[]>();
  const waived = new Map<string, readonly GivenWaiver[]>();
  const given: string[] = [];
  let holds: Map<string, Hold> | undefined;
  let revision = from.revision;
  let index = 0;
  for (const event of events) {
    revision = revisionOf(index++);
    if (isHoldEvent(event)) {
      holds ??= new Map(from.holds);
      const { holdId } = event.data;
      const hold = evolveHold(holds.get(holdId), event, revision);
      if (hold) holds.set(holdId, hold);
      else holds.delete(holdId);
      continue;
    }
    const { borrowId } = event.data;
    const before = changed.get(borrowId) ?? from.borrows.get(borrowId);
    const borrow = evolveBorrow(before, event, revision);
    if (borrow) changed.set(borrowId, borrow);
    else given.push(borrowId);
    const waivers = waiversAfter(event, revision, () => waived.get(borrowId) ?? from.waivers.get(borrowId));
    if (waivers) waived.set(borrowId, waivers);
    const renewal = renewalBy(event, before);
    if (!renewal) continue;
    const earlier = renewed.get(borrowId) ?? from.renewals.get(borrowId) ?? [];
    renewed.set(borrowId, [...earlier, renewal]);
  }
  const unsettled = new Map(from.unsettled);
  for (const [id, borrow] of changed) {
    if (isUnsettled(borrow)) unsettled.set(id, borrow);
    else unsettled.delete(id);
  }
  return {
    borrows: from.borrows.with(changed),
    unsettled,
    renewals: from.renewals.with(renewed),
    waivers: from.waivers.with(waived),
    abandoned: given.length === 0 ? from.abandoned : new Set([...from.abandoned, ...given]),
    holds: holds ?? from.holds,
    revision,
  };
}

/** @param before the borrow before the event */
export function renewalBy(event: BorrowEvent, before: Borrow | undefined): Renewal | undefined {
  if (event.type !== 'BorrowRenewed') return undefined;
  return { extended: before?.dueDate ?? null, renewedAt: event.data.renewedAt };
}

/** A borrow's waivers after one of its events; nothing where it changes none. @param before what they were */
export function waiversAfter(
  { type, data }: BorrowEvent,
  revision: number,
  before: () => readonly GivenWaiver[] | undefined,
): readonly GivenWaiver[] | undefined {
  if (type === 'FeeWaived') {
    return [...(before() ?? []), { revision, by: data.waivedBy, amount: data.amount }];
  }
  if (type === 'WaiverUndone') return (before() ?? []).filter((each) => each.revision !== data.revision);
  return undefined;
}

/**
 * The one fold: a borrow after one of its events.
 * @param before `undefined` if there is none yet
 * @param revision of the event, in the reader's stream
 * @returns nothing for the fence: there is no such borrow
 * @throws EventWithoutRent, EventWithoutHold
 */
export function evolveBorrow(
  before: Borrow | undefined,
  event: BorrowEvent,
  revision: number,
): Borrow | undefined {
  if (event.type === 'RentAbandoned') return undefined;
  if (event.type === 'BooksRented') return rented(event.data);
  if (event.type === 'LoanTakenOver') return takenOver(event, revision);
  if (!before) throw new EventWithoutRent(event);
  const {
    books = before.books,
    dueDate = before.dueDate,
    renewals = before.renewals,
    charged = before.charged,
    paid = before.paid,
    waived = before.waived,
  } = changes(before, event);
  const { status, issuedAt, returnedAt, expiredAt } = followingFrom({ books, charged, paid, waived });
  // Each field by its name: copying them from one object into another takes several times as long.
  return {
    id: before.id,
    books,
    status,
    rentedAt: before.rentedAt,
    collectBy: before.collectBy,
    issuedAt,
    dueDate,
    returnedAt,
    expiredAt,
    renewals,
    charged,
    paid,
    waived,
    recent: recentAfter(before, event, revision),
  };
}

function rented({ borrowId, books, rentedAt, collectBy }: BorrowEvent<'BooksRented'>['data']): Borrow {
  return {
    id: borrowId,
    books,
    status: 'Rented',
    rentedAt,
    collectBy,
    issuedAt: null,
    dueDate: null,
    returnedAt: null,
    expiredAt: null,
    renewals: 0,
    charged: 0,
    paid: 0,
    waived: 0,
    recent: [],
  };
}

function takenOver(event: BorrowEvent<'LoanTakenOver'>, revision: number): Borrow {
  const { book, copy, lentSince, dueDate, statedDue, renewals, ...data } = event.data;
  const begun = rented({ ...data, books: [book], rentedAt: lentSince, collectBy: lentSince });
  const lent = { ...book, issuedAt: lentSince, takenOver: statedDue, copy, ...loanTermsOf(data) };
  const recent = recentAfter(begun, event, revision);
  return { ...begun, books: [lent], status: 'Issued', issuedAt: lentSince, dueDate, renewals, recent };
}

function changes(
  borrow: Borrow,
  { type, data }: Exclude<BorrowEvent, BeginningEvent | { type: 'RentAbandoned' }>,
): Partial<Pick<Borrow, 'books' | 'dueDate' | 'renewals' | 'charged' | 'paid' | 'waived'>> {
  switch (type) {
    case 'BooksIssued':
      return {
        books: withBooks(borrow, data.bookIds, (book) => ({
          ...book,
          issuedAt: data.issuedAt,
          ...loanTermsOf(data),
          ...copyAmong(data.copies, book),
        })),
        dueDate: data.dueDate,
      };
    case 'CopyRebound':
      // Without an issue, as when it was undone, there is no copy to be named.
      return {
        books: withBooks(borrow, [data.bookId], (book) =>
          book.issuedAt === undefined ? book : { ...book, copy: data.copy },
        ),
      };
    case 'BorrowRenewed':
      return {
        books: borrow.books.map((book) => (isLent(book) ? renewed(book, data) : book)),
        dueDate: data.dueDate,
        renewals: borrow.renewals + 1,
      };
    case 'BorrowExpired': {
      const { bookIds, expiredAt: notCollectedAt } = data;
      return { books: withBooks(borrow, bookIds, (book) => ({ ...book, notCollectedAt })) };
    }
    case 'RentCancelled': {
      const { bookIds, cancelledAt: notCollectedAt, undone } = data;
      const cancelled = { notCollectedAt, cancelled: true as const, ...(undone && { undone }) };
      return { books: withBooks(borrow, bookIds, (book) => ({ ...book, ...cancelled })) };
    }
    case 'FineCharged':
      return { charged: borrow.charged + data.amount };
    case 'FinePaid':
      return { paid: borrow.paid + data.amount };
    case 'FeeWaived':
      return { waived: borrow.waived + data.amount };
    case 'BooksReturned':
      return { books: withBooks(borrow, data.bookIds, (book) => ({ ...book, returnedAt: data.returnedAt })) };
    case 'BooksTakenBack':
      return {
        books: withBooks(borrow, data.bookIds, (book) => ({ ...book, returnedAt: data.takenBackAt })),
      };
    case 'BookLost':
    case 'BookDamaged': {
      const loss = {
        as: type === 'BookLost' ? ('lost' as const) : ('damaged' as const),
        charged: data.amount,
      };
      const returnedAt = data.reportedAt;
      return { books: withBooks(borrow, [data.bookId], (book) => ({ ...book, returnedAt, loss })) };
    }
    case 'LostBookFound':
      return { books: withBooks(borrow, [data.bookId], ({ loss: _, ...book }) => book) };
    case 'FindingUndone': {
      const loss = { as: 'lost' as const, charged: data.amount };
      return { books: withBooks(borrow, [data.bookId], (book) => ({ ...book, loss })) };
    }
    case 'LossUndone':
      return {
        books: withBooks(borrow, [data.bookId], ({ loss: _, returnedAt: __, ...book }) => book),
      };
    case 'IssueUndone':
      return {
        books: withBooks(
          borrow,
          data.bookIds,
          ({ issuedAt: _at, copy: _copy, terms: _terms, ...book }) => book,
        ),
        dueDate: data.dueDate,
      };
    case 'ReturnUndone':
      return { books: withBooks(borrow, data.bookIds, ({ returnedAt: _, ...book }) => book) };
    case 'WaiverUndone':
      return { waived: borrow.waived - data.amount };
    case 'PaymentUndone':
    case 'RefundPaid':
      return { paid: borrow.paid - data.amount };
    case 'RefundUndone':
      return { paid: borrow.paid + data.amount };
    case 'UndoAbandoned':
      return {};
  }
}

function withBooks(
  { books }: Borrow,
  changed: readonly number[],
  change: (book: BorrowedBook) => BorrowedBook,
): BorrowedBook[] {
  return books.map((book) => (changed.includes(book.bookId) ? change(book) : book));
}

/** What follows on a renewal is by the rules of that day. */
function renewed(
  { terms: _, ...book }: BorrowedBook,
  data: BorrowEvent<'BorrowRenewed'>['data'],
): BorrowedBook {
  return { ...book, ...loanTermsOf(data) };
}

function copyAmong(
  copies: BorrowEvent<'BooksIssued'>['data']['copies'],
  { bookId }: BorrowedBook,
): Pick<BorrowedBook, 'copy'> {
  const scanned = copies.find((copy) => copy.bookId === bookId);
  return scanned ? { copy: scanned.copy } : {};
}

/** What follows from a borrow's books and money. */
function followingFrom(
  borrow: BorrowMoney,
): Pick<Borrow, 'status' | 'issuedAt' | 'returnedAt' | 'expiredAt'> {
  let firstIssue: string | null = null;
  let lastReturn: string | null = null;
  let lastNotCollected: string | null = null;
  for (const { issuedAt, returnedAt, notCollectedAt } of borrow.books) {
    if (issuedAt !== undefined && (firstIssue === null || isLater(firstIssue, issuedAt)))
      firstIssue = issuedAt;
    if (returnedAt !== undefined) lastReturn = laterOf(returnedAt, lastReturn);
    if (notCollectedAt !== undefined) lastNotCollected = laterOf(notCollectedAt, lastNotCollected);
  }
  const isOver = !isOpen(borrow);
  const isReturned = isOver && lastReturn !== null;
  return {
    status: statusOf(borrow, isOver, firstIssue !== null, isReturned),
    issuedAt: firstIssue,
    returnedAt: isReturned ? lastReturn : null,
    expiredAt: isOver && !isReturned ? lastNotCollected : null,
  };
}

/** The status shown (specification, section 4). */
function statusOf(money: BorrowMoney, isOver: boolean, isIssued: boolean, isReturned: boolean): BorrowStatus {
  if (fineDue(money) > 0) return 'Not_Paid';
  if (isOver) return isReturned ? 'Returned' : 'Expired';
  if (!isIssued) return 'Rented';
  // What was waived behaves as paid.
  return totalCharged(money) > 0 ? 'Paid' : 'Issued';
}

/** The later of two times, where there are two. */
export function laterOf(one: string, before: string | null): string {
  return before === null || isLater(one, before) ? one : before;
}

/** The log may have a time without milliseconds. */
function isLater(one: string, other: string): boolean {
  return one !== other && Date.parse(one) > Date.parse(other);
}
