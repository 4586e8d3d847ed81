import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import type { HoldEvent } from '#contracts/holds/hold-events.js';
import type { ReaderEvent } from '#contracts/holds/reader-events.js';
import type { Hold } from './hold-state.js';

/**
 * The events of borrows with what follows for the reader's holds, to be stored together: so a hold's own events say all of its
 * life. Whoever collects what was kept for him waits no longer, nor does who has the book by other means.
 */
export function withHoldsFollowing(
  { holds }: { readonly holds: ReadonlyMap<string, Hold> },
  events: readonly BorrowEvent[],
): ReaderEvent[] {
  if (holds.size === 0) return [...events];
  const open = new Map(holds);
  return events.flatMap((event): ReaderEvent[] => {
    const following = [...open.values()].flatMap((hold) => followingFor(hold, event) ?? []);
    for (const { data } of following) open.delete(data.holdId);
    return [event, ...following];
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
