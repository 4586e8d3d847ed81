import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import {
  FIRST_BOOKS,
  MAX_LISTS,
  STANDING_LIST_NAMES,
  STANDING_LIST_TITLES,
  STANDING_LISTS,
  type ListBody,
  type ListPageQuery,
  type OwnList,
  type OwnListPage,
  type StandingList,
} from '#contracts/lists/reading-lists.js';
import { Clock } from '#platform/clock.js';
import type { Database, Queryable } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import {
  OwnedLists,
  listNotFound,
  nameTaken,
  readerWith,
  standingId,
  standingOf,
  titleOf,
} from './owned-lists.js';
import { ListedBooks } from './listed-books.js';

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
  .transform(({ hasBook, ...list }): OwnList => {
    const called = { ...list, name: titleOf(list) };
    return hasBook === null ? called : { ...called, hasBook };
  });

const LISTS = `
  select l.id, l.standing, l.name, l.description, l.share_digest is not null as "isShared", l.changed_at as "changedAt",
    (select count(*)::integer from reading_list_book b where b.list_id = l.id) as books,
    array(select b.book_id from reading_list_book b where b.list_id = l.id order by b.place, b.book_id limit ${FIRST_BOOKS}) as "firstBooks",
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
    private readonly kept: OwnedLists,
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
    await this.kept.refusingTakenName(name, async (connection) => {
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
      if ((has?.lists ?? 0) >= MAX_LISTS) {
        throw new DomainError('TooManyLists', m.catalogue_own_lists_full({ most: MAX_LISTS }));
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
  async change(accountId: string, id: string, body: ListBody): Promise<OwnList> {
    const which = standingOf(accountId, id);
    const isSame = which !== undefined && body.name === STANDING_LIST_TITLES[which]();
    const stored = isSame ? { ...body, name: STANDING_LIST_NAMES[which] } : body;
    await this.kept.change(readerWith(accountId), id, stored, async (connection, { standing }) => {
      if (standing === null) await refuseStandingName(connection, stored.name);
      else if (stored.name !== STANDING_LIST_NAMES[standing])
        throw new DomainError(
          'ListStays',
          m.catalogue_list_keeps_name({ name: STANDING_LIST_TITLES[standing]() }),
        );
    });
    return this.get(accountId, id);
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

/** A standing list on which nothing was ever put. */
function unwritten(accountId: string, which: StandingList): OwnList {
  return {
    id: standingId(accountId, which),
    standing: which,
    name: STANDING_LIST_TITLES[which](),
    description: '',
    books: 0,
    firstBooks: [],
    isShared: false,
    changedAt: null,
  };
}
