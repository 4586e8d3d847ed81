import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import type { HoldEvent } from '#contracts/holds/hold-events.js';
import { isHoldEvent, type ReaderEvent } from '#contracts/holds/reader-events.js';
import { evolveHold, type Hold } from './hold-state.js';

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
