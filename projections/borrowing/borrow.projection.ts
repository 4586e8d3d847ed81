import { z } from 'zod';
import {
  BORROW_COLUMN_NAMES,
  borrowRowSchema,
  SELECTED_AS_WRITTEN,
  type BorrowRow,
} from '#platform/database/read-model.js';
import type { Queryable } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { STEP, stepValues, type CheckpointStep } from '../checkpoint.js';
import {
  allocationsSettled,
  type AllocationsSettled,
  type BorrowBatch,
  type PlacedEvent,
} from './borrow-batch.js';

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
    text: `select ${SELECTED_AS_WRITTEN} from ${schema}.borrow where borrow_id = any($1::uuid[])`,
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
 * Confirms and releases allocations, and writes down which copies they are. These rows belong to the catalogue: a rebuild does
 * not touch them.
 * @param turn of the batch (`inTurns`), whose titles are locked at once
 * @returns the books with copies back on the shelf
 */
export async function applyToCopies(
  connection: Queryable,
  turn: readonly PlacedEvent[],
  batch: readonly PlacedEvent[],
): Promise<number[]> {
  const { confirmed, released, bound } = allocationsSettled(turn);
  const [, back] = await Promise.all([
    lockBooks(connection, allocationsSettled(batch)),
    released.length === 0
      ? undefined
      : queryRows(connection, bookBack, {
          name: 'release-copies',
          text: 'select book_id from release_copies($1::uuid[], $2::integer[])',
          values: columnsOf(released),
        }),
    confirmed.length === 0
      ? undefined
      : connection.query({
          name: 'confirm-holds',
          text: confirmCopies(['$1', '$2']),
          values: columnsOf(confirmed),
        }),
    bound.length === 0
      ? undefined
      : connection.query({
          name: 'bind-copies',
          text: 'select bind_copies($1::uuid[], $2::integer[], $3::integer[])',
          values: [...columnsOf(bound), bound.map(([, , copy]) => copy)],
        }),
  ]);
  return back?.map(({ book_id }) => book_id) ?? [];
}

const bookBack = z.object({ book_id: z.int() });

/** Binding changes what other borrows have of a title, and returning counts it: all at once, in the order in which rents do. */
async function lockBooks(connection: Queryable, { bound, released }: AllocationsSettled): Promise<void> {
  if (bound.length === 0) return;
  await connection.query({
    name: 'lock-books',
    text: `
      select from book where id = any($1::integer[]) or id in (
        select a.book_id from copy_allocation a
        join unnest($2::uuid[], $3::integer[]) as r (borrow_id, book_id)
          on r.borrow_id = a.borrow_id and (r.book_id is null or r.book_id = a.book_id))
      order by id for no key update`,
    values: [bound.map(([, bookId]) => bookId), ...columnsOf(released)],
  });
}

const COLUMNS = BORROW_COLUMN_NAMES.join(', ');

/** Every row of the read model, as `projectBorrow` writes it. */
export const selectRows = (schema: string) => `select ${SELECTED_AS_WRITTEN} from ${schema}.borrow`;

/** @param moreOf what else to select from, with a comma: nothing is written where that is empty */
const upsert = (schema: string, rows: string, moreOf = '') => `
  insert into ${schema}.borrow (${COLUMNS})
  select ${COLUMNS} from ${moreOf} jsonb_populate_recordset(null::${schema}.borrow, ${rows}::jsonb)
  on conflict (borrow_id) do update set
    (${COLUMNS}) = row(${BORROW_COLUMN_NAMES.map((column) => `excluded.${column}`).join(', ')})`;

const addToCounts = (schema: string, [statuses, deltas]: [string, string], moreOf = '') => `
  insert into ${schema}.borrow_count as counted (status, borrows)
  select status, delta from ${moreOf} unnest(${statuses}::text[], ${deltas}::integer[]) as t (status, delta)
  on conflict (status) do update set borrows = counted.borrows + excluded.borrows`;

