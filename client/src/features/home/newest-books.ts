import { useQuery } from '@tanstack/react-query';
import { bookPageSchema, type BookListQuery } from '#contracts/catalogue/book-views.js';
import { request } from '../../lib/api/request.js';
import { queryKeys } from '../../domain/query-keys.js';

const QUERY: BookListQuery = { SortBy: 'none', SearchTerm: '', pageNumber: 1, pageSize: 6 };

/** A few books for the shelf on the home page: the newest. Without them the page is whole all the same. */
export function useNewestBooks() {
  return useQuery({
    queryKey: queryKeys.bookPage(QUERY),
    queryFn: ({ signal }) => request(bookPageSchema, 'Book', { query: QUERY, signal }),
    meta: { inPlace: true },
    retry: false,
  });
}
