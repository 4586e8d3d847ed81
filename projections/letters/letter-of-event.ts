import { BORROW_EVENTS, type EventLetter } from '#contracts/borrowing/borrow-events.js';
import type { HoldLetter } from '#contracts/holds/hold-events.js';
import { isHoldEvent, readerEventTime, type ReaderEvent } from '#contracts/holds/reader-events.js';
import type { StoredReaderEvent } from '#platform/event-log/hold-events-in.js';
import type { NotificationRequest } from '#platform/letters/notification-request.js';

/** The letter that an event causes, if any. */
export function letterOfEvent({
  id,
  key,
  event,
  metadata,
}: StoredReaderEvent): NotificationRequest | undefined {
  const letter = letterOf(event, key);
  if (!letter) return undefined;
  const { kind, about } = letter;
  return {
    kind,
    data: { cause: id, accountId: key, borrowId: about },
    causedAt: readerEventTime(event),
    correlationId: metadata.$correlationId,
  };
}

/** @param reader whose stream it is in */
function letterOf(
  event: ReaderEvent,
  reader: string,
): { kind: EventLetter | HoldLetter; about: string } | undefined {
  if (!isHoldEvent(event)) {
    const kind = BORROW_EVENTS[event.type].letter;
    return kind === null ? undefined : { kind, about: event.data.borrowId };
  }
  // What becomes of a copy that is kept is in the letters about its rent. Whoever gives up his place himself knows it.
  const { type, data } = event;
  if (type === 'HoldCancelled' && data.cancelledBy !== reader)
    return { kind: 'hold-cancelled', about: data.holdId };
  // Whoever has the book by other means knows it, too.
  if (type === 'HoldNoLongerNeeded' && data.reason === 'day-passed')
    return { kind: 'hold-not-needed', about: data.holdId };
  return undefined;
}