const addToDays = (schema: string, [days, books]: [string, string], moreOf = '') => `
  insert into ${schema}.rented_on as counted (day, books)
  select day, books from ${moreOf} unnest(${days}::date[], ${books}::integer[]) as t (day, books)
  on conflict (day) do update set books = counted.books + excluded.books`;

const confirmCopies = ([borrows, books]: [string, string], moreOf = '') => `
  update copy_allocation a set state = 'confirmed'
  from ${moreOf} unnest(${borrows}::uuid[], ${books}::integer[]) as c (borrow_id, book_id)
  where a.borrow_id = c.borrow_id and (c.book_id is null or a.book_id = c.book_id) and a.state = 'pending'`;

async function upsertRows(connection: Queryable, schema: string, rows: BorrowRow[]): Promise<void> {
  await connection.query({
    name: `upsert-${schema}`,
    text: upsert(schema, '$1'),
    values: [JSON.stringify(rows)],
  });
}

function addCounts(connection: Queryable, schema: string, batch: BorrowBatch): Promise<unknown>[] {
  const statements: Promise<unknown>[] = [];
  const deltas = changedCounts(batch);
  if (deltas.length > 0) {
    statements.push(
      connection.query({
        name: `count-${schema}`,
        text: addToCounts(schema, ['$1', '$2']),
        values: columnsOf(deltas),
      }),
    );
  }
  if (batch.rentedOn.size > 0) {
    statements.push(
      connection.query({
        name: `rented-on-${schema}`,
        text: addToDays(schema, ['$1', '$2']),
        values: columnsOf([...batch.rentedOn]),
      }),
    );
  }
  return statements;
}

/** In one order everywhere: two writers never wait for each other in a circle. */
const changedCounts = ({ statusDeltas }: BorrowBatch) =>
  [...statusDeltas].filter(([, delta]) => delta !== 0).sort(([a], [b]) => a.localeCompare(b));

const columnsOf = <Key, Value>(pairs: readonly (readonly [Key, Value, ...unknown[]])[]): [Key[], Value[]] => [
  pairs.map(([key]) => key),
  pairs.map(([, value]) => value),
];

/** A step of the checkpoint, in a table of it: a rebuild puts another one, with other rows, in its place. */
export interface StepInTable extends CheckpointStep {
  table: string;
}

/**
 * All that a batch changes, its checkpoint and its notification in one statement: one way to the database and back, and one
 * transaction.
 * @param payload of the notification
 * @returns false, and nothing is changed, if the checkpoint is elsewhere, or of another table or log
 */
export async function writeAtOnce(
  connection: Queryable,
  schema: string,
  step: StepInTable,
  batch: BorrowBatch,
  { confirmed, released }: AllocationsSettled,
  [channel, payload]: [string, string],
): Promise<boolean> {
  const { rowCount } = await connection.query({
    name: `at-once-${schema}`,
    text: `
      with moved as (
        update ${schema}.checkpoint set ${STEP.set} where ${STEP.where} and tableoid = $7::oid returning only_row
      ), written as (${upsert(schema, '$8', 'moved,')}
      ), counted as (${addToCounts(schema, ['$9', '$10'], 'moved,')}
      ), rented as (${addToDays(schema, ['$11', '$12'], 'moved,')}
      ), confirmed as (${confirmCopies(['$13', '$14'], 'moved,')}
        -- One statement changes a row once: what is released too was never seen to be out.
        and not exists (select from unnest($15::uuid[], $16::integer[]) as r (borrow_id, book_id)
          where r.borrow_id = a.borrow_id and (r.book_id is null or r.book_id = a.book_id)))
      -- That it depends on the row keeps it from being called without one.
      select case when cardinality($15::uuid[]) > 0 then
          (select count(*) from release_copies(case when only_row then $15::uuid[] end, $16::integer[])) end,
        pg_notify($17, $18)
      from moved`,
    values: [
      ...stepValues(step),
      step.table,
      JSON.stringify([...batch.rows.values()]),
      ...columnsOf(changedCounts(batch)),
      ...columnsOf([...batch.rentedOn]),
      ...columnsOf(confirmed),
      ...columnsOf(released),
      ...[channel, payload],
    ],
  });
  return rowCount === 1;
}
