import { BORROW_EVENTS, type BorrowEvent, type BorrowEventType } from '#contracts/borrowing/borrow-events.js';
import { OPEN_STATUSES, type BorrowStatus } from '#contracts/borrowing/borrow-status.js';
import { LayeredMap } from './layered-map.js';

/** One borrow of a reader, folded from its events. Times are ISO 8601 in UTC, amounts grosze. */
export interface Borrow {
  readonly id: string;
  readonly books: readonly { bookId: number; title: string }[];
  readonly status: BorrowStatus;
  readonly rentedAt: string;
  readonly collectBy: string;
  readonly issuedAt: string | null;
  readonly dueDate: string | null;
  readonly returnedAt: string | null;
  readonly expiredAt: string | null;
  readonly renewals: number;
  readonly charged: number;
  readonly paid: number;
}

/** A renewal of a borrow. */
export interface Renewal {
  /** The due date that it extended. */
  readonly extended: string | null;
  readonly renewedAt: string;
}

/** The state of one reader that the rules need. */
export interface ReaderBorrows {
  readonly borrows: LayeredMap<string, Borrow>;
  /** Those of them that are not over: open ones, and any with a fee that is not paid. Rules look at these alone. */
  readonly unsettled: ReadonlyMap<string, Borrow>;
  /** The renewals of each borrow that has any, in order. */
  readonly renewals: LayeredMap<string, readonly Renewal[]>;
  /** Rents that were fenced off before they were stored. */
  readonly abandoned: ReadonlySet<string>;
}

/** The state that consists of these borrows. */
export function readerBorrows(
  borrows: Iterable<Borrow>,
  renewals: Iterable<readonly [string, readonly Renewal[]]>,
  abandoned: ReadonlySet<string>,
): ReaderBorrows {
  const all = LayeredMap.of([...borrows].map((borrow) => [borrow.id, borrow]));
  const unsettled = new Map([...all].filter(([, borrow]) => isUnsettled(borrow)));
  return { borrows: all, unsettled, renewals: LayeredMap.of(renewals), abandoned };
}

export const NO_BORROWS: ReaderBorrows = readerBorrows([], [], new Set());

/** The unpaid amount of a borrow, in grosze. */
export function fineDue(borrow: Borrow): number {
  return borrow.charged - borrow.paid;
}

function isUnsettled(borrow: Borrow): boolean {
  return isOpen(borrow) || fineDue(borrow) > 0;
}

/** Whether the borrow keeps its copies off the shelf. */
export function isOpen(borrow: Borrow): boolean {
  return isOpenStatus(borrow.status);
}

/** Whether a borrow in this status keeps its copies off the shelf. */
export function isOpenStatus(status: BorrowStatus): boolean {
  return OPEN_STATUSES.includes(status);
}

/** An event without a preceding rent. Its effect is unknown, so nothing is decided, shown or skipped. */
export class EventWithoutRent extends Error {
  constructor(readonly event: BorrowEvent) {
    super(`${event.type} of borrow ${event.data.borrowId} has no BooksRented before it`);
    this.name = 'EventWithoutRent';
  }
}

/**
 * The state after an event.
 * @throws EventWithoutRent
 */
export function evolve(state: ReaderBorrows, event: BorrowEvent): ReaderBorrows {
  return fold([event], state);
}

/**
 * The state after all the events: as `evolve`, without a copy of the state for each.
 * @throws EventWithoutRent
 */
export function fold(events: Iterable<BorrowEvent>, from: ReaderBorrows = NO_BORROWS): ReaderBorrows {
  const changed = new Map<string, Borrow>();
  const renewed = new Map<string, readonly Renewal[]>();
  const given: string[] = [];
  for (const event of events) {
    const { borrowId } = event.data;
    const before = changed.get(borrowId) ?? from.borrows.get(borrowId);
    const borrow = evolveBorrow(before, event);
    if (borrow) changed.set(borrowId, borrow);
    else given.push(borrowId);
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
    abandoned: given.length === 0 ? from.abandoned : new Set([...from.abandoned, ...given]),
  };
}

/** @param before the borrow before the event */
export function renewalBy(event: BorrowEvent, before: Borrow | undefined): Renewal | undefined {
  if (event.type !== 'BorrowRenewed') return undefined;
  return { extended: before?.dueDate ?? null, renewedAt: event.data.renewedAt };
}

/**
 * The one fold: a borrow after one of its events.
 * @param before `undefined` if there is none yet
 * @returns nothing for the fence: there is no such borrow
 * @throws EventWithoutRent
 */
export function evolveBorrow(before: Borrow | undefined, event: BorrowEvent): Borrow | undefined {
  if (event.type === 'RentAbandoned') return undefined;
  if (event.type === 'BooksRented') return rented(event.data);
  if (!before) throw new EventWithoutRent(event);
  const after = { ...before, ...changes(before, event) };
  return { ...after, status: statusAfter(event.type, before.status, fineDue(after)) ?? before.status };
}

/**
 * The status of a borrow after an event.
 * @param due the unpaid amount after it, in grosze
 * @returns nothing if there is no borrow
 */
export function statusAfter(
  type: BorrowEventType,
  before: BorrowStatus,
  due: number,
): BorrowStatus | undefined {
  const { status } = BORROW_EVENTS[type];
  if (status === 'none') return undefined;
  if (status === 'unchanged') return before;
  if (status === 'by-debt') return due > 0 ? 'Not_Paid' : 'Paid';
  return status;
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
  };
}

function changes(
  borrow: Borrow,
  { type, data }: Exclude<BorrowEvent, { type: 'BooksRented' | 'RentAbandoned' }>,
): Partial<Borrow> {
  switch (type) {
    case 'BooksIssued':
      return { issuedAt: data.issuedAt, dueDate: data.dueDate };
    case 'BorrowRenewed':
      return { dueDate: data.dueDate, renewals: borrow.renewals + 1 };
    case 'BorrowExpired':
      return { expiredAt: data.expiredAt };
    case 'FineCharged':
      return { charged: borrow.charged + data.amount };
    case 'FinePaid':
      return { paid: borrow.paid + data.amount };
    case 'BooksReturned':
      return { returnedAt: data.returnedAt };
  }
}
