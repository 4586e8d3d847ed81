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
export const shadowOf = (schema: string) => `${schema}_shadow`;

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
      borrow_id uuid primary key,
      reader_id uuid not null,
      books jsonb not null,
      titles text not null,
      rented_at timestamptz not null,
      collect_by timestamptz not null,
      issued_at timestamptz,
      due_date timestamptz,
      returned_at timestamptz,
      expired_at timestamptz,
      status text not null,
      charged integer not null,
      paid integer not null,
      waived integer not null,
      renewals integer not null,
      -- How many of its books are with the reader, and how many wait at the desk: their copies are off the shelf.
      lent integer not null,
      reserved integer not null,
      -- The events of its last minutes that can be undone, or are in the way of that.
      recent jsonb not null,
      revision bigint not null,
      position bigint not null
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
 * into all of them: there is none over the titles, whose words servers keep in memory (`docs/decisions/031-queue-in-memory.md`),
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
    create index on ${schema}.borrow using gin (books jsonb_path_ops);
  `;
}
