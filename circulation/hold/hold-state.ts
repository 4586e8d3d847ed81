import type { HoldEvent } from '#contracts/holds/hold-events.js';
import type { BookKind } from '#contracts/rules/kinds.js';
import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { isHoldEvent, type ReaderEvent } from '#contracts/holds/reader-events.js';

/** A hold of a reader that is not over, folded from its events. Times are ISO 8601 in UTC. */
export interface Hold {
  readonly id: string;
  readonly bookId: number;
  readonly title: string;
  /** Of the book, as it was reserved; absent for one that is `loanable`. */
  readonly bookKind?: BookKind;
  /** Ready: the rent `borrowId` keeps a copy for him. */
  readonly state: 'waiting' | 'paused' | 'ready';
  readonly placedAt: string;
  readonly pausedUntil: string | null;
  readonly neededUntil: string | null;
  readonly borrowId: string | null;
  /** Of its last event, in the reader's stream. */
  readonly revision: number;
}

/** An event of a hold that was not placed, or is over. Its effect is unknown, so nothing is decided, shown or skipped. */
export class EventWithoutHold extends Error {
  constructor(readonly event: HoldEvent) {
    super(`${event.type} of hold ${event.data.holdId}, which waits for nothing`);
    this.name = 'EventWithoutHold';
  }
}

/**
 * The one fold of a hold: what it is after one of its events.
 * @returns nothing when it is over
 * @throws EventWithoutHold
 */
export function evolveHold(before: Hold | undefined, event: HoldEvent, revision: number): Hold | undefined {
  const { type, data } = event;
  if (type === 'HoldPlaced') {
    const { holdId: id, bookId, title, bookKind, placedAt, neededUntil } = data;
    return {
      ...{ id, bookId, title, placedAt, neededUntil, revision },
      ...(bookKind && { bookKind }),
      ...{ state: 'waiting', pausedUntil: null, borrowId: null },
    };
  }
  if (!before) throw new EventWithoutHold(event);
  const hold = { ...before, revision };
  switch (type) {
    case 'HoldPaused':
      return { ...hold, state: 'paused', pausedUntil: data.until };
    case 'HoldResumed':
      return { ...hold, state: 'waiting', pausedUntil: null };
    case 'HoldNeededUntil':
      return { ...hold, neededUntil: data.neededUntil };
    case 'HoldMoved':
      return hold;
    case 'HoldReady':
      return { ...hold, state: 'ready', borrowId: data.borrowId };
    case 'HoldSetBack':
      return { ...hold, state: 'waiting', borrowId: null };
    case 'HoldCollected':
    case 'HoldLapsed':
    case 'HoldCancelled':
    case 'HoldNoLongerNeeded':
      return undefined;
  }
}

/**
 * The events of a command with what follows for the reader's holds, to be stored together: so a hold's own events say all of its
 * life. Whoever collects what was kept for him waits no longer, nor does who has the book by other means.
 */
export function withHoldsFollowing(
  { holds }: { readonly holds: ReadonlyMap<string, Hold> },
  events: readonly ReaderEvent[],
): ReaderEvent[] {
  if (holds.size === 0) return [...events];
  const open = new Map(holds);
  const after = (event: HoldEvent) => {
    const { holdId } = event.data;
    const hold = evolveHold(open.get(holdId), event, -1);
    if (hold) open.set(holdId, hold);
    else open.delete(holdId);
  };
  return events.flatMap((event): ReaderEvent[] => {
    const following = isHoldEvent(event)
      ? [event]
      : [...open.values()].flatMap((hold) => followingFor(hold, event) ?? []);
    following.forEach(after);
    return isHoldEvent(event) ? following : [event, ...following];
  });
}

function followingFor(hold: Hold, { type, data }: BorrowEvent): HoldEvent | undefined {
  const holdId = hold.id;
  if (type === 'BooksRented') {
    const has = hold.state !== 'ready' && data.books.some(({ bookId }) => bookId === hold.bookId);
    return has
      ? { type: 'HoldNoLongerNeeded', data: { holdId, reason: 'has-the-book', endedAt: data.rentedAt } }
      : undefined;
  }
  const { borrowId } = data;
  if (hold.borrowId !== borrowId) return undefined;
  if (type === 'BooksIssued')
    return { type: 'HoldCollected', data: { holdId, borrowId, collectedAt: data.issuedAt } };
  if (type === 'BorrowExpired')
    return { type: 'HoldLapsed', data: { holdId, borrowId, lapsedAt: data.expiredAt } };
  if (type === 'RentCancelled') {
    const { cancelledBy, cancelledAt } = data;
    return { type: 'HoldCancelled', data: { holdId, cancelledBy, cancelledAt } };
  }
  return undefined;
}
