import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError } from '#contracts/domain-error.js';
import type { Paged } from '#contracts/paging.js';
import type { Database } from '#platform/database/database.js';
import { DATABASE } from '#platform/tokens.js';
import { CatalogueCache } from '../catalogue-cache.js';
import type { AuthorityKind } from './authority-kinds.js';

/** All authors, genres or publishers, for the selects of the book form. */
export class ListAuthorities<Authority, Body> extends Query<Authority[]> {
  constructor(readonly kind: AuthorityKind<Authority, Body>) {
    super();
  }
}

export interface AuthorityPageQuery {
  SortBy: string;
  SearchTerm: string;
  pageNumber: number;
  pageSize: number;
}

/** `GET {Author,Genre,Publisher}/paginated` */
export class PageAuthorities<Authority, Body> extends Query<Paged<Authority>> {
  constructor(
    readonly kind: AuthorityKind<Authority, Body>,
    readonly query: AuthorityPageQuery,
  ) {
    super();
  }
}

export class GetAuthority<Authority, Body> extends Query<Authority> {
  constructor(
    readonly kind: AuthorityKind<Authority, Body>,
    readonly id: number,
  ) {
    super();
  }
}

/** What an authority takes in memory, in numbers. */
const NUMBERS_OF_AN_ENTRY = 100;

@QueryHandler(ListAuthorities)
export class ListAuthoritiesHandler<Authority, Body> implements IQueryHandler<
  ListAuthorities<Authority, Body>
> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly cache: CatalogueCache,
  ) {}

  execute({ kind }: ListAuthorities<Authority, Body>): Promise<Authority[]> {
    const [order] = Object.values(kind.orders);
    return this.cache.getOrLoad(
      `all of ${kind.table}`,
      async () => {
        const { rows } = await this.database.query(
          `select ${kind.view} from ${kind.table} order by ${order}`,
        );
        return rows as Authority[];
      },
      (authorities) => authorities.length * NUMBERS_OF_AN_ENTRY,
    );
  }
}

/** Every word of `$1` somewhere in the name, accents and case aside. */
const MATCHES = `folded like all (array(
  select '%' || regexp_replace(word, '([\\\\%_])', '\\\\\\1', 'g') || '%'
  from unnest(string_to_array(fold_name($1), ' ')) word))`;

@QueryHandler(PageAuthorities)
export class PageAuthoritiesHandler<Authority, Body> implements IQueryHandler<
  PageAuthorities<Authority, Body>
> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ kind, query }: PageAuthorities<Authority, Body>): Promise<Paged<Authority>> {
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
    return { items: page.rows as Authority[], totalCount: count.rows[0]?.total ?? 0 };
  }
}

@QueryHandler(GetAuthority)
export class GetAuthorityHandler<Authority, Body> implements IQueryHandler<GetAuthority<Authority, Body>> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** @throws DomainError NotFound */
  async execute({ kind, id }: GetAuthority<Authority, Body>): Promise<Authority> {
    const { rows } = await this.database.query(`select ${kind.view} from ${kind.table} where id = $1`, [id]);
    const [authority] = rows as Authority[];
    if (!authority) throw entryNotFound(kind.table);
    return authority;
  }
}

export function entryNotFound(noun: string): DomainError {
  return new DomainError('NotFound', `This ${noun} is not in the catalogue.`);
}
