import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { z } from 'zod';
import { monthBefore } from '#contracts/borrowing/borrow-part.js';
import type { BookListItem, BookListQuery } from '#contracts/catalogue/book-views.js';
import { localDay, startOfDay } from '#contracts/local-day.js';
import type { Paged } from '#contracts/paging.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { DATABASE } from '#platform/tokens.js';
import { QueryWith } from '../messages.js';
import { BookCards } from './book-cards.js';
import type { Sort } from './search/found-page.js';

/** The books that came into the catalogue in the last month, as the dashboard counts them, or those of one kind. */
export class BooksInPart extends QueryWith<Paged<BookListItem>, { query: BookListQuery }> {}

const ORDERS: Record<Sort, string> = {
  none: 'id desc',
  Title: 'title collate "pl-x-icu", id',
  ISBN: 'isbn',
  Copies: 'copies_available desc, id desc',
};

const pageRow = z.object({ ids: z.array(z.int()), total: z.int() });

@QueryHandler(BooksInPart)
export class BooksInPartHandler implements IQueryHandler<BooksInPart> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly cards: BookCards,
    private readonly clock: Clock,
    private readonly timeZone: LibraryTimeZone,
  ) {}

  async execute({ query }: BooksInPart): Promise<Paged<BookListItem>> {
    const sort = query.SortBy === 'CopiesAvailable' ? 'Copies' : query.SortBy;
    const [where, value] =
      query.Kind === undefined
        ? (['created >= $1', this.monthAgo()] as const)
        : (['kind = $1', query.Kind] as const);
    const page = await queryRow(this.database, pageRow, {
      text: `select
          array(select id from book where ${where} order by ${ORDERS[sort]} limit $2 offset $3) as ids,
          (select count(*)::integer from book where ${where}) as total`,
      values: [value, query.pageSize, (query.pageNumber - 1) * query.pageSize],
    });
    return { items: await this.cards.read(page?.ids ?? []), totalCount: page?.total ?? 0 };
  }

  private monthAgo(): Date {
    const zone = this.timeZone.name;
    return new Date(startOfDay(monthBefore(localDay(this.clock.now().getTime(), zone)), zone));
  }
}
