import { z } from 'zod';
import { GENDER_NAMES } from '#contracts/accounts/account-names.js';
import {
  INVITATION_STATES,
  READER_IMPORT_DONE,
  READER_IMPORT_FIELDS,
  READER_IMPORT_KINDS,
  READER_IMPORT_OUTCOMES,
  type ReaderImport,
  type ReaderImportField,
  type ReaderImportOutcome,
  type ReaderImportRow,
} from '#contracts/accounts/reader-import.js';
import { csvLine, quotedFormula } from '#contracts/csv-cells.js';
import type { Paged } from '#contracts/paging.js';
import { READER_KIND_LABELS } from '#contracts/rules/kinds.js';
import { inTransaction, type Database, type Queryable } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { importRow, StagedImports } from '../../imports/staged-imports.js';
import { rematch } from './matched-rows.js';
import { readerReasonSchema, readerReasonText, type ReaderReason } from './reader-reasons.js';

/** Who has neither chosen a password nor signed in, and has an address. */
export const UNINVITED = `v.asked_at is null and not a.email_confirmed and a.email <> ''
  and not exists (select from session s where s.account_id = a.id)`;

const count = z.int();
const readerImportRow = importRow.extend({
  kind: z.enum(READER_IMPORT_KINDS),
  has_rows: z.boolean(),
  invitations: z.enum(INVITATION_STATES).nullable(),
  per_hour: count.nullable(),
  invite_from: z.date().nullable(),
  waiting: count,
  sent: count,
  accepted: count,
});

/** A row r that is to be put right, or settled, and brought again. */
const IS_OPEN = `(r.outcome in ('refused', 'unsure', 'waiting') or r.done = 'left')`;

const viewRow = z.object({
  place: z.int(),
  outcome: z.enum(READER_IMPORT_OUTCOMES),
  name: z.string().nullable(),
  account_id: z.string().nullable(),
  reason: readerReasonSchema.nullable(),
  differs: z.partialRecord(z.enum(READER_IMPORT_FIELDS), z.object({ ours: z.string(), theirs: z.string() })),
  candidates: z.array(z.object({ id: z.string(), name: z.string(), card: z.string() })),
  done: z.enum(READER_IMPORT_DONE).nullable(),
});

const ROWS = `select r.place, r.outcome, r.name, r.account_id, r.reason, r.differs, r.done, coalesce((
    select json_agg(json_build_object('id', a.id, 'name', a.fullname, 'card', c.number) order by a.fullname, a.id)
    from account a join reader_card c on c.account_id = a.id and c.replaced_at is null
    where a.id = any(r.candidates)), '[]') as candidates
  from reader_row r`;

/** What is kept otherwise than it is called. */
const VALUE_NAMES: Partial<Record<ReaderImportField, Record<string, () => string>>> = {
  kind: READER_KIND_LABELS,
  gender: GENDER_NAMES,
};

class ReaderImports extends StagedImports<ReaderImport> {
  protected readonly of = 'readers';
  protected readonly files = 'reader_import';
  protected readonly rows = 'reader_row';
  protected readonly isToDo = `r.done is null and r.outcome in ('new', 'changed')`;
  protected readonly outcomes = READER_IMPORT_OUTCOMES;
  protected readonly done = READER_IMPORT_DONE;

  protected async views(database: Queryable, where: string, values?: readonly unknown[]) {
    const select = this.select(
      `, exists (select from reader_row r where r.import_id = i.id and r.cells is not null and ${IS_OPEN}) as has_rows,
         coalesce(v.waiting, 0) as waiting, coalesce(v.sent, 0) as sent, coalesce(v.accepted, 0) as accepted`,
      `left join lateral (
         select count(*) filter (where ${UNINVITED})::integer as waiting, count(v.asked_at)::integer as sent,
           count(*) filter (where v.asked_at is not null and a.email_confirmed)::integer as accepted
         from reader_invitation v join account a on a.id = v.account_id where v.import_id = i.id) v on true`,
    );
    const rows = await queryRows(database, readerImportRow, `${select} ${where}`, values);
    return rows.map((row): ReaderImport => ({
      ...{ ...this.viewOf(row), kind: row.kind, hasRows: row.has_rows },
      invitations: {
        ...{ state: row.invitations, perHour: row.per_hour, from: row.invite_from?.toISOString() ?? null },
        ...{ waiting: row.waiting, sent: row.sent, accepted: row.accepted },
      },
    }));
  }

