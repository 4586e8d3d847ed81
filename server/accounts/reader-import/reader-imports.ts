import { z } from 'zod';
import {
  INVITATION_STATES,
  READER_IMPORT_DONE,
  READER_IMPORT_FIELDS,
  READER_IMPORT_KINDS,
  READER_IMPORT_OUTCOMES,
  READER_IMPORT_STATES,
  type ReaderImport,
  type ReaderImportOutcome,
  type ReaderImportRow,
} from '#contracts/accounts/reader-import.js';
import { csvLine, quotedFormula } from '#contracts/csv-cells.js';
import type { Paged } from '#contracts/paging.js';
import type { Database, Queryable } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { readerReasonSchema, readerReasonText, type ReaderReason } from './reader-reasons.js';

/** Who has neither chosen a password nor signed in, and has an address. */
export const UNINVITED = `v.asked_at is null and not a.email_confirmed and a.email <> ''
  and not exists (select from session s where s.account_id = a.id)`;

const count = z.int();
const importRow = z.object({
  id: z.string(),
  kind: z.enum(READER_IMPORT_KINDS),
  name: z.string(),
  state: z.enum(READER_IMPORT_STATES),
  handled: count,
  total: count,
  started_by: z.string().nullable(),
  started_at: z.date(),
  has_rows: z.boolean(),
  outcomes: z.partialRecord(z.enum(READER_IMPORT_OUTCOMES), count).nullable(),
  done: z.partialRecord(z.enum(READER_IMPORT_DONE), count).nullable(),
  invitations: z.enum(INVITATION_STATES).nullable(),
  per_hour: count.nullable(),
  invite_from: z.date().nullable(),
  waiting: count,
  sent: count,
  accepted: count,
});

const counted = (column: string) => `(select json_object_agg(c.what, c.n) from (
  select ${column} as what, count(*) as n from reader_row where import_id = i.id and ${column} is not null
  group by ${column}) c)`;

const IMPORTS = `
  select i.*, b.username as started_by, ${counted('outcome')} as outcomes, ${counted('done')} as done,
    exists (select from reader_row r where r.import_id = i.id and r.cells is not null
      and (r.outcome = 'refused' or r.done = 'left')) as has_rows,
    coalesce(v.waiting, 0) as waiting, coalesce(v.sent, 0) as sent, coalesce(v.accepted, 0) as accepted
  from reader_import i left join account b on b.id = i.started_by left join lateral (
    select count(*) filter (where ${UNINVITED})::integer as waiting, count(v.asked_at)::integer as sent,
      count(*) filter (where v.asked_at is not null and a.email_confirmed)::integer as accepted
    from reader_invitation v join account a on a.id = v.account_id where v.import_id = i.id) v on true`;

/** The newest first. */
export async function recentReaderImports(database: Queryable): Promise<ReaderImport[]> {
  const rows = await queryRows(database, importRow, `${IMPORTS} order by i.started_at desc, i.id limit 50`);
  return rows.map(importView);
}

export async function readerImportOf(database: Queryable, id: string): Promise<ReaderImport | undefined> {
  const row = await queryRow(database, importRow, `${IMPORTS} where i.id = $1`, [id]);
  return row && importView(row);
}

function importView(row: z.output<typeof importRow>): ReaderImport {
  const { id, kind, name, state, handled, total, waiting, sent, accepted } = row;
  return {
    ...{ id, kind, name, state, handled, total, hasRows: row.has_rows },
    ...{ startedBy: row.started_by, startedAt: row.started_at.toISOString() },
    outcomes: { new: 0, changed: 0, same: 0, refused: 0, ...row.outcomes },
    done: { added: 0, changed: 0, left: 0, ...row.done },
    invitations: {
      ...{ state: row.invitations, perHour: row.per_hour, from: row.invite_from?.toISOString() ?? null },
      ...{ waiting, sent, accepted },
    },
  };
}

const viewRow = z.object({
  line: z.int(),
  outcome: z.enum(READER_IMPORT_OUTCOMES),
  name: z.string().nullable(),
  account_id: z.string().nullable(),
  reason: readerReasonSchema.nullable(),
  differs: z.partialRecord(z.enum(READER_IMPORT_FIELDS), z.object({ ours: z.string(), theirs: z.string() })),
  done: z.enum(READER_IMPORT_DONE).nullable(),
});

