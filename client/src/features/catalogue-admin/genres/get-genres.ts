import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import {
  genreListSchema,
  genrePageSchema,
  genreSchema,
  type GenreListQuery,
} from '#contracts/catalogue/genre.js';
import { request } from '../../../lib/api/request.js';
import { queryKeys } from '../../../domain/query-keys.js';

/** A page of the genres; the page before stays while the next is on its way. */
export function useGenrePage(query: GenreListQuery) {
  return useQuery({
    queryKey: queryKeys.genrePage(query),
    queryFn: ({ signal }) => request(genrePageSchema, 'Genre/paginated', { query, signal }),
    placeholderData: keepPreviousData,
  });
}

/** All genres, for the choice in the book form. */
export const everyGenre = queryOptions({
  queryKey: queryKeys.genreList,
  queryFn: ({ signal }) => request(genreListSchema, 'Genre', { signal }),
  meta: { inPlace: true },
});

/** The genre as it is now. */
export const getGenre = (id: number) => request(genreSchema, `Genre/${id}`);
