import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { BookListItem } from '#contracts/catalogue/book-views.js';
import { DomainError } from '#contracts/domain-error.js';
import {
  MAX_BOOKS_PER_LIST,
  type AddedToList,
  type AddToList,
  type RemovedFromList,
} from '#contracts/lists/reading-lists.js';
import type { Paged } from '#contracts/paging.js';
import type { Connection, Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { BookCards } from '../book-cards.js';
import { OwnedLists, type Owner } from './owned-lists.js';

/** A book of a list, and when it was put there. */
export interface ListedBook {
  book: BookListItem;
  addedAt: Date;
}

const standingRow = z.object({ books: z.int(), last: z.int(), has: z.boolean() });
const bookRow = z.object({ id: z.int() });
const pageRow = z.object({ id: z.int(), addedAt: z.date() });
const countRow = z.object({ books: z.int() });

/**
 * The books of a list, whoever's it is. The row of the list is locked while they are changed, so that two at once neither
 * go beyond the limit nor mix up the order.
 */
@Injectable()
export class ListedBooks {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly lists: OwnedLists,
    private readonly cards: BookCards,
  ) {}

  /** A page of a list in its order. @param page counts from 1 */
  async page(
    listId: string,
    { pageNumber, pageSize }: { pageNumber: number; pageSize: number },
  ): Promise<Paged<ListedBook>> {
    const [rows, count] = await Promise.all([
      queryRows(this.database, pageRow, {
        name: 'list-page',
        text: `select book_id as id, added_at as "addedAt" from reading_list_book where list_id = $1
          order by place, book_id limit $2 offset $3`,
        values: [listId, pageSize, (pageNumber - 1) * pageSize],
      }),
      queryRow(
        this.database,
        countRow,
        'select count(*)::integer as books from reading_list_book where list_id = $1',
        [listId],
      ),
    ]);
    const cards = new Map((await this.cards.read(rows.map(({ id }) => id))).map((card) => [card.id, card]));
    const items = rows.flatMap(({ id, addedAt }) => {
      const book = cards.get(id);
      return book ? [{ book, addedAt }] : [];
    });
    return { items, totalCount: count?.books ?? 0 };
  }

  /**
   * Puts a book on the list; one that is there stays where it is.
   * @throws DomainError ListNotFound, BookNotFound, ListFull
   */
  add(owner: Owner, listId: string, { bookId, place }: AddToList): Promise<AddedToList> {
    return this.lists.changeBooks(owner, listId, async (connection, now) => {
      const standing = await this.standing(connection, listId, bookId);
      if (standing.has) return { added: false, books: standing.books };
      if (standing.books >= MAX_BOOKS_PER_LIST) {
        throw new DomainError('ListFull', m.catalogue_list_full({ most: MAX_BOOKS_PER_LIST }));
      }
      const { rowCount } = await connection.query(
        `insert into reading_list_book (list_id, book_id, place, added_at)
         select $1, b.id, $3, $4 from book b where b.id = $2 for key share of b`,
        [listId, bookId, standing.last + 1, now],
      );
      if (rowCount === 0) throw new DomainError('BookNotFound', m.catalogue_book_not_there());
      if (place !== undefined) await this.place(connection, listId, bookId, place);
      return { added: true, books: standing.books + 1 };
    });
  }

  /** Takes a book off the list; one that is not there is no error. @throws DomainError ListNotFound */
  remove(owner: Owner, listId: string, bookId: number): Promise<RemovedFromList> {
    return this.lists.changeBooks(owner, listId, async (connection) => {
      const order = await this.order(connection, listId);
      const at = order.indexOf(bookId);
      if (at < 0) return { place: null, books: order.length };
      await connection.query('delete from reading_list_book where list_id = $1 and book_id = $2', [
        listId,
        bookId,
      ]);
      return { place: at + 1, books: order.length - 1 };
    });
  }

  /**
   * Gives a book its place in the list.
   * @param place counts from 1; beyond the end is the end
   * @throws DomainError ListNotFound, BookNotListed
   */
  move(owner: Owner, listId: string, bookId: number, place: number): Promise<void> {
    return this.lists.changeBooks(owner, listId, (connection) =>
      this.place(connection, listId, bookId, place),
    );
  }

  private async place(connection: Connection, listId: string, bookId: number, place: number): Promise<void> {
    const order = await this.order(connection, listId);
    const others = order.filter((id) => id !== bookId);
    if (others.length === order.length) throw new DomainError('BookNotListed', m.catalogue_not_on_list());
    others.splice(place - 1, 0, bookId);
    await connection.query(
      `update reading_list_book b set place = o.place::integer
       from unnest($2::integer[]) with ordinality o (book_id, place)
       where b.list_id = $1 and b.book_id = o.book_id and b.place <> o.place`,
      [listId, others],
    );
  }

  private async standing(connection: Connection, listId: string, bookId: number) {
    const row = await queryRow(
      connection,
      standingRow,
      `select count(*)::integer as books, coalesce(max(place), 0) as last,
         coalesce(bool_or(book_id = $2), false) as has
       from reading_list_book where list_id = $1`,
      [listId, bookId],
    );
    return row ?? { books: 0, last: 0, has: false };
  }

  private async order(connection: Connection, listId: string): Promise<number[]> {
    const rows = await queryRows(
      connection,
      bookRow,
      'select book_id as id from reading_list_book where list_id = $1 order by place, book_id',
      [listId],
    );
    return rows.map(({ id }) => id);
  }
}
