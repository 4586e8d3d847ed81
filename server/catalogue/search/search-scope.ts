import { isFiltered, type BookFilter } from '#contracts/catalogue/book-facets.js';
import { FACETS } from '#contracts/catalogue/facet-names.js';
import type { SearchQuery } from './search-term.js';

/** Which books are wanted: those that a query finds, some by name, or all; narrowed by a filter, or not. */
export interface SearchScope {
  query: SearchQuery | undefined;
  /** These books, which are in this order where no other is asked for. */
  ids?: readonly number[] | undefined;
  filter: BookFilter | undefined;
  /** The same for what wants the same. */
  key: string;
}

export function searchScopeOf(query: SearchQuery | undefined, filter: BookFilter | undefined): SearchScope {
  const narrowed = filter && isFiltered(filter) ? filter : undefined;
  return { query, filter: narrowed, key: `${keyOf(narrowed)}|${query?.key ?? ''}` };
}

/** The scope of these books and no others. */
export function scopeOfBooks(ids: readonly number[], filter: BookFilter | undefined): SearchScope {
  const { filter: narrowed, key } = searchScopeOf(undefined, filter);
  return { query: undefined, ids, filter: narrowed, key: `${key}#${ids.join(',')}` };
}

/** The same books, narrowed by another filter. */
export function narrowedTo({ query, ids }: SearchScope, filter: BookFilter | undefined): SearchScope {
  return ids ? scopeOfBooks(ids, filter) : searchScopeOf(query, filter);
}

function keyOf(filter: BookFilter | undefined): string {
  if (!filter) return '';
  const chosen = FACETS.map((facet) => [...(filter[facet] ?? [])].sort().join(','));
  return [...chosen, filter.available ?? ''].join(';');
}
