import { endsHold, type HoldEvent, isHoldEvent, type ReaderEvent } from '#contracts/holds/hold-events.js';
import type { BookKind } from '#contracts/rules/kinds.js';
import {
  BORROW_EVENTS,
  beginsBorrow,
  booksAtBeginning,
  borrowEventTime,
  doneBy,
  type BorrowEvent,
} from '#contracts/borrowing/borrow-events.js';

/** A hold of a reader that is not over, folded from its events. Times are ISO 8601 in UTC. */
export interface Hold {
  readonly id: string;
  readonly bookId: number;
  readonly title: string;
  /** Of the book, as it was reserved; absent for one that is `loanable`. */
  readonly bookKind?: BookKind;
  /** Ready: the rent `borrowId` keeps a copy for them. */
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
  if (event.type === 'HoldPlaced') {
    const { holdId: id, bookId, title, bookKind, placedAt, neededUntil } = event.data;
    return {
      ...{ id, bookId, title, placedAt, neededUntil, revision },
      ...(bookKind && { bookKind }),
      ...{ state: 'waiting', pausedUntil: null, borrowId: null },
    };
  }
  if (!before) throw new EventWithoutHold(event);
  if (endsHold(event)) return undefined;
  const hold = { ...before, revision };
  switch (event.type) {
    case 'HoldPaused':
      return { ...hold, state: 'paused', pausedUntil: event.data.until };
    case 'HoldResumed':
      return { ...hold, state: 'waiting', pausedUntil: null };
    case 'HoldNeededUntil':
      return { ...hold, neededUntil: event.data.neededUntil };
    case 'HoldMoved':
      return hold;
    case 'HoldReady':
      return { ...hold, state: 'ready', borrowId: event.data.borrowId };
    case 'HoldSetBack':
      return { ...hold, state: 'waiting', borrowId: null };
    default:
      return event satisfies never;
  }
}

/**
 * The events of a command with what follows for the reader's holds, to be stored together: so a hold's own events say all of its
 * life. Whoever collects what was kept for them waits no longer, nor does who has the book by other means.
 */
export function withFollowingHoldEvents(
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

function followingFor(hold: Hold, event: BorrowEvent): HoldEvent | undefined {
  const [holdId, { borrowId }, at] = [hold.id, event.data, borrowEventTime(event)];
  const effect = BORROW_EVENTS[event.type].hold;
  if (effect === 'has-the-book') {
    const has =
      hold.state !== 'ready' &&
      beginsBorrow(event) &&
      booksAtBeginning(event).some(({ bookId }) => bookId === hold.bookId);
    return has ? { type: 'HoldNoLongerNeeded', data: { holdId, reason: effect, endedAt: at } } : undefined;
  }
  if (hold.borrowId !== borrowId) return undefined;
  switch (effect) {
    case 'collected':
      return { type: 'HoldCollected', data: { holdId, borrowId, collectedAt: at } };
    case 'lapsed':
      return { type: 'HoldLapsed', data: { holdId, borrowId, lapsedAt: at } };
    case 'cancelled':
      return { type: 'HoldCancelled', data: { holdId, cancelledBy: doneBy(event) ?? '', cancelledAt: at } };
    case null:
      return undefined;
    default:
      return effect satisfies never;
  }
}
