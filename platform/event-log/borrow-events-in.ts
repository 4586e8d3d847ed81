import { isBorrowEventType, type BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import type { StoredEvent } from './event-log.js';

/** An event of a borrow, with where it lies. */
export type StoredBorrowEvent = StoredEvent<'borrows'> & { readonly event: BorrowEvent };

/** The events of borrows among those of readers' streams: decisions about a stream are of no borrow. */
export function borrowEventsIn(events: readonly StoredEvent[]): StoredBorrowEvent[] {
  return events.filter((stored): stored is StoredBorrowEvent => isBorrowEventType(stored.event.type));
}
