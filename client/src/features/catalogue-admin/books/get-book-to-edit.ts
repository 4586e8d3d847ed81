import { useQuery } from '@tanstack/react-query';
import { bookSchema } from '#contracts/catalogue/book-views.js';
import { request } from '../../../lib/api/request.js';
import { queryKeys } from '../../../domain/query-keys.js';

export const getBook = (id: number, signal?: AbortSignal) =>
  request(bookSchema, `Book/${id}`, signal ? { signal } : {});

/** The book as it is when the form opens: what was seen of it before may be outdated. */
export function useBookToEdit(id: number) {
  return useQuery({
    queryKey: queryKeys.book(id),
    queryFn: ({ signal }) => getBook(id, signal),
    refetchOnMount: 'always',
    // Where the page of the book was open before, a miss counts as a refresh that failed: the form handles it.
    meta: { inPlace: true },
  });
}
