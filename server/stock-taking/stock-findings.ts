import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { copyCode, readCopyCode } from '#contracts/catalogue/copy-code.js';
import { COPY_CONDITIONS } from '#contracts/copies/copy-events.js';
import type { Paged } from '#contracts/paging.js';
import {
  FINDING_KINDS,
  type Finding,
  type FindingKind,
  type FindingsQuery,
  type StockTakingStanding,
} from '#contracts/stock-taking/stock-taking.js';
import type { Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { DATABASE } from '#platform/tokens.js';
import { ClosedStockTakings } from './closed-stock-takings.js';
import { judged, missing, Parameters, type Scope } from './finding-statements.js';
import { StockTakings } from './stock-takings.js';

const time = z.date().transform((at) => at.toISOString());
const findingRow = z.object({
  total: z.int(),
  /** Null where the page is empty. */
  place: z.string().nullable(),
  code: z.string().nullable(),
  book_id: z.int().nullable(),
  copy: z.int().nullable(),
  title: z.string().nullable(),
  shelf_mark: z.string().nullable(),
  condition: z.enum(COPY_CONDITIONS).nullable(),
  shelf: z.string().nullable(),
  scanned_at: time.nullable(),
  scanned_by: z.string().nullable(),
  borrow_id: z.string().nullable(),
  due_date: time.nullable(),
  reader_id: z.string().nullable(),
  fullname: z.string().nullable(),
});

const countsRow = z.object({
  kinds: z.record(z.string(), z.int()),
  expected: z.int(),
  seen: z.int(),
  missing: z.int(),
  resolved: z.int(),
});

/** A finding, and the copy as it is: what deciding about it goes by. */
export interface OpenFinding {
  code: string;
  bookId: number | null;
  copy: number | null;
  shelf: string | null;
  condition: string | null;
  shelfMark: string | null;
  revision: string | null;
}

const openRow = z.object({
  code: z.string().nullable(),
  book_id: z.int().nullable(),
  copy: z.int().nullable(),
  shelf: z.string().nullable(),
  condition: z.string().nullable(),
  shelf_mark: z.string().nullable(),
  revision: z.string().nullable(),
});

/** What a stock-taking has found, as the library is now. */
@Injectable()
export class StockFindings {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
    private readonly stockTakings: StockTakings,
    private readonly closed: ClosedStockTakings,
  ) {}

  /** @throws DomainError StockTakingNotFound */
  async standing(id: string): Promise<StockTakingStanding> {
    const [view, scope] = await Promise.all([this.stockTakings.get(id), this.stockTakings.scope(id)]);
    if (scope.isClosed) return this.closed.standing(view);
    const p = new Parameters();
    const schema = await this.readModel.toRead();
    const row = await queryRow(
      this.database,
      countsRow,
      `with ${judged(schema, scope, null, p)}, ${missing(schema, scope, null, p)}
       select
         coalesce((select jsonb_object_agg(kind, n) from (
           select kind, count(*) as n from open_findings group by kind) k), '{}') as kinds,
         (select count(*)::integer from expected where seen)
           + (select count(*)::integer from unseen) as expected,
         (select count(*)::integer from expected where seen) as seen,
         (select count(*)::integer from missing) as missing,
         (select count(*)::integer from stock_resolution where stock_taking_id = ${p.of(id, 'uuid')}) as resolved`,
      p.values,
    );
    const { kinds = {}, expected = 0, seen = 0, missing: unseen = 0, resolved = 0 } = row ?? {};
    const count = (kind: FindingKind) => (kind === 'missing' ? unseen : (kinds[kind] ?? 0));
    const open = Object.fromEntries(FINDING_KINDS.map((kind) => [kind, count(kind)]));
    return { ...view, expected, seen, resolved, open: open as StockTakingStanding['open'] };
  }

  /**
   * What is missing as one walks along the shelves; the rest as it was scanned.
   * @throws DomainError StockTakingNotFound
   */
  async page(id: string, query: FindingsQuery): Promise<Paged<Finding>> {
    const { kind, pageNumber, pageSize } = query;
    const scope = await this.stockTakings.scope(id);
    if (scope.isClosed) return this.closed.page(id, query);
    const p = new Parameters();
    const { text, from } = await this.findings(scope, kind, null, p);
    const limit = `limit ${p.of(pageSize, 'integer')} offset ${p.of((pageNumber - 1) * pageSize, 'integer')}`;
    const found = kind === 'missing' ? missingPage(limit) : scannedPage(from, limit);
    const rows = await queryRows(
      this.database,
      findingRow,
      `with ${text}, page as (${found})
       select t.total, f.* from (select count(*)::integer as total from ${from}) t
       left join page f on true order by f.place`,
      p.values,
    );
    const items = rows.filter(({ place }) => place !== null).map((row) => findingOf(kind, row));
    return { items, totalCount: rows[0]?.total ?? 0 };
  }

  /** Which of these codes are findings of that kind. */
  async among(scope: Scope, kind: FindingKind, codes: readonly string[]): Promise<OpenFinding[]> {
    const books = codes.flatMap((code) => readCopyCode(code)?.bookId ?? []);
    const rows = await this.open(
      scope,
      kind,
      kind === 'unknown' ? null : books,
      (from) => `select ${OPEN} from ${from} f`,
    );
    const asked = new Set(codes);
    return rows.filter(({ code }) => asked.has(code));
  }

  /** The first of them, in the order of their copies. @param after the code of a copy; what comes behind it */
  async first(
    scope: Scope,
    kind: FindingKind,
    count: number,
    after: string | undefined,
  ): Promise<OpenFinding[]> {
    // What is unknown has no place among the copies; it is left, and then gone from here.
    const last = after === undefined || kind === 'unknown' ? undefined : readCopyCode(after);
    return this.open(scope, kind, null, (from, p) => {
      const behind = last
        ? `where (f.book_id, f.copy) > (${p.of(last.bookId, 'integer')}, ${p.of(last.copy, 'integer')})`
        : '';
      return `select ${OPEN} from ${from} f ${behind} order by f.book_id, f.copy limit ${p.of(count, 'integer')}`;
    });
  }

  private async open(
    scope: Scope,
    kind: FindingKind,
    books: readonly number[] | null,
    select: (from: string, p: Parameters) => string,
  ): Promise<OpenFinding[]> {
    const p = new Parameters();
    const { text, from } = await this.findings(scope, kind, books, p);
    const rows = await queryRows(this.database, openRow, `with ${text} ${select(from, p)}`, p.values);
    return rows.map(({ code, book_id: bookId, copy, shelf, condition, shelf_mark: shelfMark, revision }) => ({
      code: codeOf(code, bookId, copy),
      ...{ bookId, copy, shelf, condition, shelfMark, revision },
    }));
  }

  /** The parts of a statement, and where in them the findings of that kind are. */
  private async findings(
    scope: Scope,
    kind: FindingKind,
    books: readonly number[] | null,
    p: Parameters,
  ): Promise<{ text: string; from: string }> {
    const schema = await this.readModel.toRead();
    const scanned = judged(schema, scope, books, p);
    if (kind === 'missing') {
      return {
        text: `${scanned}, ${missing(schema, scope, books, p)}, of_kind as (
          select null::text as code, m.book_id, m.copy, null::text as shelf, 'present' as condition, m.shelf_mark,
            coalesce(c.revision, -1) as revision
          from missing m left join copy c on c.book_id = m.book_id and c.copy = m.copy)`,
        from: 'of_kind',
      };
    }
    return {
      text: `${scanned}, of_kind as (select * from open_findings where kind = ${p.of(kind, 'text')})`,
      from: 'of_kind',
    };
  }
}

