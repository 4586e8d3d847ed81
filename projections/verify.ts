import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { z } from 'zod';
import { OPEN_STATUSES, type BorrowStatus } from '#contracts/borrowing/borrow-views.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { READ_MODEL } from '#platform/database/read-model.js';
import { borrowEventsIn } from '#platform/event-log/borrow-events-in.js';
import type { EventLog, StoredEvent } from '#platform/event-log/event-log.js';
import { foldBatch } from './borrowing/borrow-batch.js';
import { selectRows } from './borrowing/borrow.projection.js';
import { borrowRowSchema, type BorrowRow } from './borrowing/borrow-row.js';
import { readCheckpoint } from './checkpoint.js';

export interface VerifyReport {
  events: number;
  borrows: number;
  books: number;
  /** Every difference found, as a sentence; empty when rows, holds and copies are what the log says. */
  differences: string[];
  /** Rents under way at that moment: copies held whose event is not in the rows yet. */
  pendingHolds: number;
}

/** Milliseconds for which a hold may be waiting for its event; after that the reconciler has failed. */
const PENDING_MAY_LAST = 120_000;

/**
 * Folds the log and compares it with the rows, the counters, the held copies and the copy counts, all as of
 * one moment. Changes nothing and holds nobody up.
 * @param progress told how many events are read
 * @param asOf when the database was last at work, where that is not now: a rent under way then is no old one
 */
export async function verify(
  databaseUrl: string,
  log: EventLog,
  progress: (events: number) => void = () => undefined,
  asOf?: Date,
  schema = READ_MODEL,
): Promise<VerifyReport> {
  const connection = new pg.Client({ connectionString: databaseUrl });
  await connection.connect();
  const aborting = new AbortController();
  try {
    await connection.query('begin isolation level repeatable read read only');
    const checkpoint = await readCheckpoint(connection, schema);
    const until = checkpoint.position?.commit ?? -1n;
    const events: StoredEvent[] = [];
    for await (const event of log.read(['borrows'], undefined, until, aborting.signal)) {
      events.push(event);
      progress(events.length);
    }
    const expected = foldBatch(borrowEventsIn(events), new Map());
    const differences: string[] = [];
    if (BigInt(events.length) !== checkpoint.events) {
      differences.push(
        `the log has ${events.length} events up to the checkpoint, the rows were made of ${checkpoint.events}`,
      );
    }
    differences.push(...(await compareRows(connection, schema, expected.rows)));
    differences.push(...(await compareCounts(connection, schema, expected)));
    const holds = await compareHolds(connection, expected.rows, asOf);
    differences.push(...holds.differences, ...(await compareCopies(connection)));
    const catalogue = await queryRow(
      connection,
      z.object({ books: z.int() }),
      'select count(*)::integer as books from book',
    );
    return {
      events: events.length,
      borrows: expected.rows.size,
      books: catalogue?.books ?? 0,
      differences,
      pendingHolds: holds.pending,
    };
  } finally {
    aborting.abort();
    await connection.end();
  }
}

async function compareRows(
  connection: pg.Client,
  schema: string,
  expected: ReadonlyMap<string, BorrowRow>,
): Promise<string[]> {
  const differences: string[] = [];
  const rows = await queryRows(connection, borrowRowSchema, selectRows(schema));
  const missing = new Set(expected.keys());
  for (const row of rows) {
    const wanted = expected.get(row.borrow_id);
    missing.delete(row.borrow_id);
    if (!wanted) {
      differences.push(`borrow ${row.borrow_id} is in the rows and not in the log`);
      continue;
    }
    for (const column of Object.keys(wanted) as (keyof BorrowRow)[]) {
      if (!isDeepStrictEqual(row[column], wanted[column])) {
        differences.push(
          `borrow ${row.borrow_id}: ${column} is ${JSON.stringify(row[column])}, the log says ${JSON.stringify(wanted[column])}`,
        );
      }
    }
  }
  for (const borrowId of missing) differences.push(`borrow ${borrowId} is in the log and not in the rows`);
  return differences;
}

const totalRow = z.object({ key: z.string(), value: z.int() });

async function compareCounts(
  connection: pg.Client,
  schema: string,
  expected: { statusDeltas: Map<BorrowStatus, number>; rentedOn: Map<string, number> },
): Promise<string[]> {
  const statuses = await queryRows(
    connection,
    totalRow,
    `select status as key, borrows as value from ${schema}.borrow_count`,
  );
  const days = await queryRows(
    connection,
    totalRow,
    `select to_char(day, 'YYYY-MM-DD') as key, books as value from ${schema}.rented_on`,
  );
  return [
    ...compareTotals('borrows with status', statuses, expected.statusDeltas),
    ...compareTotals('books rented on', days, expected.rentedOn),
  ];
}

function compareTotals(
  what: string,
  rows: z.output<typeof totalRow>[],
  expected: Map<string, number>,
): string[] {
  const found = new Map(rows.map(({ key, value }) => [key, value]));
  return [...new Set([...found.keys(), ...expected.keys()])]
    .filter((key) => (found.get(key) ?? 0) !== (expected.get(key) ?? 0))
    .map((key) => `${what} ${key}: ${found.get(key) ?? 0}, the log says ${expected.get(key) ?? 0}`);
}

const holdRow = z.object({
  borrow_id: z.string(),
  book_id: z.int(),
  state: z.enum(['pending', 'confirmed']),
  recent: z.boolean(),
});

async function compareHolds(
  connection: pg.Client,
  borrows: ReadonlyMap<string, BorrowRow>,
  asOf: Date | undefined,
): Promise<{ differences: string[]; pending: number }> {
  const rows = await queryRows(
    connection,
    holdRow,
    `select borrow_id, book_id, state, taken_at > coalesce($2, now()) - make_interval(secs => $1) as recent
     from copy_allocation where state <> 'released'`,
    [PENDING_MAY_LAST / 1000, asOf],
  );
  const differences: string[] = [];
  let pending = 0;
  const wanted = new Set<string>();
  for (const row of borrows.values()) {
    if (!OPEN_STATUSES.includes(row.status)) continue;
    for (const { bookId } of row.books) wanted.add(`${row.borrow_id} ${bookId}`);
  }
  for (const { borrow_id, book_id, state, recent } of rows) {
    const inLog = wanted.delete(`${borrow_id} ${book_id}`);
    if (state === 'pending' && !inLog && recent) pending += 1;
    else if (!inLog)
      differences.push(`a copy of book ${book_id} is held for borrow ${borrow_id}, which is not open`);
    else if (state === 'pending')
      differences.push(`the hold of book ${book_id} for borrow ${borrow_id} is not confirmed`);
  }
  for (const hold of wanted) differences.push(`borrow and book ${hold}: open, and no copy is held`);
  return { differences, pending };
}

async function compareCopies(connection: pg.Client): Promise<string[]> {
  const rows = await queryRows(
    connection,
    z.object({ id: z.int(), total: z.int(), available: z.int(), held: z.int() }),
    `
    select b.id, b.copies_total as total, b.copies_available as available, coalesce(h.held, 0)::integer as held
    from book b
    left join (select book_id, count(*) as held from copy_allocation where state <> 'released' group by book_id) h
      on h.book_id = b.id
    where b.copies_total - b.copies_available <> coalesce(h.held, 0)`,
  );
  return rows.map(
    ({ id, total, available, held }) =>
      `book ${id}: ${available} of ${total} copies on the shelf and ${held} held, which does not add up`,
  );
}
