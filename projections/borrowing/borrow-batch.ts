import { BORROW_EVENTS } from '#contracts/borrowing/borrow-events.js';
import { borrowStatusSchema, type BorrowStatus } from '#contracts/borrowing/borrow-status.js';
import { isOpenStatus } from '#borrowing/borrow-state.js';
import { projectBorrow, type BorrowRow, type PlacedEvent } from './borrow-row.js';

/** The changes of a batch of events. */
export interface BorrowBatch {
  /** Every changed row, as of the last event. */
  rows: Map<string, BorrowRow>;
  /** By how much the count of each status changed. */
  statusDeltas: Map<BorrowStatus, number>;
  /** Books rented by day (yyyy-MM-dd, UTC). */
  rentedOn: Map<string, number>;
}

/** The allocations that a batch of events settles, by borrow. */
export interface AllocationsSettled {
  /** Copies that are now lent or reserved for good. */
  confirmed: string[];
  /** Copies that return to the shelf. */
  released: string[];
}

/** An event that ends a borrow returns its copies. */
const CLOSED: ReadonlySet<string> = new Set(
  borrowStatusSchema.options.filter((status) => !isOpenStatus(status)),
);

/** The allocations that a batch of events settles. It depends on the events alone, not on the rows. */
export function allocationsSettled(events: readonly PlacedEvent[]): AllocationsSettled {
  const holds: AllocationsSettled = { confirmed: [], released: [] };
  for (const { event } of events) {
    const { status } = BORROW_EVENTS[event.type];
    if (event.type === 'BooksRented') holds.confirmed.push(event.data.borrowId);
    else if (status === 'none' || CLOSED.has(status)) holds.released.push(event.data.borrowId);
  }
  return holds;
}

/**
 * Folds events over the existing rows. Pure: the caller reads the rows and writes the result.
 * @param before the existing rows of the borrows in the events
 */
export function foldBatch(
  events: readonly PlacedEvent[],
  before: ReadonlyMap<string, BorrowRow>,
): BorrowBatch {
  const batch: BorrowBatch = {
    rows: new Map(),
    statusDeltas: new Map(),
    rentedOn: new Map(),
  };
  for (const placed of events) {
    const { type, data } = placed.event;
    const row = batch.rows.get(data.borrowId) ?? before.get(data.borrowId);
    const next = projectBorrow(row, placed);
    if (next) {
      batch.rows.set(next.borrow_id, next);
      if (row) add(batch.statusDeltas, row.status, -1);
      add(batch.statusDeltas, next.status, 1);
    }
    if (type === 'BooksRented') {
      add(batch.rentedOn, data.rentedAt.slice(0, 10), data.books.length);
    }
  }
  return batch;
}

function add<Key>(totals: Map<Key, number>, key: Key, by: number): void {
  totals.set(key, (totals.get(key) ?? 0) + by);
}
