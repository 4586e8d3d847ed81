import { z } from 'zod';
import {
  IMPORT_FIELDS,
  MARC_DONE,
  MARC_OUTCOMES,
  MARC_WINNERS,
  type MarcImport,
  type MarcOutcome,
  type MarcRow,
  type MarcWinner,
} from '#contracts/catalogue/marc-import.js';
import type { Paged } from '#contracts/paging.js';
import type { Queryable } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { importRow, StagedImports } from '../../imports/staged-imports.js';
import { reasonSchema, reasonText } from './marc-reasons.js';

const marcImportRow = importRow.extend({ wins: z.array(z.enum(MARC_WINNERS)) });

class MarcImports extends StagedImports<MarcImport> {
  protected readonly of = 'records';
  protected readonly files = 'marc_import';
  protected readonly rows = 'marc_row';
  protected readonly isToDo = `r.chosen and r.done is null and r.outcome in ('new', 'changed')`;
  protected readonly outcomes = MARC_OUTCOMES;
  protected readonly done = MARC_DONE;

  protected async views(database: Queryable, where: string, values?: readonly unknown[]) {
    const rows = await queryRows(database, marcImportRow, `${this.select()} ${where}`, values);
    return rows.map((row) => ({ ...this.viewOf(row), wins: row.wins }));
  }

  async rowsOf(
    database: Queryable,
    id: string,
    outcome: MarcOutcome | undefined,
    slice: { offset: number; limit: number },
  ): Promise<Paged<MarcRow>> {
    const { items, totalCount } = await this.page(database, [viewRow, ROWS], [id, outcome], slice);
    return { items: items.map(viewOf), totalCount };
  }
}
export const MARC_IMPORTS = new MarcImports();

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
  from marc_row r`;

export async function rowAt(database: Queryable, id: string, place: number): Promise<MarcRow | undefined> {
  const row = await queryRow(database, viewRow, `${ROWS} where r.import_id = $1 and r.place = $2`, [
    id,
    place,
  ]);
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
