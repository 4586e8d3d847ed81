import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';
import {
  bookSortSchema,
  CATALOGUE_PAGE_SIZE,
  type BookListQuery,
  type BookSort,
} from '#contracts/catalogue/book-views.js';

export interface CatalogueAddress {
  query: BookListQuery;
  search: (term: string) => void;
  sort: (by: BookSort) => void;
  turnTo: (page: number) => void;
}

/** Search, sort and page live in the address, so that a list can be shared, kept and gone back to. */
export function useCatalogueAddress(): CatalogueAddress {
  const [params, setParams] = useSearchParams();
  const sorted = bookSortSchema.safeParse(params.get('sort') ?? 'none');
  const page = Number(params.get('page') ?? 1);
  const change = useCallback(
    (changes: Record<string, string>, replace = false) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          for (const [name, value] of Object.entries(changes)) {
            if (value === '') after.delete(name);
            else after.set(name, value);
          }
          return after;
        },
        { replace, preventScrollReset: replace },
      ),
    [setParams],
  );
  return {
    query: {
      SearchTerm: (params.get('q') ?? '').slice(0, 200),
      SortBy: sorted.success ? sorted.data : 'none',
      pageNumber: Number.isInteger(page) && page >= 1 ? page : 1,
      pageSize: CATALOGUE_PAGE_SIZE,
    },
    search: (term) => change({ q: term, page: '' }, true),
    sort: (by) => change({ sort: by === 'none' ? '' : by, page: '' }, true),
    turnTo: (next) => change({ page: next === 1 ? '' : String(next) }),
  };
}
