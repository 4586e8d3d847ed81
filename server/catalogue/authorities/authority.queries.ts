import * as m from '#words/messages.js';
import { Injectable } from '@nestjs/common';
import { DataSource, type SelectQueryBuilder } from 'typeorm';
import { DomainError } from '#contracts/domain-error.js';
import type { Paged } from '#contracts/paging.js';
import type { AuthorityListQuery, AuthorityName } from '#contracts/catalogue/authorities.js';
import type { Authorities, AuthorityKind } from './authority-kinds.js';

export interface AuthorityPageQuery {
  SortBy: string;
  SearchTerm: string;
  pageNumber: number;
  pageSize: number;
}

/** Every word of the term occurs in the name, ignoring accents and case. */
const MATCHES = `authority.folded like all (array(
  select '%' || regexp_replace(word, '([\\\\%_])', '\\\\\\1', 'g') || '%'
  from unnest(string_to_array(fold_name(:term), ' ')) word))`;

/** A short name may be part of any number of others: who types it finds it all the same. */
const IS_THE_TERM = 'authority.folded = fold_name(:term)';

@Injectable()
export class AuthorityQueries {
  constructor(private readonly dataSource: DataSource) {}

  /** Authors, genres or publishers to choose from, for the book form. */
  async list<Name extends AuthorityName>(
    kind: AuthorityKind<Name>,
    query: AuthorityListQuery,
  ): Promise<Authorities[Name]['view'][]> {
    const { SearchTerm: term, pageNumber, pageSize } = query;
    const [byName = ''] = Object.values(kind.orders);
    const found = select(this.dataSource, kind);
    // Without a term the index by name has the page.
    if (term.trim() === '') found.orderBy(byName);
    else found.where(MATCHES, { term }).orderBy(`${IS_THE_TERM} desc, ${byName}`);
    const page = await found
      .limit(pageSize)
      .offset((pageNumber - 1) * pageSize)
      .getMany();
    return page.map((authority) => kind.viewOf(authority));
  }

  /** `GET {Author,Genre,Publisher}/paginated` */
  async page<Name extends AuthorityName>(
    kind: AuthorityKind<Name>,
    query: AuthorityPageQuery,
  ): Promise<Paged<Authorities[Name]['view']>> {
    const order = kind.orders[query.SortBy];
    if (order === undefined) throw new Error(`A ${kind.name} list cannot be sorted by ${query.SortBy}.`);
    const { SearchTerm: term, pageNumber, pageSize } = query;
    const found = select(this.dataSource, kind).where(MATCHES, { term });
    const [page, totalCount] = await Promise.all([
      found
        .clone()
        .orderBy(order)
        .limit(pageSize)
        .offset((pageNumber - 1) * pageSize)
        .getMany(),
      found.getCount(),
    ]);
    return { items: page.map((authority) => kind.viewOf(authority)), totalCount };
  }

  /** @throws DomainError NotFound */
  async get<Name extends AuthorityName>(
    kind: AuthorityKind<Name>,
    id: number,
  ): Promise<Authorities[Name]['view']> {
    const authority = await select(this.dataSource, kind).where({ id }).getOne();
    if (!authority) throw authorityNotFound(kind.name);
    return kind.viewOf(authority);
  }
}

function select<Name extends AuthorityName>(
  dataSource: DataSource,
  kind: AuthorityKind<Name>,
): SelectQueryBuilder<Authorities[Name]['entity']> {
  return dataSource.createQueryBuilder(kind.entity, 'authority');
}

export function authorityNotFound(kind: AuthorityName): DomainError {
  return new DomainError('NotFound', m.authority_not_found({ kind }));
}
