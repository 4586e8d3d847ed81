import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { QueryConfig } from 'pg';
import { z } from 'zod';
import type { BorrowListQuery, BorrowOrder, BorrowView } from '#contracts/borrowing/borrow-views.js';
import { searchedDays } from '#contracts/borrowing/searched-days.js';
import { foldText } from '#contracts/fold-text.js';
import { startOfDay } from '#contracts/local-day.js';
import type { Paged } from '#contracts/paging.js';
import { borrowRules } from '#borrowing/borrow.policy.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { DATABASE } from '#platform/tokens.js';
import { BORROW_VIEW_COLUMNS, borrowViewRow, toBorrowView } from './borrow-view.js';

/** A page of the librarian's queue. */
export class ListBorrows extends Query<Paged<BorrowView>> {
  constructor(readonly query: BorrowListQuery) {
    super();
  }
}

/** All borrows of a reader, the newest first. */
export class BorrowHistory extends Query<BorrowView[]> {
  constructor(readonly readerId: string) {
    super();
  }
}

/** Current borrows, for clients that subscribe to them. */
export class BorrowsById extends Query<BorrowView[]> {
  constructor(readonly borrowIds: string[]) {
    super();
  }
}

/** Borrows changed after a log position; nothing if there are more than `most`. */
export class BorrowsChangedSince extends Query<BorrowView[] | undefined> {
  constructor(
    readonly position: bigint,
    readonly most: number,
    readonly readerId?: string,
  ) {
    super();
  }
}

/** @param schema of the read model */
const from = (schema: string) => `from ${schema}.borrow b left join account a on a.pseudonym = b.reader_id`;

/** Runs a query for `BORROW_VIEW_COLUMNS` and returns the borrows as the API shows them. */
async function borrowViews(
  database: Database,
  clock: Clock,
  timeZone: LibraryTimeZone,
  query: QueryConfig,
): Promise<BorrowView[]> {
  const rows = await queryRows(database, borrowViewRow, query);
  const [now, rules] = [clock.now(), borrowRules(timeZone.name)];
  return rows.map((row) => toBorrowView(row, now, rules));
}

const totalRow = z.object({ total: z.int() });

const ORDERS: Record<BorrowOrder, string> = {
  RentDate: 'b.rented_at',
  BorrowDate: 'b.issued_at',
  DueDate: 'b.due_date',
  ReturnDate: 'b.returned_at',
};

@QueryHandler(ListBorrows)
export class ListBorrowsHandler implements IQueryHandler<ListBorrows> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
    private readonly clock: Clock,
    private readonly timeZone: LibraryTimeZone,
  ) {}

  async execute({ query }: ListBorrows): Promise<Paged<BorrowView>> {
    const schema = await this.readModel.toRead();
    const { where, values } = conditions(query, this.timeZone.name);
    const direction = query.Direction === 'Ascending' ? 'asc' : 'desc';
    // A missing date counts as zero (specification, section 4): before every other when ascending.
    const nulls = query.Direction === 'Ascending' ? 'nulls first' : 'nulls last';
    const order = `${ORDERS[query.OrderBy]} ${direction}${query.OrderBy === 'RentDate' ? '' : ` ${nulls}`}, b.borrow_id ${direction}`;
    const limit = values.length + 1;
    const [items, totalCount] = await Promise.all([
      borrowViews(this.database, this.clock, this.timeZone, {
        text: `select ${BORROW_VIEW_COLUMNS} ${from(schema)} ${where} order by ${order} limit $${limit} offset $${limit + 1}`,
        values: [...values, query.pageSize, (query.pageNumber - 1) * query.pageSize],
      }),
      this.count(schema, query, where, values),
    ]);
    return { items, totalCount };
  }

  /** Without a search, the projection's counters suffice. */
  private async count(
    schema: string,
    query: BorrowListQuery,
    where: string,
    values: unknown[],
  ): Promise<number> {
    const counted =
      query.SearchTerm.trim() === ''
        ? await queryRow(
            this.database,
            totalRow,
            `select coalesce(sum(borrows), 0)::integer as total from ${schema}.borrow_count where $1 in ('All', status)`,
            [query.SortBy],
          )
        : await queryRow(
            this.database,
            totalRow,
            `select count(*)::integer as total ${from(schema)} ${where}`,
            values,
          );
    return counted?.total ?? 0;
  }
}

