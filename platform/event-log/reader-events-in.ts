import { isBorrowEventType, type BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import type { StoredEvent } from './event-log.js';
import {
  isHoldEventType,
  type HoldEvent,
  isReaderEventType,
  type ReaderEvent,
} from '#contracts/holds/hold-events.js';

/** An event of a borrow, with its place in the log. */
export type StoredBorrowEvent = StoredEvent<'borrows'> & { readonly event: BorrowEvent };

/** The borrow events of readers' streams, without decisions to skip events. */
export function borrowEventsIn(events: readonly StoredEvent[]): StoredBorrowEvent[] {
  return events.filter((stored): stored is StoredBorrowEvent => isBorrowEventType(stored.event.type));
}

/** An event of a hold, with its place in the log. */
export type StoredHoldEvent = StoredEvent<'borrows'> & { readonly event: HoldEvent };

/** An event of a reader's borrows or holds, with its place in the log. */
export type StoredReaderEvent = StoredEvent<'borrows'> & { readonly event: ReaderEvent };

/** The events of holds in readers' streams. */
export function holdEventsIn(events: readonly StoredEvent[]): StoredHoldEvent[] {
  return events.filter((stored): stored is StoredHoldEvent => isHoldEventType(stored.event.type));
}

/** The events of readers' streams, without decisions to skip events. */
export function readerEventsIn(events: readonly StoredEvent[]): StoredReaderEvent[] {
  return events.filter((stored): stored is StoredReaderEvent => isReaderEventType(stored.event.type));
}
