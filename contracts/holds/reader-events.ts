import {
  BORROW_EVENTS,
  borrowEventTime,
  isBorrowEventType,
  type BorrowEvent,
  type BorrowEventType,
} from '../borrowing/borrow-events.js';
import {
  HOLD_EVENTS,
  holdEventTime,
  isHoldEventType,
  type HoldEvent,
  type HoldEventType,
} from './hold-events.js';

/** An event of a reader's stream: of one of their borrows, or of one of their holds. */
export type ReaderEvent = BorrowEvent | HoldEvent;
export type ReaderEventType = BorrowEventType | HoldEventType;

/** The types: first those of borrows. */
export const READER_EVENT_TYPES = [...Object.keys(BORROW_EVENTS), ...Object.keys(HOLD_EVENTS)] as [
  ReaderEventType,
  ...ReaderEventType[],
];

export function isReaderEventType(type: string): type is ReaderEventType {
  return isBorrowEventType(type) || isHoldEventType(type);
}

export function isHoldEvent(event: ReaderEvent): event is HoldEvent {
  return isHoldEventType(event.type);
}

/** The event's own time, ISO 8601 in UTC. */
export function readerEventTime(event: ReaderEvent): string {
  return isHoldEvent(event) ? holdEventTime(event) : borrowEventTime(event);
}
