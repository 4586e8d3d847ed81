import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { z } from 'zod';
import * as m from '#words/messages.js';
import { beginsBorrow } from '#contracts/borrowing/borrow-events.js';
import type { BorrowStatus } from '#contracts/borrowing/borrow-status.js';
import { queryRows } from '#platform/database/query-rows.js';
import type { StoredBorrowEvent } from '#platform/event-log/reader-events-in.js';
import { isOut } from '#circulation/borrow/borrow-state.js';
import { selectRows } from './borrowing/borrow.projection.js';
import { ScannedCopies } from './copies/scanned-copies.js';
import { borrowRowSchema, type BorrowRow } from '#platform/database/read-model.js';
import { type Decisions, foldWithoutSkipped } from './decisions.js';

const idRow = z.object({ borrow_id: z.string() });

/**
 * Folds the log and compares each row of the read model as soon as the fold reaches the row's last event. So only
 * borrows between their first and last event, and open ones, are in memory.
 */
export class RowComparison {
  readonly differences: string[] = [];
  readonly statuses = new Map<BorrowStatus, number>();
  readonly rentedOn = new Map<string, number>();
  /** Copies that must be allocated: borrow and book, with the number of the copy that the borrow names. */
  readonly held = new Map<string, number | undefined>();
  readonly scanned = new ScannedCopies();
  borrows = 0;
  private readonly unfinished = new Map<string, BorrowRow>();

  private constructor(
    private readonly connection: pg.Client,
    private readonly decisions: Decisions,
    private readonly schema: string,
  ) {}

  /** Called before the reading transaction, which is read-only. */
  static async prepare(connection: pg.Client, decisions: Decisions, schema: string): Promise<RowComparison> {
    await connection.query('create temp table if not exists compared_borrow (borrow_id uuid primary key)');
    await connection.query('truncate compared_borrow');
    return new RowComparison(connection, decisions, schema);
  }

  /** @param last the position reached with these events */
  async add(events: readonly StoredBorrowEvent[], last: bigint): Promise<void> {
    const timely = await this.withoutLate(events.filter(({ id }) => !this.decisions.has(id)));
    const batch = await foldWithoutSkipped(timely, this.unfinished, this.decisions);
    for (const { id, event } of timely) if (!this.decisions.has(id)) this.scanned.add(event);
    addTo(this.statuses, batch.statusDeltas);
    addTo(this.rentedOn, batch.rentedOn);
    for (const [id, wanted] of batch.rows) this.unfinished.set(id, wanted);
    await this.compare([...batch.rows.keys()], (row) => row !== undefined && BigInt(row.position) <= last);
  }

  /** What remains after the log is read: missing rows, and rows made of more than the log contains. */
  async finish(): Promise<void> {
    await this.compare([...this.unfinished.keys()], () => true);
    const rows = await queryRows(
      this.connection,
      idRow,
      `select borrow_id from ${this.schema}.borrow b
       where not exists (select from compared_borrow c where c.borrow_id = b.borrow_id)`,
    );
    for (const row of rows) {
      this.differences.push(m.cli_diff_row_extra({ borrow: row.borrow_id }));
    }
  }

  /** A compared row is behind the log if its borrow has further events. */
  private async withoutLate(events: readonly StoredBorrowEvent[]): Promise<readonly StoredBorrowEvent[]> {
    const begun = new Set(this.unfinished.keys());
    const late = events.filter(({ event }) => {
      if (beginsBorrow(event)) begun.add(event.data.borrowId);
      return event.type !== 'RentAbandoned' && !begun.has(event.data.borrowId);
    });
    if (late.length === 0) return events;
    const rows = await queryRows(
      this.connection,
      idRow,
      'select borrow_id from compared_borrow where borrow_id = any($1::uuid[])',
      [late.map(({ event }) => event.data.borrowId)],
    );
    const compared = new Set(rows.map(({ borrow_id }) => borrow_id));
    const behind = new Set(late.filter(({ event }) => compared.has(event.data.borrowId)));
    for (const { event, position } of behind) {
      this.differences.push(
        m.cli_diff_row_behind({
          ...{ borrow: event.data.borrowId, type: event.type, position: String(position.commit) },
        }),
      );
    }
    return events.filter((event) => !behind.has(event));
  }

  private async compare(
    ids: readonly string[],
    isFinished: (row: BorrowRow | undefined) => boolean,
  ): Promise<void> {
    if (ids.length === 0) return;
    const rows = await queryRows(this.connection, borrowRowSchema, {
      name: 'rows-to-compare',
      text: `${selectRows(this.schema)} where borrow_id = any($1::uuid[])`,
      values: [ids],
    });
    const found = new Map(rows.map((row) => [row.borrow_id, row]));
    const finished = ids.filter((id) => isFinished(found.get(id)));
    for (const id of finished) {
      const wanted = this.unfinished.get(id);
      if (wanted) this.compareRow(found.get(id), wanted);
      this.unfinished.delete(id);
    }
    await this.connection.query({
      name: 'compared',
      text: 'insert into compared_borrow select unnest($1::uuid[]) on conflict do nothing',
      values: [finished],
    });
  }

  private compareRow(row: BorrowRow | undefined, wanted: BorrowRow): void {
    this.borrows += 1;
    const id = wanted.borrow_id;
    for (const book of wanted.books) {
      const { bookId, copy } = book;
      if (isOut(book)) this.held.set(`${id} ${bookId}`, copy);
      else this.scanned.forget(id, bookId);
    }
    if (!row) {
      this.differences.push(m.cli_diff_row_missing({ borrow: id }));
      return;
    }
    for (const column of Object.keys(wanted) as (keyof BorrowRow)[]) {
      if (isDeepStrictEqual(row[column], wanted[column])) continue;
      const [found, logged] = [row[column], wanted[column]].map((value) => String(JSON.stringify(value)));
      this.differences.push(
        m.cli_diff_row_column({ borrow: id, column, found: found ?? '', wanted: logged ?? '' }),
      );
    }
  }
}

function addTo<Key>(totals: Map<Key, number>, by: ReadonlyMap<Key, number>): void {
  for (const [key, value] of by) totals.set(key, (totals.get(key) ?? 0) + value);
}
