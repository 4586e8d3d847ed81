import { z } from 'zod';
import { inTransaction, type Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { notifyReportChanged } from './report-rows.js';

/** Chunk size in bytes: limits the memory of a download. */
const PIECE = 1024 * 1024;

/**
 * Writes a report's file and marks the report as ready, in one transaction.
 * @throws an Error if the report was finished, abandoned or removed in the meantime
 */
export async function writeReportFile(
  database: Database,
  reportId: string,
  { file, pages, madeAt }: { file: Buffer; pages: number; madeAt: Date },
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await transaction.query('delete from report_part where report_id = $1', [reportId]);
    for (let place = 0; place * PIECE < file.length; place += 1) {
      await transaction.query('insert into report_part (report_id, place, data) values ($1, $2, $3)', [
        reportId,
        place,
        file.subarray(place * PIECE, (place + 1) * PIECE),
      ]);
    }
    const { rowCount } = await transaction.query(
      `update report set state = 'ready', progress = 100, size = $2, pages = $3, made_at = $4, touched_at = clock_timestamp()
       where id = $1 and state = 'printing'`,
      [reportId, file.length, pages, madeAt],
    );
    if (rowCount !== 1) throw new Error('The report is not wanted any more.');
    await notifyReportChanged(transaction, reportId);
  });
}

const partRow = z.object({ data: z.instanceof(Buffer) });

/** Reads a report's file in chunks. */
export async function* readReportFile(database: Database, reportId: string): AsyncGenerator<Buffer> {
  for (let place = 0; ; place += 1) {
    const part = await queryRow(
      database,
      partRow,
      'select data from report_part where report_id = $1 and place = $2',
      [reportId, place],
    );
    if (!part) return;
    yield part.data;
  }
}
