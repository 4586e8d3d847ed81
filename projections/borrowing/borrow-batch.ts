import type { BorrowEvent, BorrowEventType } from '#contracts/borrowing/borrow-events.js';
import type { BorrowStatus } from '#contracts/borrowing/borrow-status.js';
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

/** The allocation of a copy: its borrow and book; null stands for every book of the borrow. */
export type Allocation = readonly [borrowId: string, bookId: number | null];

/** Which copy an allocation is of, by a scan; null: nobody has seen it. */
export type Binding = readonly [borrowId: string, bookId: number, copy: number | null];

/** The allocations that a batch of events settles. */
export interface AllocationsSettled {
  /** Copies that are now lent or reserved for good. */
  confirmed: Allocation[];
  /** Copies that return to the shelf. */
  released: Allocation[];
  /** In the order of the log: a later scan of a copy counts for more than an earlier one. */
  bound: Binding[];
}

/**
 * The allocations that a batch of events settles. It depends on the events alone, not on the rows. What a batch confirms and
 * then releases is released.
 */
export function allocationsSettled(events: readonly PlacedEvent[]): AllocationsSettled {
  const settled: AllocationsSettled = { confirmed: [], released: [], bound: [] };
  for (const { event } of events) {
    settled.confirmed.push(...confirmedBy(event));
    settled.released.push(...releasedBy(event));
    settled.bound.push(...boundBy(event));
  }
  return settled;
}

function confirmedBy({ type, data }: BorrowEvent): Allocation[] {
  if (type === 'BooksRented') return [[data.borrowId, null]];
  return type === 'ReturnUndone' ? data.bookIds.map((bookId) => [data.borrowId, bookId]) : [];
}

/** The copies that an event names, or names no more. */
export function boundBy({ type, data }: BorrowEvent): Binding[] {
  const { borrowId } = data;
  if (type === 'BooksIssued') return data.copies.map(({ bookId, copy }) => [borrowId, bookId, copy]);
  if (type === 'CopyRebound') return [[borrowId, data.bookId, data.copy]];
  return type === 'IssueUndone' ? data.bookIds.map((bookId) => [borrowId, bookId, null]) : [];
}

/** The events that put copies back, of the books that they name. */
const RELEASING: ReadonlySet<string> = new Set<BorrowEventType>([
  'BorrowExpired',
  'RentCancelled',
  'BooksReturned',
  'BooksTakenBack',
  'UndoAbandoned',
]);

function releasedBy({ type, data }: BorrowEvent): Allocation[] {
  if (type === 'RentAbandoned') return [[data.borrowId, null]];
  if (!RELEASING.has(type) || !('bookIds' in data)) return [];
  return (data.bookIds ?? [null]).map((bookId) => [data.borrowId, bookId]);
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
