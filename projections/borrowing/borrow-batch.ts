import type { BorrowStatus } from '#contracts/borrowing/borrow-views.js';
import { projectBorrow, type BorrowRow, type PlacedEvent } from './borrow-row.js';

/** What a run of events changes. */
export interface BorrowBatch {
  /** Every row that changed, as it is after the last event. */
  rows: Map<string, BorrowRow>;
  /** By how many borrows each status grew or shrank. */
  statusDeltas: Map<BorrowStatus, number>;
  /** Books rented by day (yyyy-MM-dd, UTC). */
  rentedOn: Map<string, number>;
  /** Borrows whose held copies are now spoken for. */
  confirmed: string[];
  /** Borrows whose copies are back on the shelf. */
  released: string[];
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
    confirmed: [],
    released: [],
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
      batch.confirmed.push(data.borrowId);
      add(batch.rentedOn, data.rentedAt.slice(0, 10), data.books.length);
    }
    if (type === 'BooksReturned' || type === 'BorrowExpired' || type === 'RentAbandoned') {
      batch.released.push(data.borrowId);
    }
  }
  return batch;
}

function add<Key>(totals: Map<Key, number>, key: Key, by: number): void {
  totals.set(key, (totals.get(key) ?? 0) + by);
}
