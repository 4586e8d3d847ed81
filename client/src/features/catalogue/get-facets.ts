import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { facetsSchema } from '#contracts/catalogue/book-facets.js';
import type { ChosenFacets } from '../../domain/catalogue/filter-address.js';
import { queryKeys } from '../../domain/query-keys.js';
import { request } from '../../lib/api/request.js';

/** What the list can be narrowed to, with the books that each value would leave; the last counts stay until the next are there. */
export function useFacets(SearchTerm: string, chosen: ChosenFacets) {
  const query = { SearchTerm, ...chosen };
  return useQuery({
    queryKey: queryKeys.bookFacets(query),
    queryFn: ({ signal }) => request(facetsSchema, 'Book/facets', { query, signal }),
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  });
}
