import { BORROW_EVENTS } from '#contracts/borrowing/borrow-events.js';
import { borrowStatusSchema, type BorrowStatus } from '#contracts/borrowing/borrow-status.js';
import { isOpenStatus } from '#borrowing/borrow-state.js';
import { projectBorrow, type BorrowRow, type PlacedEvent } from './borrow-row.js';

/** What a run of events changes. */
export interface BorrowBatch {
  /** Every row that changed, as it is after the last event. */
  rows: Map<string, BorrowRow>;
  /** By how many borrows each status grew or shrank. */
  statusDeltas: Map<BorrowStatus, number>;
  /** Books rented by day (yyyy-MM-dd, UTC). */
  rentedOn: Map<string, number>;
}

/** What a run of events settles of the held copies, by borrow. */
export interface AllocationsSettled {
  /** Copies that are now spoken for. */
  confirmed: string[];
  /** Copies that are back on the shelf. */
  released: string[];
}

/** An event that ends a borrow gives its copies back. */
const CLOSED: ReadonlySet<string> = new Set(
  borrowStatusSchema.options.filter((status) => !isOpenStatus(status)),
);

/** What a run of events settles of the held copies. It shows in the events alone, whatever the rows are. */
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
 * Folds events over the rows that are there. Pure: the caller reads the rows and writes the outcome.
 * @param before the rows of every borrow that the events name, where there is one
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
