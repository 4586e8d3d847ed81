import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import {
  authorListSchema,
  authorPageSchema,
  authorSchema,
  type AuthorListQuery,
} from '#contracts/catalogue/author.js';
import { request } from '../../../lib/api/request.js';
import { queryKeys } from '../../../domain/query-keys.js';

/** A page of the authors; the page before stays while the next is on its way. */
export function useAuthorPage(query: AuthorListQuery) {
  return useQuery({
    queryKey: queryKeys.authorPage(query),
    queryFn: ({ signal }) => request(authorPageSchema, 'Author/paginated', { query, signal }),
    placeholderData: keepPreviousData,
  });
}

/** All authors, for the choice in the book form. */
export const everyAuthor = queryOptions({
  queryKey: queryKeys.authorList,
  queryFn: ({ signal }) => request(authorListSchema, 'Author', { signal }),
  meta: { inPlace: true },
});

/** The author as it is now. */
export const getAuthor = (id: number) => request(authorSchema, `Author/${id}`);
