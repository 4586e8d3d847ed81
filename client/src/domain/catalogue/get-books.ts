import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { bookPageSchema, type BookListQuery } from '#contracts/catalogue/book-views.js';
import { request } from '../../lib/api/request.js';
import { queryKeys } from '../query-keys.js';

/** A page of the catalogue; the previous page stays while the next one loads. */
export function useBooks(query: BookListQuery) {
  return useQuery({
    queryKey: queryKeys.bookPage(query),
    queryFn: ({ signal }) => request(bookPageSchema, 'Book', { query, signal }),
    placeholderData: keepPreviousData,
  });
}
