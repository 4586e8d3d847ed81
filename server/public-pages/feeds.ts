import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { BookListItem } from '#contracts/catalogue/book-views.js';
import { DomainError } from '#contracts/domain-error.js';
import { LIST_PAGE_SIZE } from '#contracts/lists/reading-lists.js';
import { publicAddress, publicThingAt } from '#contracts/public-address.js';
import type { Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import * as m from '#words/messages.js';
import { BookCards } from '../catalogue/book-cards.js';
import { LibraryLists } from '../catalogue/lists/library-lists.js';
import { NEW_BOOKS } from './public-addresses.js';

/** So many of the newest books are told; the whole catalogue is no news. */
const NEWEST = 500;

const row = z.object({
  id: z.int(),
  description: z.string(),
  language: z.string().nullable(),
  addedAt: z.date(),
  changedAt: z.date(),
});
export type FeedBook = BookListItem & z.output<typeof row>;

/** Books that programs follow: those that are new, or those of a list of the library. */
export interface Feed {
  id: string;
  title: string;
  description: string;
  /** The page that shows the same. */
  address: string;
  updatedAt: Date;
  books: FeedBook[];
  page: number;
  pageSize: number;
  totalCount: number;
}

const BOOK = 'b.id, b.description, b.language, b.changed_at as "changedAt"';
const PAGE = `limit ${LIST_PAGE_SIZE} offset $1`;
const NEW = `select ${BOOK}, b.created as "addedAt"
  from (select * from book order by id desc limit ${NEWEST}) b order by b.id desc ${PAGE}`;
const OF_LIST = `select ${BOOK}, l.added_at as "addedAt"
  from reading_list_book l join book b on b.id = l.book_id where l.list_id = $2 order by l.place, b.id ${PAGE}`;
const COUNT = `select count(*)::integer as books from (select from book limit ${NEWEST}) b`;

@Injectable()
export class Feeds {
  constructor(
    private readonly lists: LibraryLists,
    private readonly cards: BookCards,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  /** @returns undefined where there is none, or no such page of it */
  async find(id: string, page: number): Promise<Feed | undefined> {
    const about = await this.about(id);
    if (!about || (page > 1 && (page - 1) * LIST_PAGE_SIZE >= about.totalCount)) return undefined;
    const skipped = (page - 1) * LIST_PAGE_SIZE;
    const rows = await (id === NEW_BOOKS
      ? queryRows(this.database, row, NEW, [skipped])
      : queryRows(this.database, row, OF_LIST, [skipped, id]));
    const cards = new Map(
      (await this.cards.read(rows.map((book) => book.id))).map((card) => [card.id, card]),
    );
    const books = rows.flatMap((book) => {
      const card = cards.get(book.id);
      return card ? [{ ...card, ...book }] : [];
    });
    const times = [about.changedAt, ...books.map(({ addedAt, changedAt }) => max(addedAt, changedAt))];
    const updatedAt = times.reduce(max);
    return { ...about, id, books, page, pageSize: LIST_PAGE_SIZE, updatedAt };
  }

  private async about(id: string) {
    const noTime = new Date(0);
    if (id === NEW_BOOKS) {
      const count = await queryRow(this.database, z.object({ books: z.int() }), COUNT);
      const about = { title: m.home_newest(), description: '', address: '/' };
      return { ...about, totalCount: count?.books ?? 0, changedAt: noTime };
    }
    if (!publicThingAt(`/list/${id}`)) return undefined;
    try {
      const { name: title, description, books, changedAt } = await this.lists.get(id);
      const address = publicAddress('list', { id, title });
      return { title, description, address, totalCount: books, changedAt: new Date(changedAt) };
    } catch (error) {
      if (error instanceof DomainError && error.code === 'ListNotFound') return undefined;
      throw error;
    }
  }
}

const max = (one: Date, other: Date) => (one > other ? one : other);
