import { isHoldEventType, type HoldEvent } from '#contracts/holds/hold-events.js';
import { isReaderEventType, type ReaderEvent } from '#contracts/holds/reader-events.js';
import type { StoredEvent } from './event-log.js';

/** An event of a hold, with its place in the log. */
export type StoredHoldEvent = StoredEvent<'borrows'> & { readonly event: HoldEvent };

/** An event of a reader's borrows or holds, with its place in the log. */
export type StoredReaderEvent = StoredEvent<'borrows'> & { readonly event: ReaderEvent };

/** The events of holds in readers' streams. */
export function holdEventsIn(events: readonly StoredEvent[]): StoredHoldEvent[] {
  return events.filter((stored): stored is StoredHoldEvent => isHoldEventType(stored.event.type));
}

/** The events of readers' streams, without decisions to set events aside. */
export function readerEventsIn(events: readonly StoredEvent[]): StoredReaderEvent[] {
  return events.filter((stored): stored is StoredReaderEvent => isReaderEventType(stored.event.type));
}
