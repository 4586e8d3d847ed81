import { z } from 'zod';
import { borrowStatusSchema } from '#contracts/borrowing/borrow-status.js';
import { borrowedBookSchema } from '#contracts/borrowing/borrowed-book.js';
import { recentEventSchema } from '#contracts/borrowing/borrow-events.js';
import { foldText } from '#contracts/fold-text.js';
import { isUndone, lentBooks, reservedBooks, type Borrow } from '#circulation/borrow/borrow-state.js';

/** Which version of the read model a release keeps, and which older ones its queries can read too. */
export interface ReadModelRelease {
  version: number;
  reads: readonly number[];
}

/**
 * This release's. Whoever changes the tables below, or what the rows mean, takes the next version, and adds the one before to
 * `reads` where all queries of the server can do with it.
 */
export const READ_MODEL_RELEASE: ReadModelRelease = { version: 1, reads: [] };

/** The schema of a version. Its name is the stamp: it is there under this name from when its rows are complete. */
export function readModelSchema(version: number): string {
  return version === 1 ? 'read_model' : `read_model_v${version}`;
}

/** The version of a schema; nothing for one that is no complete read model. */
export function readModelVersion(schema: string): number | undefined {
  if (schema === readModelSchema(1)) return 1;
  const [, version] = /^read_model_v(\d+)$/.exec(schema) ?? [];
  return version === undefined ? undefined : Number(version);
}

/** Where a schema is built, while the present one serves. */
export const shadowSchemaOf = (schema: string) => `${schema}_shadow`;

/** The schema that this release's projections keep. */
export const READ_MODEL = readModelSchema(READ_MODEL_RELEASE.version);

/**
 * The tables of the read model, without its search indexes.
 * @param schema a name of ours, never from outside
 */
export function readModelTables(schema: string): string {
  return `
    create schema ${schema};

    -- One row: how far the log is in the rows. Both numbers of an EventStoreDB position are kept.
    create table ${schema}.checkpoint (
      only_row boolean primary key default true check (only_row),
      commit_position bigint not null,
      prepare_position bigint not null,
      events bigint not null,
      -- The identity of the log that the rows were made of.
      log_id uuid,
      -- The last event in them, and its place.
      last_event uuid,
      last_event_at bigint
    );
    insert into ${schema}.checkpoint (commit_position, prepare_position, events) values (-1, -1, 0);

    create table ${schema}.borrow (
      ${BORROW_DDL}
    );

    -- Borrows per status, and books rented per day (UTC): the dashboard never counts rows.
    create table ${schema}.borrow_count (
      status text primary key,
      borrows integer not null
    );
    create table ${schema}.rented_on (
      day date primary key,
      books integer not null
    );
  `;
}

/**
 * The indexes of the read model. `rebuild` makes them after the rows, which is faster. Each event of a borrow writes an entry
 * into all of them: there is none over the titles, whose words servers keep in memory (`docs/decisions/035-queue-in-memory.md`),
 * and none over the time of rent that leaves out the status.
 */
export function readModelIndexes(schema: string): string {
  return `
    create index on ${schema}.borrow (reader_id, rented_at desc);
    create index on ${schema}.borrow (status, rented_at desc, borrow_id);
    create index on ${schema}.borrow (status, issued_at nulls first, borrow_id);
    create index on ${schema}.borrow (status, due_date nulls first, borrow_id);
    create index on ${schema}.borrow (status, returned_at nulls first, borrow_id);
    create index on ${schema}.borrow (position);
    create index on ${schema}.borrow (due_date) where status in ('Issued', 'Not_Paid', 'Paid');
    create index on ${schema}.borrow (collect_by) where reserved > 0;
    -- Few: the rest of rents that were collected in part.
    create index on ${schema}.borrow (rented_at) where reserved > 0 and status <> 'Rented';
    create index on ${schema}.borrow (borrow_id) where paid > charged;
    create index on ${schema}.borrow (rented_at) where undone;
    create index on ${schema}.borrow using gin (books jsonb_path_ops);
  `;
}

/** What a row is made of: a borrow after one of its events, and the place of that. */
export interface BorrowMade {
  borrow: Borrow;
  /** Of the stream: the reader's pseudonym. */
  key: string;
  revision: bigint;
  position: { commit: bigint };
  /** The row before the event: titles do not change. */
  before: { titles: string } | undefined;
}

interface Column<Field extends keyof Borrow | null, Value> {
  /** Of the borrow's fields the one that it keeps; null where it is made of others. */
  field: Field;
  /** Its type and constraints in PostgreSQL. */
  sql: string;
  /** As it is selected and written: times are ISO 8601 in UTC, amounts grosze, large numbers decimal texts. */
  schema: z.ZodType<Value>;
  of: (made: BorrowMade) => Value;
}

const kept = <Field extends keyof Borrow>(
  field: Field,
  sql: string,
  schema: z.ZodType<Borrow[Field]>,
): Column<Field, Borrow[Field]> => ({ field, sql, schema, of: ({ borrow }) => borrow[field] });