const OPEN = `f.code, f.book_id, f.copy, f.shelf, f.condition, f.shelf_mark,
  case when f.book_id is not null then coalesce(f.revision, -1)::text end as revision`;

const missingPage = (limit: string) => `
  select row_number() over (order by shelf_key(m.shelf_mark) nulls last, b.title, m.book_id, m.copy) as place,
    null::text as code, m.book_id, m.copy, b.title, m.shelf_mark, m.condition, null::text as shelf,
    null::timestamptz as scanned_at, null::text as scanned_by, null::uuid as borrow_id, null::timestamptz as due_date,
    null::uuid as reader_id, null::text as fullname
  from of_kind m join book b on b.id = m.book_id
  order by place ${limit}`;

const scannedPage = (from: string, limit: string) => `
  select row_number() over (order by j.scanned_at, j.code) as place, j.code, j.book_id, j.copy, j.title, j.shelf_mark,
    j.condition, j.shelf, j.scanned_at, w.fullname as scanned_by, j.borrow_id, j.due_date,
    coalesce(r.id, j.reader_id) as reader_id, r.fullname
  from ${from} j
  left join account w on w.id = j.scanned_by
  left join account r on r.pseudonym = j.reader_id
  order by place ${limit}`;

function codeOf(code: string | null, bookId: number | null, copy: number | null): string {
  return bookId === null || copy === null ? (code ?? '') : copyCode({ bookId, copy });
}

function findingOf(kind: FindingKind, row: z.output<typeof findingRow>): Finding {
  const { book_id: bookId, title, shelf_mark: shelfMark, condition, borrow_id, reader_id, scanned_at } = row;
  return {
    ...{ code: codeOf(row.code, bookId, row.copy), bookId, title, shelfMark, condition },
    scan: scanned_at === null ? null : { shelf: row.shelf, at: scanned_at, by: row.scanned_by },
    borrow:
      kind !== 'lent' || borrow_id === null || reader_id === null
        ? null
        : {
            id: borrow_id,
            user: { id: reader_id, fullname: row.fullname ?? m.account_removed() },
            dueDate: row.due_date,
          },
  };
}
