import { BORROW_EVENTS, borrowEventTime } from '#contracts/borrowing/borrow-events.js';
import type { StoredBorrowEvent } from '#platform/event-log/borrow-events-in.js';
import type { NotificationRequest } from '#platform/letters/notification-request.js';

/** The letter that an event causes, if any. */
export function letterOfEvent({
  id,
  key,
  event,
  metadata,
}: StoredBorrowEvent): NotificationRequest | undefined {
  const kind = BORROW_EVENTS[event.type].letter;
  if (kind === null) return undefined;
  return {
    kind,
    data: { cause: id, accountId: key, borrowId: event.data.borrowId },
    causedAt: borrowEventTime(event),
    correlationId: metadata.$correlationId,
  };
}
