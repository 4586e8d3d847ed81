import { Inject, Injectable } from '@nestjs/common';
import { v5 as uuidFromName } from 'uuid';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import {
  MOST_LISTS,
  STANDING_LIST_NAMES,
  STANDING_LISTS,
  type AddedToList,
  type AddToList,
  type ListBody,
  type ListPageQuery,
  type OwnList,
  type OwnListPage,
  type RemovedFromList,
  type StandingList,
} from '#contracts/lists/reading-lists.js';
import { Clock } from '#platform/clock.js';
import {
  inTransaction,
  type Connection,
  type Database,
  type Queryable,
} from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { violatedUniqueness } from '../catalogue-changes.js';
import { ListedBooks } from './listed-books.js';

/** Any fixed UUID: the ids of standing lists are made of it and of their readers'. */
const NAMESPACE = '7a4c1f0e-93bd-4f5e-8a4d-2f1f6c1d0b58';

const listRow = z
  .object({
    id: z.uuid(),
    standing: z.enum(STANDING_LISTS).nullable(),
    name: z.string(),
    description: z.string(),
    books: z.int(),
    firstBooks: z.array(z.int()),
    isShared: z.boolean(),
    changedAt: z.date().transform((at) => at.toISOString()),
    hasBook: z.boolean().nullable(),
  })
  .transform(({ hasBook, ...list }): OwnList => (hasBook === null ? list : { ...list, hasBook }));

const LISTS = `
  select l.id, l.standing, l.name, l.description, l.share_digest is not null as "isShared", l.changed_at as "changedAt",
    (select count(*)::integer from reading_list_book b where b.list_id = l.id) as books,
    array(select b.book_id from reading_list_book b where b.list_id = l.id order by b.place, b.book_id limit 3) as "firstBooks",
    case when $2::integer is not null
      then exists (select from reading_list_book b where b.list_id = l.id and b.book_id = $2) end as "hasBook"
  from reading_list l
  where l.account_id = $1 and ($3::uuid is null or l.id = $3)
  order by l.name collate "pl-x-icu", l.id`;

const idRow = z.object({ id: z.uuid() });
const countRow = z.object({ lists: z.int(), isStanding: z.boolean() });

