import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { borrowOf, rowOf, type BorrowRow } from '#platform/database/read-model.js';
import { evolveBorrow } from '#circulation/borrow/borrow-state.js';

/** An event with its place. */
export interface PlacedEvent {
  event: BorrowEvent;
  /** Of its stream: the reader. */
  key: string;
  revision: bigint;
  position: { commit: bigint };
}

/** An event cannot be applied. None may be skipped, so folding stops here. */
export class EventNotApplied extends Error {
  constructor(
    readonly placed: PlacedEvent,
    override readonly cause: unknown,
  ) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`The event at position ${placed.position.commit} cannot be applied: ${reason}`);
    this.name = 'EventNotApplied';
  }
}

/**
 * The row after an event: the borrow's pure fold, with the place of the event.
 * @param row the row before it, `undefined` if there is none
 * @returns nothing for an event without a row
 * @throws EventNotApplied
 */
export function projectBorrow(row: BorrowRow | undefined, placed: PlacedEvent): BorrowRow | undefined {
  try {
    const borrow = evolveBorrow(row && borrowOf(row), placed.event, Number(placed.revision));
    return borrow && rowOf({ borrow, ...placed, before: row });
  } catch (error) {
    throw new EventNotApplied(placed, error);
  }
}
