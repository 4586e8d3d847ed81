import { z } from 'zod';
import type { Queryable } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { allocationsSettled, type BorrowBatch } from './borrow-batch.js';
import { borrowRowSchema, type BorrowRow, type PlacedEvent } from './borrow-row.js';

/**
 * The rows of every borrow that the events name, where there is one, as they are before the events.
 * @param schema the read model, or the shadow of a rebuild
 */
export async function rowsBefore(
  connection: Queryable,
  schema: string,
  events: readonly PlacedEvent[],
): Promise<Map<string, BorrowRow>> {
  const ids = [...new Set(events.map(({ event }) => event.data.borrowId))];
  const rows = await queryRows(connection, borrowRowSchema, {
    name: `rows-${schema}`,
    text: `select ${SELECTED} from ${schema}.borrow where borrow_id = any($1::uuid[])`,
    values: [ids],
  });
  return new Map(rows.map((row) => [row.borrow_id, row]));
}

/**
 * Writes the changes of a batch. Part of the caller's transaction, which also moves the checkpoint: so each event has
 * its effect exactly once. All statements are sent before the first is awaited.
 * @param schema the read model, or the shadow of a rebuild
 */
export async function writeBatch(connection: Queryable, schema: string, batch: BorrowBatch): Promise<void> {
  await Promise.all([
    ...(batch.rows.size > 0 ? [upsertRows(connection, schema, [...batch.rows.values()])] : []),
    ...addCounts(connection, schema, batch),
  ]);
}

/**
 * Confirms and releases allocations. These rows belong to the catalogue: a rebuild does not touch them.
 * @returns the books with copies back on the shelf
 */
export async function applyToCopies(
  connection: Queryable,
  events: readonly PlacedEvent[],
): Promise<number[]> {
  const { confirmed, released } = allocationsSettled(events);
  const [back] = await Promise.all([
    released.length === 0
      ? undefined
      : queryRows(connection, bookBack, {
          name: 'release-copies',
          text: 'select book_id from release_copies($1::uuid[])',
          values: [released],
        }),
    confirmed.length === 0
      ? undefined
      : connection.query({
          name: 'confirm-holds',
          text: `update copy_allocation set state = 'confirmed' where borrow_id = any($1::uuid[]) and state = 'pending'`,
          values: [confirmed],
        }),
  ]);
  return back?.map(({ book_id }) => book_id) ?? [];
}

const bookBack = z.object({ book_id: z.int() });

const TIMES = ['rented_at', 'collect_by', 'issued_at', 'due_date', 'returned_at', 'expired_at'] as const;
const OTHERS = [
  'borrow_id',
  'reader_id',
  'books',
  'titles',
  'status',
  'charged',
  'paid',
  'renewals',
  'revision',
  'position',
] as const;
const COLUMNS: readonly (keyof BorrowRow)[] = [...OTHERS, ...TIMES];

/** Times as ISO 8601 texts, as in the events. */
const SELECTED = [
  ...OTHERS,
  ...TIMES.map((time) => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${time}`),
].join(', ');

/** Every row of the read model, as `projectBorrow` writes it. */
export const selectRows = (schema: string) => `select ${SELECTED} from ${schema}.borrow`;

async function upsertRows(connection: Queryable, schema: string, rows: BorrowRow[]): Promise<void> {
  await connection.query({
    name: `upsert-${schema}`,
    text: `
      insert into ${schema}.borrow (${COLUMNS.join(', ')})
      select ${COLUMNS.join(', ')} from jsonb_populate_recordset(null::${schema}.borrow, $1::jsonb)
      on conflict (borrow_id) do update set
        (${COLUMNS.join(', ')}) = row(${COLUMNS.map((column) => `excluded.${column}`).join(', ')})`,
    values: [JSON.stringify(rows)],
  });
}

function addCounts(connection: Queryable, schema: string, batch: BorrowBatch): Promise<unknown>[] {
  const statements: Promise<unknown>[] = [];
  const deltas = [...batch.statusDeltas]
    .filter(([, delta]) => delta !== 0)
    .sort(([a], [b]) => a.localeCompare(b));
  if (deltas.length > 0) {
    statements.push(
      connection.query({
        name: `count-${schema}`,
        text: `
          insert into ${schema}.borrow_count as counted (status, borrows)
          select * from unnest($1::text[], $2::integer[])
          on conflict (status) do update set borrows = counted.borrows + excluded.borrows`,
        values: [deltas.map(([status]) => status), deltas.map(([, delta]) => delta)],
      }),
    );
  }
  if (batch.rentedOn.size > 0) {
    statements.push(
      connection.query({
        name: `rented-on-${schema}`,
        text: `
          insert into ${schema}.rented_on as counted (day, books)
          select * from unnest($1::date[], $2::integer[])
          on conflict (day) do update set books = counted.books + excluded.books`,
        values: [[...batch.rentedOn.keys()], [...batch.rentedOn.values()]],
      }),
    );
  }
  return statements;
}
