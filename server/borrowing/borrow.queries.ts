import { Inject, Injectable } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { BorrowListQuery, BorrowView, HistoryPageQuery } from '#contracts/borrowing/borrow-views.js';
import { MAX_PAGE_SIZE, type Paged } from '#contracts/paging.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { LibraryRules } from '#rules/library-rules.js';
import { DATABASE } from '#platform/tokens.js';
import { QueryWith } from '../messages.js';
import { pageOfBorrows, pageOfHistory } from './queue-index/borrow-page.js';
import { pageOfPart } from './queue-index/borrow-part.js';
import { ISO_TIMES } from './iso-times.js';
import { InMemoryQueue } from './queue-index/in-memory-queue.js';
import { BORROW_VIEW_COLUMNS, borrowViewRow, toBorrowView } from './borrow-view.js';

/** A page of the librarian's queue; of the part that a counter of books leads to, with the number of those. */
type BorrowList = Paged<BorrowView> & { totalBooks?: number | undefined };

/** A page of the librarian's queue. */
export class ListBorrows extends QueryWith<BorrowList, { query: BorrowListQuery }> {}

/** Current borrows, for clients that subscribe to them. */
export class BorrowsById extends QueryWith<BorrowView[], { borrowIds: string[] }> {}

/** Borrows changed after a log position; nothing if there are more than `most`. */
export class BorrowsChangedSince extends QueryWith<
  BorrowView[] | undefined,
  { position: bigint; most: number; readerId?: string | undefined }
> {}

/** Borrows as the API shows them. */
@Injectable()
export class BorrowViews {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
    private readonly clock: Clock,
    private readonly rules: LibraryRules,
  ) {}

  /**
   * @param name of the statement, where it is prepared
   * @param which what follows `from` the borrows `b`: conditions, order, limit
   */
  async find(name: string | undefined, which: string, values: unknown[]): Promise<BorrowView[]> {
    const schema = await this.readModel.toRead();
    const rows = await queryRows(this.database, borrowViewRow, {
      ...(name !== undefined && { name: `${name}-${schema}` }),
      text: `select ${BORROW_VIEW_COLUMNS} from ${schema}.borrow b left join account a on a.pseudonym = b.reader_id ${which}`,
      values,
      types: ISO_TIMES,
    });
    const now = this.clock.now().toISOString();
    const shown = this.rules.shownAt(now);
    return rows.map((row) => toBorrowView(row, now, shown));
  }

  /** Those with these ids, in the same order. */
  async inOrder(ids: readonly string[]): Promise<BorrowView[]> {
    if (ids.length === 0) return [];
    const views = await this.find('borrows-page', 'where b.borrow_id = any($1::uuid[])', [ids]);
    const byId = new Map(views.map((view) => [view.id, view]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }
}

@QueryHandler(ListBorrows)
export class ListBorrowsHandler implements IQueryHandler<ListBorrows> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
    private readonly clock: Clock,
    private readonly rules: LibraryRules,
    private readonly memory: InMemoryQueue,
    private readonly views: BorrowViews,
  ) {}

  async execute({ query }: ListBorrows): Promise<BorrowList> {
    const schema = await this.readModel.toRead();
    const { Only: part } = query;
    const timeZone = this.rules.timeZone.name;
    if (part !== undefined) {
      const moment = { now: this.clock.now().getTime(), timeZone };
      const { ids, total, books } = await pageOfPart(this.database, schema, part, query, moment);
      return {
        items: await this.views.inOrder(ids),
        totalCount: total,
        // Its counter counts books.
        ...(part === 'RentedLastMonth' && { totalBooks: books }),
      };
    }
    this.memory.prepare(schema);
    const { ids, total } = await pageOfBorrows(this.database, schema, query, timeZone, this.memory);
    return { items: await this.views.inOrder(ids), totalCount: total };
  }
}

@Injectable()
export class BorrowQueries {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
    private readonly rules: LibraryRules,
    private readonly views: BorrowViews,
  ) {}

  /** A page of a reader's own history. */
  async borrowHistoryPage(readerId: string, query: HistoryPageQuery): Promise<Paged<BorrowView>> {
    const schema = await this.readModel.toRead();
    const timeZone = this.rules.timeZone.name;
    const { ids, total } = await pageOfHistory(this.database, schema, readerId, query, timeZone);
    return { items: await this.views.inOrder(ids), totalCount: total };
  }

  /** The newest borrows of a reader, as many as a page may have. */
  borrowHistory(readerId: string): Promise<BorrowView[]> {
    const newest = `order by b.rented_at desc, b.borrow_id desc limit ${MAX_PAGE_SIZE}`;
    return this.views.find(undefined, `where b.reader_id = $1 ${newest}`, [readerId]);
  }
}

@QueryHandler(BorrowsById)
export class BorrowsByIdHandler implements IQueryHandler<BorrowsById> {
  constructor(private readonly views: BorrowViews) {}

  execute({ borrowIds }: BorrowsById): Promise<BorrowView[]> {
    return this.views.find('borrows-by-id', 'where b.borrow_id = any($1::uuid[]) order by b.position', [
      borrowIds,
    ]);
  }
}

@QueryHandler(BorrowsChangedSince)
export class BorrowsChangedSinceHandler implements IQueryHandler<BorrowsChangedSince> {
  constructor(private readonly views: BorrowViews) {}

  async execute({ position, most, readerId }: BorrowsChangedSince): Promise<BorrowView[] | undefined> {
    const changed = await this.views.find(
      undefined,
      'where b.position > $1 and ($2::uuid is null or b.reader_id = $2) order by b.position limit $3',
      [position.toString(), readerId ?? null, most + 1],
    );
    return changed.length > most ? undefined : changed;
  }
}
