import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import { COPY_CONDITIONS } from '#contracts/copies/copy-events.js';
import type { Paged } from '#contracts/paging.js';
import {
  FINDING_KINDS,
  SCAN_RETENTION_DAYS,
  type Finding,
  type FindingsQuery,
  type StockTaking,
  type StockTakingStanding,
} from '#contracts/stock-taking/stock-taking.js';
import { Clock } from '#platform/clock.js';
import { inTransaction, type Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { Jobs } from '#platform/jobs/jobs.js';
import { DATABASE } from '#platform/tokens.js';
import { judged, missing, Parameters } from './finding-statements.js';
import { scopeOf } from './stock-takings.js';

const DAY = 24 * 3_600_000;

const dueRow = z.object({ id: z.string() });
const countRow = z.object({ kind: z.enum(FINDING_KINDS), count: z.int() });
const figuresRow = z.object({ expected: z.int(), seen: z.int(), resolved: z.int() });
const leftoverRow = z.object({
  total: z.int(),
  code: z.string().nullable(),
  book_id: z.int().nullable(),
  copy: z.int().nullable(),
  title: z.string().nullable(),
  shelf_mark: z.string().nullable(),
  condition: z.enum(COPY_CONDITIONS).nullable(),
  shelf: z.string().nullable(),
  scanned_at: z.date().nullable(),
});

/**
 * Stock-takings that were finished long ago. Their scans are gone, a row for each copy of the house; their figures, what was decided
 * and what was left over are kept as they were then.
 */
@Injectable()
export class ClosedStockTakings implements OnModuleInit {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.repeat('upkeep', 'close-stock-takings', DAY, () => this.close());
  }

  /** @returns how many were closed */
  async close(): Promise<{ closed: number }> {
    const before = new Date(this.clock.now().getTime() - SCAN_RETENTION_DAYS * DAY);
    const due = await queryRows(
      this.database,
      dueRow,
      `select id from stock_taking where state = 'finished' and closed_at is null and state_at < $1 order by state_at`,
      [before],
    );
    let closed = 0;
    for (const { id } of due) if (await this.closeOne(id, before)) closed += 1;
    return { closed };
  }

  /** In one transaction: a process that dies meanwhile has changed nothing. */
  private async closeOne(id: string, before: Date): Promise<boolean> {
    const schema = await this.readModel.toRead();
    return inTransaction(this.database, async (connection) => {
      const { scope } = await scopeOf(connection, id, 'for no key update');
      const p = new Parameters();
      const taking = p.of(id, 'uuid');
      const { rowCount } = await connection.query(
        `with ${judged(schema, scope, null, p)}, ${missing(schema, scope, null, p)}, closing as (
           update stock_taking t set
             closed_at = ${p.of(this.clock.now(), 'timestamptz')},
             scanned = (select count(*) from stock_scan where stock_taking_id = ${taking}),
             expected = (select count(*) from expected where seen) + (select count(*) from unseen),
             seen = (select count(*) from expected where seen)
           where id = ${taking} and state = 'finished' and closed_at is null and state_at < ${p.of(before, 'timestamptz')}
           returning id
         ), left_over as (
           insert into stock_leftover (stock_taking_id, kind, code, book_id, copy, shelf_mark, condition, shelf, scanned_at)
           select t.id, f.* from closing t cross join (
             select kind, code, book_id, copy, shelf_mark, condition, shelf, scanned_at from open_findings
             union all
             select 'missing', null, book_id, copy, shelf_mark, 'present', null, null from missing) f
         )
         select from closing`,
        p.values,
      );
      if (rowCount !== 1) return false;
      await connection.query('delete from stock_scan where stock_taking_id = $1', [id]);
      return true;
    });
  }

  async standing(view: StockTaking): Promise<StockTakingStanding> {
    const [figures, counts] = await Promise.all([
      queryRow(
        this.database,
        figuresRow,
        `select t.expected, t.seen,
           (select count(*)::integer from stock_resolution r where r.stock_taking_id = t.id) as resolved
         from stock_taking t where t.id = $1`,
        [view.id],
      ),
      queryRows(
        this.database,
        countRow,
        'select kind, count(*)::integer as count from stock_leftover where stock_taking_id = $1 group by kind',
        [view.id],
      ),
    ]);
    const { expected = 0, seen = 0, resolved = 0 } = figures ?? {};
    const count = new Map(counts.map((row) => [row.kind, row.count]));
    const open = Object.fromEntries(FINDING_KINDS.map((kind) => [kind, count.get(kind) ?? 0]));
    return { ...view, expected, seen, resolved, open: open as StockTakingStanding['open'] };
  }

  /** In the order in which they were listed before. Whoever scanned or had them is not kept. */
  async page(id: string, { kind, pageNumber, pageSize }: FindingsQuery): Promise<Paged<Finding>> {
    const rows = await queryRows(
      this.database,
      leftoverRow,
      `select count(*) over ()::integer as total, l.code, l.book_id, l.copy, b.title, l.shelf_mark, l.condition, l.shelf,
         l.scanned_at
       from stock_leftover l left join book b on b.id = l.book_id
       where l.stock_taking_id = $1 and l.kind = $2
       order by l.scanned_at, l.code, shelf_key(l.shelf_mark) nulls last, b.title, l.book_id, l.copy limit $3 offset $4`,
      [id, kind, pageSize, (pageNumber - 1) * pageSize],
    );
    return { items: rows.map(findingOf), totalCount: rows[0]?.total ?? 0 };
  }
}

function findingOf({
  code,
  book_id,
  copy,
  title,
  shelf_mark,
  condition,
  ...row
}: z.output<typeof leftoverRow>) {
  return {
    code: book_id === null || copy === null ? (code ?? '') : copyCode({ bookId: book_id, copy }),
    ...{ bookId: book_id, title, shelfMark: shelf_mark, condition },
    scan: row.scanned_at && { shelf: row.shelf, at: row.scanned_at.toISOString(), by: null },
    borrow: null,
  };
}
