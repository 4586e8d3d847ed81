import type { ReaderFile } from '#contracts/accounts/reader-import.js';
import { isPlainText } from '#contracts/plain-text.js';
import * as m from '#words/messages.js';
import type { ReaderKind } from '#contracts/rules/kinds.js';
import type { Database } from '#platform/database/database.js';
import { InvalidHeader } from '../../imports/columns.js';
import { readCsv } from '../../imports/csv-records.js';
import type { StageOptions } from '../../imports/staged-imports.js';
import { matchedRows } from './matched-rows.js';
import { readerColumns } from './reader-columns.js';
import { READER_IMPORTS } from './reader-imports.js';
import { readerOfRow } from './reader-of-row.js';
import { refusedRow, type SaidRow, type Seen, type StagedRow } from './staged-rows.js';

export interface StageReadersOptions extends StageOptions, Pick<ReaderFile, 'kind' | 'earlierDays'> {
  kinds: ReadonlyMap<string, ReaderKind>;
  /** By the library's days. */
  today: string;
}

/**
 * Reads a file into rows that say what would become of each; nobody's account is touched.
 * @returns the import's id
 * @throws InvalidHeader; the errors of the stream and of the signal. Then nothing of it stays
 */
export async function stageReaders(
  database: Database,
  chunks: AsyncIterable<string>,
  options: StageReadersOptions,
): Promise<string> {
  const { kind, kinds, today, earlierDays } = options;
  const records = readCsv(chunks);
  const first = await records.next();
  if (first.done === true) throw new InvalidHeader(m.import_empty());
  if ('refused' in first.value) throw new InvalidHeader(m.import_first_line({ reason: first.value.refused }));
  const { cells: header } = first.value;
  if (!header.every((name) => isPlainText(name) && !name.includes('\uFFFD')))
    throw new InvalidHeader(m.readers_import_not_text());
  const columns = readerColumns(header, kind);
  const seen: Seen = new Map();
  const own = { kind, header, earlier_days: earlierDays };
  return READER_IMPORTS.stage(database, records, options, own, async (id, batch) => {
    const staged: StagedRow[] = [];
    const read: SaidRow[] = [];
    for (const record of batch) {
      const { line: place } = record;
      if ('refused' in record) {
        staged.push(refusedRow({ place, cells: [], data: {} }, { code: 'not-read' }));
        continue;
      }
      const { cells } = record;
      const { data, refused } = readerOfRow(cells, columns, { kinds, today });
      if (refused) staged.push(refusedRow({ place, cells, data }, refused));
      else read.push({ place, cells, data });
    }
    staged.push(...(await matchedRows(database, kind, read, seen, today)));
    await database.query(
      `insert into reader_row (import_id, place, outcome, name, cells, data, differs, reason, account_id, borrow_id, said, candidates)
       select $1, place, outcome, name, cells, data, differs, reason, account_id, borrow_id, said, candidates
       from jsonb_populate_recordset(null::reader_row, $2)`,
      [id, JSON.stringify(staged)],
    );
  });
}
