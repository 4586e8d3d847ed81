import { z } from 'zod';
import {
  IMPORT_FIELDS,
  MARC_DONE,
  MARC_IMPORT_STATES,
  MARC_OUTCOMES,
  MARC_WINNERS,
  type MarcImport,
  type MarcImportState,
  type MarcOutcome,
  type MarcRow,
  type MarcWinner,
} from '#contracts/catalogue/marc-import.js';
import type { Paged } from '#contracts/paging.js';
import { CHANNELS } from '#platform/database/notifications.js';
import type { Queryable } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { reasonSchema, reasonText } from './marc-reasons.js';

const importRow = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(MARC_IMPORT_STATES),
  wins: z.array(z.enum(MARC_WINNERS)),
  copies: z.int(),
  handled: z.int(),
  total: z.int(),
  started_by: z.string().nullable(),
  started_at: z.date(),
});
const countRow = z.object({
  import_id: z.string(),
  outcome: z.enum(MARC_OUTCOMES),
  done: z.enum(MARC_DONE).nullable(),
  count: z.int(),
  chosen: z.int(),
});

const IMPORTS = `select i.id, i.name, i.state, i.wins, i.copies, i.handled, i.total, a.username as started_by, i.started_at
  from marc_import i left join account a on a.id = i.started_by`;

/** The newest first. */
export async function recentImports(database: Queryable): Promise<MarcImport[]> {
  return withCounts(
    database,
    await queryRows(database, importRow, `${IMPORTS} order by i.started_at desc, i.id limit 50`),
  );
}

export async function importOf(database: Queryable, id: string): Promise<MarcImport | undefined> {
  const [found] = await withCounts(
    database,
    await queryRows(database, importRow, `${IMPORTS} where i.id = $1`, [id]),
  );
  return found;
}

async function withCounts(database: Queryable, imports: z.output<typeof importRow>[]): Promise<MarcImport[]> {
  const counts = await queryRows(
    database,
    countRow,
    `select import_id, outcome, done, count(*)::integer as count,
       count(*) filter (where chosen and done is null and outcome in ('new', 'changed'))::integer as chosen
     from marc_row where import_id = any($1::uuid[]) group by import_id, outcome, done`,
    [imports.map(({ id }) => id)],
  );
  return imports.map(({ id, started_by, started_at, ...row }) => {
    const own = counts.filter(({ import_id }) => import_id === id);
    const sum = (is: (count: z.output<typeof countRow>) => boolean) =>
      own.filter(is).reduce((total, { count }) => total + count, 0);
    const outcomes = MARC_OUTCOMES.map((outcome) => [outcome, sum((each) => each.outcome === outcome)]);
    const done = MARC_DONE.map((became) => [became, sum((each) => each.done === became)]);
    return {
      ...{ id, name: row.name, state: row.state, wins: row.wins, handled: row.handled, total: row.total },
      ...{ startedBy: started_by, startedAt: started_at.toISOString() },
      outcomes: Object.fromEntries(outcomes) as MarcImport['outcomes'],
      chosen: own.reduce((total, { chosen }) => total + chosen, 0),
      done: Object.fromEntries(done) as MarcImport['done'],
    };
  });
}

const viewRow = z.object({
  place: z.int(),
  outcome: z.enum(MARC_OUTCOMES),
  chosen: z.boolean(),
  title: z.string(),
  number: z.string().nullable(),
  book_id: z.int().nullable(),
  reason: reasonSchema.nullable(),
  differs: z.partialRecord(z.enum(IMPORT_FIELDS), z.object({ ours: z.string(), theirs: z.string() })),
  candidates: z.array(z.object({ id: z.int(), title: z.string(), isbn: z.string() })),
  done: z.enum(MARC_DONE).nullable(),
});

const ROWS = `select r.place, r.outcome, r.chosen, r.title, r.number, r.book_id, r.reason, r.differs, r.done,
  coalesce((select json_agg(json_build_object('id', b.id, 'title', b.title, 'isbn', b.isbn) order by b.id)
    from book b where b.id = any(r.candidates)), '[]') as candidates
  from marc_row r where r.import_id = $1`;

/** Rows by their place in the file. */
export async function rowsOf(
  database: Queryable,
  id: string,
  outcome: MarcOutcome | undefined,
  { offset, limit }: { offset: number; limit: number },
): Promise<Paged<MarcRow>> {
  const rows = await queryRows(
    database,
    viewRow,
    `${ROWS} and ($2::text is null or r.outcome = $2) order by r.place offset $3 limit $4`,
    [id, outcome ?? null, offset, limit],
  );
  const total = await queryRow(
    database,
    z.object({ count: z.int() }),
    `select count(*)::integer as count from marc_row where import_id = $1 and ($2::text is null or outcome = $2)`,
    [id, outcome ?? null],
  );
  return { items: rows.map(viewOf), totalCount: total?.count ?? 0 };
}

export async function rowAt(database: Queryable, id: string, place: number): Promise<MarcRow | undefined> {
  const row = await queryRow(database, viewRow, `${ROWS} and r.place = $2`, [id, place]);
  return row && viewOf(row);
}

function viewOf({ book_id, reason, differs, ...row }: z.output<typeof viewRow>): MarcRow {
  return {
    ...row,
    bookId: book_id,
    reason: reason && reasonText(reason),
    differs: IMPORT_FIELDS.flatMap((field) => (differs[field] ? [{ field, ...differs[field] }] : [])),
  };
}

/** The fields in which a file wins, as they were chosen last. */
export async function lastWins(database: Queryable): Promise<MarcWinner[]> {
  const row = await queryRow(
    database,
    z.object({ wins: z.array(z.enum(MARC_WINNERS)) }),
    'select wins from marc_import order by started_at desc limit 1',
  );
  return row?.wins ?? [];
}

/**
 * Moves an import on, unless somebody else has. Work that nobody does any more is begun again.
 * @returns whether it was in one of these states
 */
export async function moveImport(
  database: Queryable,
  id: string,
  from: readonly MarcImportState[],
  to: MarcImportState,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `update marc_import set state = $3, handled = 0, touched_at = now(), total = case $3
       when 'running' then (select count(*) from marc_row where import_id = $1 and chosen and done is null
         and outcome in ('new', 'changed'))
       when 'undoing' then (select count(*) from marc_row where import_id = $1 and done in ('added', 'changed'))
       else total end
     where id = $1 and (state = any($2::text[]) or state = $3 and touched_at < now() - interval '2 minutes')`,
    [id, from, to],
  );
  if (rowCount === 1) await notifyImportChanged(database, id);
  return rowCount === 1;
}

/** Notifies every server process of how far an import is, on commit. */
export async function notifyImportChanged(database: Queryable, id: string): Promise<void> {
  await database.query(
    `select pg_notify($2, json_build_object('importId', id, 'state', state, 'handled', handled, 'total', total)::text)
     from marc_import where id = $1`,
    [id, CHANNELS.marcImports],
  );
}

const keptRowSchema = z.object({
  form: z.enum(['iso2709', 'marcxml']),
  bytes: z.instanceof(Buffer),
  candidates: z.array(z.int()),
});

/** The record of a row that waits for a person, locked. */
export function keptRow(connection: Queryable, id: string, place: number) {
  return queryRow(
    connection,
    keptRowSchema,
    `select form, bytes, candidates from marc_row
     where import_id = $1 and place = $2 and done is null and cardinality(candidates) > 0 for update`,
    [id, place],
  );
}
