import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import type { BookListItem } from '#contracts/catalogue/book-views.js';
import { LIST_PAGE_SIZE } from '#contracts/lists/reading-lists.js';
import type { Paged } from '#contracts/paging.js';
import { publicAddress, publicThingAt } from '#contracts/public-address.js';
import type { Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import * as m from '#words/messages.js';
import { ListBooks } from '../catalogue/book.queries.js';
import { LibraryLists } from '../catalogue/lists/library-lists.js';
import { NEW_BOOKS } from './public-addresses.js';

const row = z.object({
  id: z.int(),
  description: z.string(),
  language: z.string().nullable(),
  addedAt: z.date(),
  changedAt: z.date(),
});
export type FeedBook = BookListItem & z.output<typeof row>;

/** Books that programs follow: all, the newest first, or those of a list of the library. */
export interface Feed extends Paged<FeedBook> {
  id: string;
  title: string;
  description: string;
  /** The page that shows the same. */
  address: string;
  pageNumber: number;
}

@Injectable()
export class Feeds {
  constructor(
    private readonly lists: LibraryLists,
    private readonly queries: QueryBus,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  /**
   * @returns undefined where there is none, or no such page of it
   * @throws DomainError ListNotFound
   */
  async find(id: string, pageNumber: number): Promise<Feed | undefined> {
    if (id !== NEW_BOOKS && !publicThingAt(`/list/${id}`)) return undefined;
    const page = { pageNumber, pageSize: LIST_PAGE_SIZE };
    const shown =
      id === NEW_BOOKS
        ? {
            ...{ name: m.home_newest(), description: '' },
            ...(await this.queries.execute(
              new ListBooks({ query: { SearchTerm: '', SortBy: 'none', ...page } }),
            )),
          }
        : await this.lists.page(id, page);
    const { name: title, description, items, totalCount } = shown;
    if (items.length === 0 && pageNumber > 1) return undefined;
    const rows = await queryRows(
      this.database,
      row,
      `select id, description, language, created as "addedAt", changed_at as "changedAt" from book where id = any($1::integer[])`,
      [items.map((book) => book.id)],
    );
    const more = new Map(rows.map((book) => [book.id, book]));
    const books = items.flatMap((book) => {
      const known = more.get(book.id);
      return known ? [{ ...book, ...known }] : [];
    });
    const address = id === NEW_BOOKS ? '/' : publicAddress('list', { id, title });
    return { id, title, description, address, pageNumber, items: books, totalCount };
  }
}