/** Rows by their lines in the file. */
export async function readerRowsOf(
  database: Queryable,
  id: string,
  outcome: ReaderImportOutcome | undefined,
  { offset, limit }: { offset: number; limit: number },
): Promise<Paged<ReaderImportRow>> {
  const where = 'where import_id = $1 and ($2::text is null or outcome = $2)';
  const values = [id, outcome ?? null];
  const rows = await queryRows(
    database,
    viewRow,
    `select line, outcome, name, account_id, reason, differs, done from reader_row ${where}
     order by line offset $3 limit $4`,
    [...values, offset, limit],
  );
  const total = await queryRow(
    database,
    z.object({ count }),
    `select count(*)::integer as count from reader_row ${where}`,
    values,
  );
  const items = rows.map(({ account_id, name, reason, differs, ...row }) => ({
    ...row,
    ...{ name: name ?? '', accountId: account_id, reason: reason && readerReasonText(reason) },
    differs: READER_IMPORT_FIELDS.flatMap((field) => (differs[field] ? [{ field, ...differs[field] }] : [])),
  }));
  return { items, totalCount: total?.count ?? 0 };
}

const refusedRow = z.object({
  line: z.int(),
  cells: z.array(z.string()),
  reason: readerReasonSchema.nullable(),
});

/**
 * The rows that were refused or left as a file like the one that brought them, with their lines and the reasons behind their cells.
 * Cells that a spreadsheet would take for formulas have an apostrophe, which the next import takes away.
 */
export async function refusedRowsFile(database: Queryable, id: string): Promise<string> {
  const found = await queryRow(
    database,
    z.object({ header: z.array(z.string()) }),
    'select header from reader_import where id = $1',
    [id],
  );
  const rows = await queryRows(
    database,
    refusedRow,
    `select line, cells, reason from reader_row
     where import_id = $1 and cells is not null and (outcome = 'refused' or done = 'left') order by line`,
    [id],
  );
  const header = found?.header ?? [];
  const lines = rows.map(({ line, cells, reason }) => [
    ...header.map((_, n) => quotedFormula(cells[n] ?? '')),
    ...[String(line), reason ? readerReasonText(reason) : ''],
  ]);
  return [[...header, 'line', 'refused'], ...lines].map(csvLine).join('');
}

/** What became of a row. */
export interface Done {
  line: number;
  done: (typeof READER_IMPORT_DONE)[number];
  account_id: string | null;
  reason: ReaderReason | null;
}

/** What became of rows, and how far the import is with them. What is done needs to say no more of anybody. */
export async function writeDone(connection: Queryable, id: string, done: readonly Done[]) {
  const { rowCount } = await connection.query(
    `update reader_row r set done = d.done, account_id = d.account_id, reason = coalesce(d.reason, r.reason), data = null,
       cells = case when d.done = 'left' then r.cells end
     from jsonb_to_recordset($2) as d (line integer, done text, account_id uuid, reason jsonb)
     where r.import_id = $1 and r.line = d.line and r.done is null`,
    [id, JSON.stringify(done)],
  );
  return queryRow(
    connection,
    z.object({ handled: count, total: count }),
    'update reader_import set handled = handled + $2, touched_at = now() where id = $1 returning handled, total',
    [id, rowCount],
  );
}

/** Begins the work, unless somebody is at it. Work that nobody does any more is begun again. @returns whether it is begun */
export async function beginImport(database: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await database.query(
    `update reader_import set state = 'running', handled = 0, touched_at = now(), total = (
       select count(*) from reader_row where import_id = $1 and done is null and outcome in ('new', 'changed'))
     where id = $1 and (state = 'staged' or state = 'running' and touched_at < now() - interval '2 minutes')`,
    [id],
  );
  return rowCount === 1;
}

/** Has the readers whom an import added invited, so many an hour. @returns whether it was done before */
export async function beginInviting(
  database: Queryable,
  id: string,
  perHour: number,
  from: Date,
  state: (typeof INVITATION_STATES)[number] = 'running',
): Promise<boolean> {
  const { rowCount } = await database.query(
    `update reader_import set invitations = $2, per_hour = $3, invite_from = $4 where id = $1 and state = 'done'`,
    [id, state, perHour, from],
  );
  return rowCount === 1;
}

const FORGOTTEN = `name = null, cells = null, data = null, differs = '{}'`;

/** With its end, what it says of people goes, but for the rows that are to be put right. */
export async function finishImport(database: Queryable, id: string): Promise<void> {
  await database.query(
    `update reader_row set ${FORGOTTEN}
     where import_id = $1 and outcome <> 'refused' and done is distinct from 'left'`,
    [id],
  );
  await database.query(`update reader_import set state = 'done', touched_at = now() where id = $1`, [id]);
}

/** What rows say of people goes a week after anybody last did something with their import; one that was never done goes whole. */
export async function forgetReaderRows(database: Database): Promise<void> {
  const isOld = `i.touched_at < now() - interval '7 days'`;
  await database.query(`delete from reader_import i where i.state in ('reading', 'staged') and ${isOld}`);
  await database.query(
    `update reader_row r set ${FORGOTTEN} from reader_import i
     where i.id = r.import_id and i.state = 'done' and ${isOld} and (r.cells is not null or r.name is not null)`,
  );
}