const made = <Value>(
  sql: string,
  schema: z.ZodType<Value>,
  of: (made: BorrowMade) => Value,
): Column<null, Value> => ({ field: null, sql, schema, of });

const time = z.string();

/**
 * The columns of a borrow's row, one entry each: the table, what is written, selected, shown and compared with the log all follow
 * from it. A field of `Borrow` without a column does not compile.
 */
const COLUMNS = {
  borrow_id: kept('id', 'uuid primary key', z.string()),
  reader_id: made('uuid not null', z.string(), ({ key }) => key),
  books: kept('books', 'jsonb not null', z.array(borrowedBookSchema).readonly()),
  /** The text that title searches match. */
  titles: made(
    'text not null',
    z.string(),
    ({ borrow, before }) => before?.titles ?? borrow.books.map(({ title }) => foldText(title)).join('\n'),
  ),
  rented_at: kept('rentedAt', 'timestamptz not null', time),
  collect_by: kept('collectBy', 'timestamptz not null', time),
  issued_at: kept('issuedAt', 'timestamptz', time.nullable()),
  due_date: kept('dueDate', 'timestamptz', time.nullable()),
  returned_at: kept('returnedAt', 'timestamptz', time.nullable()),
  expired_at: kept('expiredAt', 'timestamptz', time.nullable()),
  status: kept('status', 'text not null', borrowStatusSchema),
  charged: kept('charged', 'integer not null', z.int()),
  paid: kept('paid', 'integer not null', z.int()),
  waived: kept('waived', 'integer not null', z.int()),
  renewals: kept('renewals', 'integer not null', z.int()),
  /** How many of its books are with the reader, and how many wait at the desk: their copies are off the shelf. */
  lent: made('integer not null', z.int(), ({ borrow }) => lentBooks(borrow).length),
  reserved: made('integer not null', z.int(), ({ borrow }) => reservedBooks(borrow).length),
  /** It was lent at the desk, and that was undone: no figure counts it. */
  undone: made('boolean not null', z.boolean(), ({ borrow }) => isUndone(borrow)),
  /** The events of its last minutes that can be undone, or are in the way of that. */
  recent: kept('recent', 'jsonb not null', z.array(recentEventSchema).readonly()),
  revision: made('bigint not null', z.string(), ({ revision }) => revision.toString()),
  position: made('bigint not null', z.string(), ({ position }) => position.commit.toString()),
};

type Columns = typeof COLUMNS;
type Name = keyof Columns;
type FieldOf<Each> = Each extends Column<infer Field, unknown> ? Field : never;
type Kept = { [Each in Name]: FieldOf<Columns[Each]> extends null ? never : Each }[Name];

export type BorrowRow = { [Each in Name]: ReturnType<Columns[Each]['of']> };
/** The columns that say all of a borrow. */
export type BorrowFields = Pick<BorrowRow, Kept>;

const NAMES = Object.keys(COLUMNS) as Name[];
/** A row of `read_model.borrow` as it is selected and written. */
export const borrowRowSchema = z.object(
  Object.fromEntries(NAMES.map((name) => [name, COLUMNS[name].schema])) as {
    [Each in Name]: z.ZodType<BorrowRow[Each]>;
  },
);

/** The columns as they stand in `create table`. */
const BORROW_DDL = NAMES.map((name) => `${name} ${COLUMNS[name].sql}`).join(',\n      ');

export const BORROW_COLUMN_NAMES: readonly string[] = NAMES;

const asWritten = (names: readonly Name[]) =>
  names
    .map((name) =>
      COLUMNS[name].sql.startsWith('timestamptz')
        ? `to_char(${name} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${name}`
        : name,
    )
    .join(', ');

/** All of them, to be selected with times as ISO 8601 texts, as in the events. */
export const SELECTED_AS_WRITTEN = asWritten(NAMES);

/** The names of those that say all of a borrow. */
export const BORROW_FIELDS = NAMES.filter((name): name is Kept => COLUMNS[name].field !== null);

export const FIELDS_AS_WRITTEN = asWritten(BORROW_FIELDS);

/** Their schemas. */
export const borrowFieldsShape = Object.fromEntries(
  BORROW_FIELDS.map((name) => [name, COLUMNS[name].schema]),
) as { [Each in Kept]: z.ZodType<BorrowRow[Each]> };

export function rowOf(from: BorrowMade): BorrowRow {
  const row: Partial<Record<Name, unknown>> = {};
  for (const name of NAMES) row[name] = COLUMNS[name].of(from);
  return row as BorrowRow;
}

export function borrowOf(row: BorrowFields): Borrow {
  const borrow: Partial<Record<keyof Borrow, unknown>> = {};
  for (const name of BORROW_FIELDS) borrow[COLUMNS[name].field] = row[name];
  return borrow as Borrow satisfies { [Field in Exclude<keyof Borrow, FieldOf<Columns[Kept]>>]: never };
}
