import { useQuery } from '@tanstack/react-query';
import { bookSchema } from '#contracts/catalogue/book-views.js';
import { request } from '../../lib/api/request.js';
import { queryKeys } from '../query-keys.js';

/** A book with everything that its page shows. */
export function useBook(id: number) {
  return useQuery({
    queryKey: queryKeys.book(id),
    queryFn: ({ signal }) => request(bookSchema, `Book/${id}`, { signal }),
  });
}
