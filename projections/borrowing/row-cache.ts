import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Queryable } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { lruLimit } from '#platform/lru-limit.js';
import { beginsBorrow } from '#contracts/borrowing/borrow-events.js';
import type { BorrowRow } from '#platform/database/read-model.js';
import type { PlacedEvent } from './borrow-batch.js';
import { rowsBefore } from './borrow.projection.js';

const MAX_ROWS = 20_000;

/**
 * The rows that this process wrote or read last, while it alone writes them. They belong to one table: a rebuild puts
 * another one in its place, and whoever writes finds that out by the table's number.
 */
export class RowCache {
  private readonly rows = new LRUCache<string, BorrowRow>(lruLimit(MAX_ROWS));
  private table: string | undefined;

  constructor(private readonly schema: string) {}

  /** Somebody else may have written since. */
  forget(): void {
    this.rows.clear();
    this.table = undefined;
  }

  /** Other ways of writing change the rows of these events. */
  forgetBorrows(events: readonly PlacedEvent[]): void {
    for (const { event } of events) this.rows.delete(event.data.borrowId);
  }

  /** The rows that the events change, as they are before them, and the number of the table of their checkpoint. */
  async before(
    connection: Queryable,
    events: readonly PlacedEvent[],
  ): Promise<{ table: string; rows: Map<string, BorrowRow> }> {
    const rows = new Map<string, BorrowRow>();
    const rented = new Set<string>();
    const missing: PlacedEvent[] = [];
    for (const placed of events) {
      const { borrowId } = placed.event.data;
      const row = this.rows.get(borrowId);
      if (row) rows.set(borrowId, row);
      // There is no row before the first event of a borrow.
      else if (beginsBorrow(placed.event)) rented.add(borrowId);
      else if (!rented.has(borrowId)) missing.push(placed);
    }
    // The number first: rows of a later table are then refused when they are written.
    const [table, read] = await Promise.all([
      this.table ?? this.numberOfTable(connection),
      missing.length === 0 ? [] : rowsBefore(connection, this.schema, missing),
    ]);
    this.table = table;
    for (const [borrowId, row] of read) rows.set(borrowId, row);
    return { table, rows };
  }

  /** Writes, and knows the rows as they are then. */
  async writing(rows: ReadonlyMap<string, BorrowRow>, write: () => Promise<boolean>): Promise<boolean> {
    try {
      if (await write()) {
        for (const [borrowId, row] of rows) this.rows.set(borrowId, row);
        return true;
      }
    } catch (error) {
      this.forget();
      throw error;
    }
    this.forget();
    return false;
  }

  private async numberOfTable(connection: Queryable): Promise<string> {
    const row = await queryRow(connection, z.object({ number: z.string() }), {
      name: `number-of-${this.schema}`,
      text: 'select to_regclass($1)::oid::text as number',
      values: [`${this.schema}.checkpoint`],
    });
    if (!row) throw new Error(`${this.schema}.checkpoint is not there`);
    return row.number;
  }
}