function conditions(
  { SortBy, SearchTerm }: BorrowListQuery,
  timeZone: string,
): { where: string; values: unknown[] } {
  const parts: string[] = [];
  const values: unknown[] = [];
  if (SortBy !== 'All') {
    values.push(SortBy);
    parts.push(`b.status = $${values.length}`);
  }
  const term = SearchTerm.trim();
  const days = searchedDays(term);
  if (days) {
    values.push(...[days.from, days.until].map((day) => new Date(startOfDay(day, timeZone))));
    const [from, until] = [`$${values.length - 1}`, `$${values.length}`];
    // The specification's borrow date is the day of issue; who rented on that day is found too.
    parts.push(
      `((b.rented_at >= ${from} and b.rented_at < ${until}) or (b.issued_at >= ${from} and b.issued_at < ${until}))`,
    );
  } else if (term !== '') {
    values.push(`%${foldText(term).replace(/[\\%_]/g, '\\$&')}%`, term);
    parts.push(
      `(b.titles like $${values.length - 1}
        or b.reader_id = any(array(select pseudonym from account 
          where search_plain($${values.length}) <> ''
            and position(search_plain($${values.length}) in search_plain(fullname)) > 0)))`,
    );
  }
  return { where: parts.length === 0 ? '' : `where ${parts.join(' and ')}`, values };
}

@QueryHandler(BorrowHistory)
export class BorrowHistoryHandler implements IQueryHandler<BorrowHistory> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
    private readonly clock: Clock,
    private readonly timeZone: LibraryTimeZone,
  ) {}

  async execute({ readerId }: BorrowHistory): Promise<BorrowView[]> {
    const schema = await this.readModel.toRead();
    return borrowViews(this.database, this.clock, this.timeZone, {
      text: `select ${BORROW_VIEW_COLUMNS} ${from(schema)} where b.reader_id = $1 order by b.rented_at desc, b.borrow_id desc`,
      values: [readerId],
    });
  }
}

@QueryHandler(BorrowsById)
export class BorrowsByIdHandler implements IQueryHandler<BorrowsById> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
    private readonly clock: Clock,
    private readonly timeZone: LibraryTimeZone,
  ) {}

  async execute({ borrowIds }: BorrowsById): Promise<BorrowView[]> {
    const schema = await this.readModel.toRead();
    return borrowViews(this.database, this.clock, this.timeZone, {
      name: `borrows-by-id-${schema}`,
      text: `select ${BORROW_VIEW_COLUMNS} ${from(schema)} where b.borrow_id = any($1::uuid[]) order by b.position`,
      values: [borrowIds],
    });
  }
}

@QueryHandler(BorrowsChangedSince)
export class BorrowsChangedSinceHandler implements IQueryHandler<BorrowsChangedSince> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
    private readonly clock: Clock,
    private readonly timeZone: LibraryTimeZone,
  ) {}

  async execute({ position, most, readerId }: BorrowsChangedSince): Promise<BorrowView[] | undefined> {
    const schema = await this.readModel.toRead();
    const changed = await borrowViews(this.database, this.clock, this.timeZone, {
      text: `select ${BORROW_VIEW_COLUMNS} ${from(schema)}
       where b.position > $1 and ($2::uuid is null or b.reader_id = $2) order by b.position limit $3`,
      values: [position.toString(), readerId ?? null, most + 1],
    });
    return changed.length > most ? undefined : changed;
  }
}
