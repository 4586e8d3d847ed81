import { BORROW_EVENTS, type EventLetter } from '#contracts/borrowing/borrow-events.js';
import { holdLetter, type HoldLetter } from '#contracts/holds/hold-events.js';
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
): { kind: EventLetter | HoldLetter; about: string } | null {
  const kind = isHoldEvent(event) ? holdLetter(event, reader) : BORROW_EVENTS[event.type].letter;
  return kind && { kind, about: isHoldEvent(event) ? event.data.holdId : event.data.borrowId };
}
