import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import { COPY_CONDITIONS } from '#contracts/copies/copy-events.js';
import { VERDICTS, type ScanAnswer, type ScansBody } from '#contracts/stock-taking/stock-taking.js';
import { Clock } from '#platform/clock.js';
import { inTransaction, type Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { DATABASE } from '#platform/tokens.js';
import { copiesOfLabels } from '../catalogue/copies/copy-codes.queries.js';
import { judged, Parameters } from './finding-statements.js';
import { refuseClosed, scopeOf } from './stock-takings.js';

const storedRow = z.object({ code: z.string(), again: z.boolean() });
const judgedRow = z.object({
  code: z.string(),
  kind: z.enum(VERDICTS),
  book_id: z.int().nullable(),
  title: z.string().nullable(),
  shelf_mark: z.string().nullable(),
  condition: z.enum(COPY_CONDITIONS).nullable(),
});
type JudgedRow = z.output<typeof judgedRow>;

/** Where a row is there already, it is changed by a scan at another shelf alone: the same scan again changes nothing. */
const KEPT = `
  with given as (
    select code, book_id, copy from jsonb_to_recordset($2::jsonb) as g (code text, book_id integer, copy integer)
  ), before as (
    select code from stock_scan where stock_taking_id = $1 and code in (select code from given)
  ), written as (
    insert into stock_scan (stock_taking_id, code, book_id, copy, shelf, scanned_by, scanned_at)
    select $1, code, book_id, copy, $3, $4, $5 from given order by code
    on conflict (stock_taking_id, code) do update set
      (shelf, scanned_by, scanned_at) = row(excluded.shelf, excluded.scanned_by, excluded.scanned_at)
    where stock_scan.shelf is distinct from excluded.shelf
  )
  select g.code, b.code is not null as again from given g left join before b on b.code = g.code`;

/** What librarians scan in a stock-taking: kept at once, and once. */
@Injectable()
export class StockScans {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
    private readonly clock: Clock,
  ) {}

  /**
   * Keeps what was scanned, whatever it is, and says of each what it means.
   * @throws DomainError StockTakingNotFound, StockTakingClosed; then nothing is kept
   */
  async keep(id: string, { shelf, codes }: ScansBody, accountId: string): Promise<ScanAnswer> {
    const copies = await copiesOfLabels(this.database, codes);
    const read = codes.map((code): StoredScan => {
      const copy = copies.get(code);
      return copy
        ? { code: copyCode(copy), book_id: copy.bookId, copy: copy.copy }
        : { code, book_id: null, copy: null };
    });
    const given = [...new Map(read.map((scan) => [scan.code, scan])).values()];
    const kept = await inTransaction(this.database, async (connection) => {
      refuseClosed((await scopeOf(connection, id, 'for key share')).state);
      return queryRows(connection, storedRow, KEPT, [
        id,
        JSON.stringify(given),
        shelf,
        accountId,
        this.clock.now(),
      ]);
    });
    const again = new Map(kept.map((row) => [row.code, row.again]));
    const found = new Map((await this.judge(id, given)).map((row) => [row.code, row]));
    return read.map(({ code }) => {
      const row = found.get(code);
      const answer = {
        code,
        verdict: row?.kind ?? ('unknown' as const),
        again: again.get(code) === true,
        bookId: row?.book_id ?? null,
        title: row?.title ?? null,
        shelfMark: row?.shelf_mark ?? null,
        condition: row?.condition ?? null,
      };
      // The second time in one call is the second time, too.
      again.set(code, true);
      return answer;
    });
  }

  private async judge(id: string, scans: readonly StoredScan[]): Promise<JudgedRow[]> {
    const books = [...new Set(scans.flatMap(({ book_id }) => book_id ?? []))];
    if (books.length === 0) return [];
    const { scope } = await scopeOf(this.database, id);
    const p = new Parameters();
    const text = `
      with ${judged(await this.readModel.toRead(), scope, books, p)}
      select code, kind, book_id, title, shelf_mark, condition from judged
      where code = any(${p.of(
        scans.map(({ code }) => code),
        'text[]',
      )})`;
    return queryRows(this.database, judgedRow, text, p.values);
  }
}

interface StoredScan {
  code: string;
  book_id: number | null;
  copy: number | null;
}
