import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError } from '#contracts/domain-error.js';
import type { Paged } from '#contracts/paging.js';
import type { Database } from '#platform/database/database.js';
import { DATABASE } from '#platform/tokens.js';
import type { EntryKind } from './entry-kinds.js';

/** All authors, genres or publishers, for the selects of the book form. */
export class ListEntries<Entry, Body> extends Query<Entry[]> {
  constructor(readonly kind: EntryKind<Entry, Body>) {
    super();
  }
}

export interface EntryPageQuery {
  SortBy: string;
  SearchTerm: string;
  pageNumber: number;
  pageSize: number;
}

/** `GET {Author,Genre,Publisher}/paginated` */
export class PageEntries<Entry, Body> extends Query<Paged<Entry>> {
  constructor(
    readonly kind: EntryKind<Entry, Body>,
    readonly query: EntryPageQuery,
  ) {
    super();
  }
}

export class GetEntry<Entry, Body> extends Query<Entry> {
  constructor(
    readonly kind: EntryKind<Entry, Body>,
    readonly id: number,
  ) {
    super();
  }
}

@QueryHandler(ListEntries)
export class ListEntriesHandler<Entry, Body> implements IQueryHandler<ListEntries<Entry, Body>> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ kind }: ListEntries<Entry, Body>): Promise<Entry[]> {
    const [order] = Object.values(kind.orders);
    const { rows } = await this.database.query(`select ${kind.view} from ${kind.table} order by ${order}`);
    return rows as Entry[];
  }
}

/** Every word of `$1` somewhere in the name, accents and case aside. */
const MATCHES = `folded like all (array(
  select '%' || regexp_replace(word, '([\\\\%_])', '\\\\\\1', 'g') || '%'
  from unnest(string_to_array(fold_name($1), ' ')) word))`;

@QueryHandler(PageEntries)
export class PageEntriesHandler<Entry, Body> implements IQueryHandler<PageEntries<Entry, Body>> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ kind, query }: PageEntries<Entry, Body>): Promise<Paged<Entry>> {
    const order = kind.orders[query.SortBy];
    if (order === undefined) throw new Error(`There is no order ${query.SortBy} of a ${kind.table}.`);
    const { SearchTerm, pageNumber, pageSize } = query;
    const [page, count] = await Promise.all([
      this.database.query(
        `select ${kind.view} from ${kind.table} where ${MATCHES} order by ${order} limit $2 offset $3`,
        [SearchTerm, pageSize, (pageNumber - 1) * pageSize],
      ),
      this.database.query<{ total: number }>(
        `select count(*)::integer as total from ${kind.table} where ${MATCHES}`,
        [SearchTerm],
      ),
    ]);
    return { items: page.rows as Entry[], totalCount: count.rows[0]?.total ?? 0 };
  }
}

@QueryHandler(GetEntry)
export class GetEntryHandler<Entry, Body> implements IQueryHandler<GetEntry<Entry, Body>> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** @throws DomainError NotFound */
  async execute({ kind, id }: GetEntry<Entry, Body>): Promise<Entry> {
    const { rows } = await this.database.query(`select ${kind.view} from ${kind.table} where id = $1`, [id]);
    const [entry] = rows as Entry[];
    if (!entry) throw entryNotFound(kind.table);
    return entry;
  }
}

export function entryNotFound(noun: string): DomainError {
  return new DomainError('NotFound', `This ${noun} is not in the catalogue.`);
}
