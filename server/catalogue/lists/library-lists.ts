import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import {
  HOME_LIST_SIZE,
  type HomeLists,
  type LibraryList,
  type LibraryListChange,
  type LibraryListPage,
  type NewLibraryList,
} from '#contracts/lists/library-lists.js';
import { FIRST_BOOKS, MAX_LISTS, type ListPageQuery } from '#contracts/lists/reading-lists.js';
import { Clock } from '#platform/clock.js';
import { inTransaction, type Connection, type Database } from '#platform/database/database.js';
import { LOCKS } from '#platform/database/locks.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { BookCards } from '../book-cards.js';
import { refuseStale } from '../catalogue-changes.js';
import { OwnedLists, libraryBy, listNotFound } from './owned-lists.js';
import { ListedBooks } from './listed-books.js';

const listRow = z
  .object({
    id: z.uuid(),
    name: z.string(),
    description: z.string(),
    onHome: z.boolean(),
    books: z.int(),
    firstBooks: z.array(z.int()),
    version: z.int(),
    changedAt: z.date(),
    changedBy: z.string().nullable(),
  })
  .transform(({ changedAt, ...list }): LibraryList => ({ ...list, changedAt: changedAt.toISOString() }));

const LISTS = `
  select l.id, l.name, l.description, l.on_home as "onHome", l.version, l.changed_at as "changedAt",
    a.fullname as "changedBy",
    (select count(*)::integer from reading_list_book b where b.list_id = l.id) as books,
    array(select b.book_id from reading_list_book b where b.list_id = l.id order by b.place, b.book_id limit ${FIRST_BOOKS}) as "firstBooks"
  from reading_list l left join account a on a.id = l.changed_by
  where l.account_id is null and ($1::uuid is null or l.id = $1)
  order by l.position, l.id`;

const homeRow = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  books: z.array(z.int()),
});
const headRow = homeRow.omit({ books: true });
const idRow = z.object({ id: z.uuid() });

/** Who of the staff does something. */
interface By {
  accountId: string;
}

/** The lists that librarians keep for everybody. */
@Injectable()
export class LibraryLists {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly kept: OwnedLists,
    private readonly books: ListedBooks,
    private readonly cards: BookCards,
    private readonly clock: Clock,
  ) {}

  /** In the order in which the home page shows them. */
  all(): Promise<LibraryList[]> {
    return queryRows(this.database, listRow, LISTS, [null]);
  }

  /** Those that the home page shows, with their first books. */
  async onHome(): Promise<HomeLists> {
    const lists = await queryRows(this.database, homeRow, {
      name: 'lists-on-home',
      text: `select l.id, l.name, l.description, array(
          select b.book_id from reading_list_book b where b.list_id = l.id order by b.place, b.book_id limit ${HOME_LIST_SIZE}
        ) as books
        from reading_list l where l.account_id is null and l.on_home order by l.position, l.id`,
      values: [],
    });
    const shown = await Promise.all(
      lists.map(async (list) => ({ ...list, books: await this.cards.read(list.books) })),
    );
    return shown.filter(({ books }) => books.length > 0);
  }

  /** A list and a page of its books. @throws DomainError ListNotFound */
  async page(id: string, page: ListPageQuery): Promise<LibraryListPage> {
    const list = await queryRow(
      this.database,
      headRow,
      'select id, name, description from reading_list where id = $1 and account_id is null',
      [id],
    );
    if (!list) throw listNotFound();
    const { items, totalCount } = await this.books.page(id, page);
    return { ...list, items: items.map(({ book }) => book), totalCount };
  }

  /** @throws DomainError ListNotFound */
  async get(id: string): Promise<LibraryList> {
    const list = await queryRow(this.database, listRow, LISTS, [id]);
    if (!list) throw listNotFound();
    return list;
  }

  /**
   * @param id the same for every attempt at the same request
   * @throws DomainError NameTaken, TooManyLists
   */
  async add(id: string, { name, description, onHome }: NewLibraryList, by: By): Promise<LibraryList> {
    await this.kept.refusingTakenName(name, async (connection) => {
      const order = await this.lockOrder(connection);
      if (order.includes(id)) return;
      if (order.length >= MAX_LISTS) {
        throw new DomainError('TooManyLists', m.catalogue_library_lists_full({ most: MAX_LISTS }));
      }
      await connection.query(
        `insert into reading_list (id, name, description, on_home, position, created_at, changed_at, changed_by)
         select $1, $2, $3, $4, coalesce(max(position), 0) + 1, $5, $5, $6
         from reading_list where account_id is null`,
        [id, name, description, onHome, this.clock.now(), by.accountId],
      );
    });
    return this.get(id);
  }

  /** @throws DomainError ListNotFound, EditedMeanwhile, NameTaken */
  async change(id: string, list: LibraryListChange, by: By): Promise<LibraryList> {
    await this.kept.change(libraryBy(by), id, list, (_connection, { version }) =>
      refuseStale('list', list.version, version),
    );
    return this.get(id);
  }

  /**
   * Gives a list its place among the library's.
   * @param place counts from 1; beyond the end is the end
   * @throws DomainError ListNotFound
   */
  async move(id: string, place: number): Promise<void> {
    await inTransaction(this.database, async (connection) => {
      const order = await this.lockOrder(connection);
      const others = order.filter((each) => each !== id);
      if (others.length === order.length) throw listNotFound();
      others.splice(place - 1, 0, id);
      await connection.query(
        `update reading_list l set position = o.position::integer
         from unnest($1::uuid[]) with ordinality o (id, position) where l.id = o.id and l.position <> o.position`,
        [others],
      );
    });
  }

  /** The lists in their order, which nobody else changes until the end of the transaction. */
  private async lockOrder(connection: Connection): Promise<string[]> {
    await connection.query('select pg_advisory_xact_lock($1)', [LOCKS.libraryLists]);
    const rows = await queryRows(
      connection,
      idRow,
      'select id from reading_list where account_id is null order by position, id',
    );
    return rows.map(({ id }) => id);
  }
}
