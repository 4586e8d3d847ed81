import { randomUUID } from 'node:crypto';
import type { ReaderFile, ReaderImportKind } from '#contracts/accounts/reader-import.js';
import * as m from '#words/messages.js';
import type { ReaderKind } from '#contracts/rules/kinds.js';
import type { Database } from '#platform/database/database.js';
import { InvalidHeader } from '../../imports/columns.js';
import { readCsv, type CsvRecord } from '../../imports/csv-records.js';
import { accountOf, differencesFrom, knownAccounts } from './known-accounts.js';
import { matchedLoans } from './loan-rows.js';
import { readerColumns, type ReaderColumns } from './reader-columns.js';
import { readerOfRow } from './reader-of-row.js';
import type { ReaderReason } from './reader-reasons.js';
import { nameIn, refusedRow, seenBefore, type ReadRow, type Seen, type StagedRow } from './staged-rows.js';

/** Rows of one statement. */
const BATCH = 500;

export interface StageOptions extends Pick<ReaderFile, 'kind' | 'earlierDays'> {
  /** The file's. */
  name: string;
  kinds: ReadonlyMap<string, ReaderKind>;
  /** By the library's days. */
  today: string;
  startedBy: string | null;
  now: Date;
  signal?: AbortSignal | undefined;
  /** Told after each batch how many rows were read. */
  onProgress?: (rows: number) => void;
}

/**
 * Reads a file into rows that say what would become of each; nobody's account is touched.
 * @returns the import's id
 * @throws InvalidHeader; the errors of the stream and of the signal. Then nothing of it stays
 */
export async function stageReaders(
  database: Database,
  chunks: AsyncIterable<string>,
  options: StageOptions,
): Promise<string> {
  const id = randomUUID();
  const { kind, name, startedBy, now } = options;
  await database.query(
    `insert into reader_import (id, kind, name, state, earlier_days, started_by, started_at, touched_at)
     values ($1, $2, $3, 'reading', $4, $5, $6, now())`,
    [id, kind, name, options.earlierDays, startedBy, now],
  );
  try {
    const staging = new Staging(database, id, options);
    for await (const record of readCsv(chunks)) await staging.take(record);
    await staging.finish();
    return id;
  } catch (error) {
    await database.query('delete from reader_import where id = $1', [id]);
    throw error;
  }
}

class Staging {
  private columns: ReaderColumns | undefined;
  private batch: CsvRecord[] = [];
  private rows = 0;
  private readonly seen: Seen = new Map();

  constructor(
    private readonly database: Database,
    private readonly id: string,
    private readonly options: StageOptions,
  ) {}

  async take(record: CsvRecord): Promise<void> {
    if (this.columns) {
      this.batch.push(record);
      if (this.batch.length >= BATCH) await this.flush(this.columns);
      return;
    }
    if ('refused' in record) throw new InvalidHeader(m.import_first_line({ reason: record.refused }));
    this.columns = readerColumns(record.cells, this.options.kind);
    await this.database.query('update reader_import set header = $2 where id = $1', [this.id, record.cells]);
  }

  async finish(): Promise<void> {
    if (!this.columns) throw new InvalidHeader(m.import_empty());
    await this.flush(this.columns);
    await this.database.query(
      `update reader_import set state = 'staged', handled = 0, touched_at = now() where id = $1`,
      [this.id],
    );
  }

  private async flush(columns: ReaderColumns): Promise<void> {
    const { kind, onProgress, signal } = this.options;
    const staged: StagedRow[] = [];
    const read: Omit<ReadRow, 'account'>[] = [];
    for (const record of this.batch) {
      const { line } = record;
      if ('refused' in record) {
        staged.push(refusedRow({ line, cells: [], data: {} }, { code: 'not-read' }));
        continue;
      }
      const row = readerOfRow(record.cells, columns, this.options);
      if ('refused' in row) staged.push(refusedRow({ line, cells: record.cells, data: {} }, row.refused));
      else read.push({ line, cells: record.cells, data: row.data });
    }
    const known = await knownAccounts(
      this.database,
      read.map(({ data }) => data),
    );
    const rows: ReadRow[] = [];
    for (const row of read) {
      const match = accountOf(row.data, known);
      if ('refused' in match) staged.push(refusedRow(row, match.refused));
      else rows.push({ ...row, account: match.account });
    }
    staged.push(...(await MATCHED[kind](this.database, rows, this.seen, this.options.today)));
    await this.write(staged);
    this.rows += this.batch.length;
    this.batch = [];
    await this.database.query('update reader_import set handled = $2, touched_at = now() where id = $1', [
      this.id,
      this.rows,
    ]);
    onProgress?.(this.rows);
    signal?.throwIfAborted();
  }

  private async write(rows: readonly StagedRow[]): Promise<void> {
    await this.database.query(
      `insert into reader_row (import_id, line, outcome, name, cells, data, differs, reason, account_id, borrow_id)
       select $1, line, outcome, name, cells, data, differs, reason, account_id, borrow_id
       from jsonb_populate_recordset(null::reader_row, $2)`,
      [this.id, JSON.stringify(rows)],
    );
  }
}

type Matching = (
  database: Database,
  rows: readonly ReadRow[],
  seen: Seen,
  today: string,
) => StagedRow[] | Promise<StagedRow[]>;

const MATCHED: Record<ReaderImportKind, Matching> = {
  readers: (_database, rows, seen, today) => rows.map((row) => matchedReader(row, seen, today)),
  memberships: (_database, rows, seen, today) =>
    rows.map((row) =>
      row.account
        ? matchedReader({ ...row, data: { memberUntil: row.data.memberUntil ?? '' } }, seen, today)
        : refusedRow(row, { code: 'reader-unknown' }),
    ),
  loans: matchedLoans,
};

/** What a new reader needs. */
const NEEDED = ['firstname', 'lastname', 'dateOfBirth'] as const;

function matchedReader(row: ReadRow, seen: Seen, today: string): StagedRow {
  const { line, cells, data, account } = row;
  const { cardNumber, email, memberUntil } = data;
  const keys = account
    ? [`reader ${account.id}`]
    : [
        ...(cardNumber === undefined ? [] : [`card ${cardNumber}`]),
        ...(email === undefined ? [] : [`email ${email.toLowerCase()}`]),
      ];
  const missing = NEEDED.find((field) => !account && data[field] === undefined);
  const refused: ReaderReason | undefined =
    memberUntil === ''
      ? { code: 'missing', field: 'memberUntil' }
      : missing
        ? { code: 'missing', field: missing }
        : seenBefore(seen, line, keys);
  if (refused) return refusedRow(row, refused);
  const differs = differencesFrom(data, account);
  const changed = Object.fromEntries(differs.map(({ field, ours, theirs }) => [field, { ours, theirs }]));
  const said = Object.fromEntries(differs.map(({ field, theirs }) => [field, theirs]));
  const ends = changed['memberUntil'] && (memberUntil ?? '') < today;
  const open = account && ends ? account.open : 0;
  return {
    ...{ line, cells, name: account?.fullname ?? nameIn(data), differs: changed },
    outcome: account ? (differs.length > 0 ? 'changed' : 'same') : 'new',
    data: { ...said, ...(!account && data.username !== undefined && { username: data.username }) },
    reason: open > 0 ? { code: 'open-loans', where: String(open) } : null,
    ...{ account_id: account?.id ?? null, borrow_id: null },
  };
}