  async rowsOf(
    database: Queryable,
    id: string,
    outcome: ReaderImportOutcome | undefined,
    slice: { offset: number; limit: number },
  ): Promise<Paged<ReaderImportRow>> {
    const { items, totalCount } = await this.page(database, [viewRow, ROWS], [id, outcome], slice);
    return {
      items: items.map(({ account_id, name, reason, differs, ...row }) => ({
        ...row,
        ...{ name: name ?? '', accountId: account_id, reason: reason && readerReasonText(reason) },
        differs: READER_IMPORT_FIELDS.flatMap((field) => {
          const both = differs[field];
          const shown = (value: string) => VALUE_NAMES[field]?.[value]?.() ?? value;
          return both ? [{ field, ours: shown(both.ours), theirs: shown(both.theirs) }] : [];
        }),
      })),
      totalCount,
    };
  }

  /** Loans that waited for their readers are looked at again before: these may have come. */
  override async begin(database: Queryable, id: string): Promise<boolean> {
    await rematch(database, id);
    return super.begin(database, id);
  }
}
export const READER_IMPORTS = new ReaderImports();

const refusedRow = z.object({
  place: z.int(),
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
    `select place, cells, reason from reader_row r
     where import_id = $1 and cells is not null and ${IS_OPEN} order by place`,
    [id],
  );
  const header = found?.header ?? [];
  const lines = rows.map(({ place, cells, reason }) => [
    ...header.map((_, n) => quotedFormula(cells[n] ?? '')),
    ...[String(place), reason ? readerReasonText(reason) : ''],
  ]);
  return [[...header, 'line', 'refused'], ...lines].map(csvLine).join('');
}

/** What became of a row. */
export interface Done {
  place: number;
  done: (typeof READER_IMPORT_DONE)[number];
  account_id: string | null;
  reason: ReaderReason | null;
}

/** What became of rows. What is done needs to say no more of anybody. @returns how many */
export async function writeDone(connection: Queryable, id: string, done: readonly Done[]): Promise<number> {
  const { rowCount } = await connection.query(
    `update reader_row r set done = d.done, account_id = d.account_id, reason = coalesce(d.reason, r.reason), data = null, said = null,
       candidates = '{}', cells = case when d.done = 'left' then r.cells end
     from jsonb_to_recordset($2) as d (place integer, done text, account_id uuid, reason jsonb)
     where r.import_id = $1 and r.place = d.place and r.done is null`,
    [id, JSON.stringify(done)],
  );
  return rowCount ?? 0;
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

const FORGOTTEN = `name = null, cells = null, data = null, said = null, candidates = '{}', differs = '{}'`;

/** With its end, what it says of people goes, but for the rows that are to be put right or settled. */
export async function finishImport(database: Database, id: string): Promise<void> {
  await inTransaction(database, async (connection) => {
    if (!(await READER_IMPORTS.move(connection, id, ['running'], 'done'))) return;
    await connection.query(
      `update reader_row r set ${FORGOTTEN} where import_id = $1 and ${IS_OPEN} is not true`,
      [id],
    );
  });
}

/**
 * What rows say of people goes a week after anybody last did something with their import: then nothing can be done with them any
 * more. One that was never begun goes whole.
 */
export async function forgetReaderRows(database: Database): Promise<void> {
  const isOld = `i.touched_at < now() - interval '7 days'`;
  await database.query(`delete from reader_import i where i.state in ('reading', 'staged') and ${isOld}`);
  await database.query(
    `with ended as (update reader_import i set state = 'done' where i.state = 'running' and ${isOld})
     update reader_row r set ${FORGOTTEN},
       outcome = case when r.outcome in ('unsure', 'waiting') then 'refused' else r.outcome end,
       done = case when r.done is null and r.outcome in ('new', 'changed') then 'left' else r.done end
     from reader_import i where i.id = r.import_id and ${isOld} and (r.cells is not null or r.name is not null)`,
  );
}
