import { copyEffect, type BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import type { BorrowStatus } from '#contracts/borrowing/borrow-status.js';
import { type BorrowRow, borrowOf, rowOf } from '#platform/database/read-model.js';
import { evolveBorrow } from '#circulation/borrow/borrow-state.js';

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
    const { borrowId } = event.data;
    const effect = copyEffect(event);
    if (effect === null || 'loss' in effect) continue;
    if ('takes' in effect) settled.confirmed.push(...allocations(borrowId, effect.takes));
    else if ('frees' in effect) settled.released.push(...allocations(borrowId, effect.frees));
    if ('names' in effect && effect.names)
      settled.bound.push(...effect.names.map(({ bookId, copy }): Binding => [borrowId, bookId, copy]));
  }
  return settled;
}

/**
 * Cuts a batch into turns. In each, a title has one kind of effect on its copies, so `allocationsSettled` may order the kinds;
 * for one title, the order of the log counts. A copy that is scanned as it comes back, for instance, is taken from whoever was
 * said to have it before it is released.
 */
export function inTurns<Placed extends PlacedEvent>(events: readonly Placed[]): Placed[][] {
  const turns: Placed[][] = [];
  const latest = new Map<number, { turn: number; kind: string }>();
  for (const each of events) {
    const [kind, books] = kindOfEffect(each.event);
    const earliest = books.map((bookId) => {
      const before = latest.get(bookId) ?? { turn: 0, kind };
      return before.kind === kind ? before.turn : before.turn + 1;
    });
    const turn = Math.max(0, ...earliest);
    (turns[turn] ??= []).push(each);
    for (const bookId of books) latest.set(bookId, { turn, kind });
  }
  return turns;
}

/** Confirming commutes with all else. */
function kindOfEffect(event: BorrowEvent): [kind: string, books: readonly number[]] {
  const effect = copyEffect(event);
  if (effect === null) return ['none', []];
  if ('names' in effect) return ['names', effect.names.map(({ bookId }) => bookId)];
  if ('takes' in effect) return ['none', []];
  if ('loss' in effect) return ['loss', [effect.bookId]];
  return ['frees', effect.frees === 'all' ? [] : effect.frees];
}

function allocations(borrowId: string, books: readonly number[] | 'all'): Allocation[] {
  return (books === 'all' ? [null] : books).map((bookId) => [borrowId, bookId]);
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
