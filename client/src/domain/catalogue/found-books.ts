import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listBooks } from '#contracts/catalogue/book-views.js';
import { queryOf } from '../../lib/api/send.js';

/** The books that may be meant by what is typed to find one; what was found last stays until the next is there. */
export function useFoundBooks(text: string, pageSize: number, enabled = text !== '') {
  return useQuery({
    ...queryOf(listBooks, { query: { SearchTerm: text, SortBy: 'none', pageNumber: 1, pageSize } }),
    enabled,
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  });
}