/** The lists that readers keep for themselves: of anybody else's, a reader does not even learn that they are there. */
@Injectable()
export class OwnLists {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly books: ListedBooks,
    private readonly clock: Clock,
  ) {}

  /**
   * All lists of a reader, the standing ones first.
   * @param bookId the book of which each says whether it is there
   */
  async all(accountId: string, bookId?: number): Promise<OwnList[]> {
    const lists = await queryRows(this.database, listRow, LISTS, [accountId, bookId ?? null, null]);
    const standing = STANDING_LISTS.map(
      (which) =>
        lists.find((list) => list.standing === which) ?? {
          ...unwritten(accountId, which),
          ...(bookId !== undefined && { hasBook: false }),
        },
    );
    return [...standing, ...lists.filter((list) => list.standing === null)];
  }

  /** @throws DomainError ListNotFound */
  async get(accountId: string, id: string): Promise<OwnList> {
    const list = await queryRow(this.database, listRow, LISTS, [accountId, null, id]);
    if (list) return list;
    const which = standingOf(accountId, id);
    if (which === undefined) throw listNotFound();
    return unwritten(accountId, which);
  }

  /** The list and a page of its books. @throws DomainError ListNotFound */
  async page(accountId: string, id: string, page: ListPageQuery): Promise<OwnListPage> {
    const list = await this.get(accountId, id);
    const { items, totalCount } = await this.books.page(id, page);
    return {
      ...list,
      items: items.map(({ book, addedAt }) => ({ book, addedAt: addedAt.toISOString() })),
      totalCount,
    };
  }

  /**
   * @param id the same for every attempt at the same request
   * @throws DomainError NameTaken, TooManyLists
   */
  async add(accountId: string, id: string, { name, description }: ListBody): Promise<OwnList> {
    await this.refusingTakenName(name, async (connection) => {
      // Whoever adds one at the same time waits here, so that both together keep to the limit.
      await connection.query('select from account where id = $1 for no key update', [accountId]);
      const known = await queryRow(
        connection,
        idRow,
        'select id from reading_list where id = $1 and account_id = $2',
        [id, accountId],
      );
      if (known) return;
      const has = await queryRow(
        connection,
        countRow,
        `select count(*) filter (where standing is null)::integer as lists, ${IS_STANDING_NAME('$2')} as "isStanding"
         from reading_list where account_id = $1`,
        [accountId, name],
      );
      if (has?.isStanding) throw nameTaken(name);
      if ((has?.lists ?? 0) >= MOST_LISTS) {
        throw new DomainError(
          'TooManyLists',
          `You have ${MOST_LISTS} lists already: delete one that you do not need any more first.`,
        );
      }
      await connection.query(
        `insert into reading_list (id, account_id, name, description, on_home, created_at, changed_at)
         values ($1, $2, $3, $4, false, $5, $5)`,
        [id, accountId, name, description, this.clock.now()],
      );
    });
    return this.get(accountId, id);
  }

  /** @throws DomainError ListNotFound, ListStays, NameTaken */
  async change(accountId: string, id: string, { name, description }: ListBody): Promise<OwnList> {
    await this.refusingTakenName(name, async (connection) => {
      const standing = await this.lock(connection, accountId, id);
      if (standing !== null && name !== STANDING_LIST_NAMES[standing]) {
        throw new DomainError('ListStays', `“${STANDING_LIST_NAMES[standing]}” keeps its name.`);
      }
      if (standing === null) await refuseStandingName(connection, name);
      await connection.query(
        'update reading_list set name = $2, description = $3, changed_at = $4 where id = $1',
        [id, name, description, this.clock.now()],
      );
    });
    return this.get(accountId, id);
  }

  /** @throws DomainError ListNotFound, ListStays */
  async remove(accountId: string, id: string): Promise<void> {
    const standing = standingOf(accountId, id);
    if (standing !== undefined) {
      throw new DomainError('ListStays', `“${STANDING_LIST_NAMES[standing]}” cannot be deleted.`);
    }
    const { rowCount } = await this.database.query(
      'delete from reading_list where id = $1 and account_id = $2',
      [id, accountId],
    );
    if (rowCount === 0) throw listNotFound();
  }

  /** @throws DomainError ListNotFound, BookNotFound, ListFull */
  addBook(accountId: string, id: string, wanted: AddToList): Promise<AddedToList> {
    return this.changeBooks(accountId, id, (connection, now) => this.books.add(connection, id, wanted, now));
  }

  /** @throws DomainError ListNotFound */
  removeBook(accountId: string, id: string, bookId: number): Promise<RemovedFromList> {
    return this.changeBooks(accountId, id, (connection) => this.books.remove(connection, id, bookId));
  }

  /** @throws DomainError ListNotFound, BookNotListed */
  moveBook(accountId: string, id: string, bookId: number, place: number): Promise<void> {
    return this.changeBooks(accountId, id, (connection) => this.books.move(connection, id, bookId, place));
  }

  /**
   * Locks a list of the reader's, written down before where it is a standing one.
   * @returns which standing one it is; null for any other
   * @throws DomainError ListNotFound
   */
  async lock(connection: Connection, accountId: string, id: string): Promise<StandingList | null> {
    const which = standingOf(accountId, id);
    if (which !== undefined) {
      // Whatever they meet in: of two at once, the second may find the name taken before it finds the id.
      await connection.query(
        `insert into reading_list (id, account_id, standing, name, description, on_home, created_at, changed_at)
         values ($1, $2, $3, $4, '', false, $5, $5) on conflict do nothing`,
        [id, accountId, which, STANDING_LIST_NAMES[which], this.clock.now()],
      );
    }
    const list = await queryRow(
      connection,
      idRow,
      'select id from reading_list where id = $1 and account_id = $2 for update',
      [id, accountId],
    );
    if (!list) throw listNotFound();
    return which ?? null;
  }

  private changeBooks<Result>(
    accountId: string,
    id: string,
    work: (connection: Connection, now: Date) => Promise<Result>,
  ): Promise<Result> {
    return inTransaction(this.database, async (connection) => {
      await this.lock(connection, accountId, id);
      const now = this.clock.now();
      const result = await work(connection, now);
      await connection.query('update reading_list set changed_at = $2 where id = $1', [id, now]);
      return result;
    });
  }

  private async refusingTakenName(
    name: string,
    work: (connection: Connection) => Promise<void>,
  ): Promise<void> {
    try {
      await inTransaction(this.database, work);
    } catch (error) {
      throw violatedUniqueness(error) === 'reading_list_name' ? nameTaken(name) : error;
    }
  }
}

/** Whether a name is that of a standing list, which may not be written down yet. */
const IS_STANDING_NAME = (parameter: string) =>
  `fold_name(${parameter}) = any(array[${STANDING_LISTS.map((which) => `fold_name('${STANDING_LIST_NAMES[which]}')`).join()}])`;

const standingNameRow = z.object({ isStanding: z.boolean() });

async function refuseStandingName(connection: Queryable, name: string): Promise<void> {
  const row = await queryRow(
    connection,
    standingNameRow,
    `select ${IS_STANDING_NAME('$1')} as "isStanding"`,
    [name],
  );
  if (row?.isStanding) throw nameTaken(name);
}

const standingId = (accountId: string, which: StandingList) =>
  uuidFromName(`${accountId} ${which}`, NAMESPACE);

/** Which standing list of the reader's has this id, if any. */
const standingOf = (accountId: string, id: string) =>
  STANDING_LISTS.find((which) => standingId(accountId, which) === id.toLowerCase());

/** A standing list on which nothing was ever put. */
function unwritten(accountId: string, which: StandingList): OwnList {
  return {
    id: standingId(accountId, which),
    standing: which,
    name: STANDING_LIST_NAMES[which],
    description: '',
    books: 0,
    firstBooks: [],
    isShared: false,
    changedAt: null,
  };
}

/** The same words for whoever asks: nobody learns what others have. */
export function listNotFound(): DomainError {
  return new DomainError('ListNotFound', 'There is no such list: it may have been deleted.');
}

export function nameTaken(name: string): DomainError {
  return new DomainError('NameTaken', `There is a list “${name}” already: please choose another name.`);
}
