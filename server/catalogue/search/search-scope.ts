import { isFiltered, type BookFilter } from '#contracts/catalogue/book-facets.js';
import { FACETS } from '#contracts/catalogue/facet-names.js';
import type { SearchQuery } from './search-term.js';

/** Which books are wanted: those that a query finds, or all; narrowed by a filter, or not. */
export interface SearchScope {
  query: SearchQuery | undefined;
  filter: BookFilter | undefined;
  /** The same for what wants the same. */
  key: string;
}

export function searchScopeOf(query: SearchQuery | undefined, filter: BookFilter | undefined): SearchScope {
  const narrowed = filter && isFiltered(filter) ? filter : undefined;
  return { query, filter: narrowed, key: `${keyOf(narrowed)}|${query?.text ?? ''}` };
}

function keyOf(filter: BookFilter | undefined): string {
  if (!filter) return '';
  const chosen = FACETS.map((facet) => [...(filter[facet] ?? [])].sort().join(','));
  return [...chosen, filter.available ?? ''].join(';');
}
