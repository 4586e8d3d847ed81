import { isBorrowEventType, type BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import type { StoredEvent } from './event-log.js';

/** An event of a borrow, with its place in the log. */
export type StoredBorrowEvent = StoredEvent<'borrows'> & { readonly event: BorrowEvent };

/** The borrow events of readers' streams, without decisions to set events aside. */
export function borrowEventsIn(events: readonly StoredEvent[]): StoredBorrowEvent[] {
  return events.filter((stored): stored is StoredBorrowEvent => isBorrowEventType(stored.event.type));
}
