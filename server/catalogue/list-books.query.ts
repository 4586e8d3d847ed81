import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { BookListItem, BookListQuery } from '#contracts/catalogue/book-views.js';
import type { Paged } from '#contracts/paging.js';
import { BookCards } from './book-cards.js';
import { BrowseOrder } from './search/browse-order.js';
import { BookMatches } from './search/book-matches.js';
import type { FoundPage, PageWindow, Sort } from './search/found-page.js';
import { QueryReader } from './search/query-reader.js';
import { Spelling } from './search/spelling.js';

/** `GET Book` */
export class ListBooks extends Query<Paged<BookListItem>> {
  constructor(readonly query: BookListQuery) {
    super();
  }
}

@QueryHandler(ListBooks)
export class ListBooksHandler implements IQueryHandler<ListBooks> {
  constructor(
    private readonly cards: BookCards,
    private readonly reader: QueryReader,
    private readonly browse: BrowseOrder,
    private readonly matches: BookMatches,
    private readonly spelling: Spelling,
  ) {}

  async execute({ query }: ListBooks): Promise<Paged<BookListItem>> {
    const sort = query.SortBy === 'CopiesAvailable' ? 'Copies' : query.SortBy;
    const page = { offset: (query.pageNumber - 1) * query.pageSize, limit: query.pageSize };
    const { ids, total } = await this.find(query.SearchTerm, sort, page);
    return { items: await this.cards.read(ids), totalCount: total };
  }

  private async find(term: string, sort: Sort, page: PageWindow): Promise<FoundPage> {
    if (term.trim() === '') return this.browse.page(sort, page);
    const query = await this.reader.read(term);
    if (!query) return { ids: [], total: 0 };
    const found = await this.matches.page(query, sort, page);
    if (found.total > 0) return found;
    for (const corrected of await this.spelling.corrections(query)) {
      const forgiven = await this.matches.page(corrected, sort, page);
      if (forgiven.total > 0) return forgiven;
    }
    return found;
  }
}
