import { z } from 'zod';
import type { Connection, Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { tellOfReport } from './report-rows.js';

/** Bytes of a piece: what a reader of the file keeps in memory at a time. */
const PIECE = 1024 * 1024;

/** Writes a report's file as part of a transaction; it is there once that commits. */
export class ReportFileWriter {
  private waiting: Buffer[] = [];
  private length = 0;
  private size = 0;
  private places = 0;

  constructor(
    private readonly transaction: Connection,
    private readonly reportId: string,
  ) {}

  /** Makes way for the file. */
  async begin(): Promise<void> {
    await this.transaction.query('delete from report_part where report_id = $1', [this.reportId]);
  }

  async write(bytes: Buffer): Promise<void> {
    this.waiting.push(bytes);
    this.length += bytes.length;
    if (this.length >= PIECE) await this.flush(false);
  }

  /** @throws an Error when the report was made, given up or removed meanwhile */
  async end(pages: number, madeAt: Date): Promise<void> {
    await this.flush(true);
    const { rowCount } = await this.transaction.query(
      `update report set state = 'ready', progress = 100, size = $2, pages = $3, made_at = $4, touched_at = clock_timestamp()
       where id = $1 and state = 'printing'`,
      [this.reportId, this.size, pages, madeAt],
    );
    if (rowCount !== 1) throw new Error('The report is not wanted any more.');
    await tellOfReport(this.transaction, this.reportId);
  }

  private async flush(all: boolean): Promise<void> {
    const bytes = Buffer.concat(this.waiting);
    const end = all ? bytes.length : bytes.length - (bytes.length % PIECE);
    for (let from = 0; from < end; from += PIECE) {
      const data = bytes.subarray(from, Math.min(from + PIECE, end));
      await this.transaction.query('insert into report_part (report_id, place, data) values ($1, $2, $3)', [
        this.reportId,
        this.places,
        data,
      ]);
      this.places += 1;
    }
    this.size += end;
    this.waiting = [bytes.subarray(end)];
    this.length = bytes.length - end;
  }
}

const partRow = z.object({ data: z.instanceof(Buffer) });

/** Reads a report's file, a piece at a time. */
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
