import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import {
  publisherListSchema,
  publisherPageSchema,
  publisherSchema,
  type PublisherListQuery,
} from '#contracts/catalogue/publisher.js';
import { request } from '../../../lib/api/request.js';
import { queryKeys } from '../../../domain/query-keys.js';

/** A page of the publishers; the page before stays while the next is on its way. */
export function usePublisherPage(query: PublisherListQuery) {
  return useQuery({
    queryKey: queryKeys.publisherPage(query),
    queryFn: ({ signal }) => request(publisherPageSchema, 'Publisher/paginated', { query, signal }),
    placeholderData: keepPreviousData,
  });
}

/** All publishers, for the choice in the book form. */
export const everyPublisher = queryOptions({
  queryKey: queryKeys.publisherList,
  queryFn: ({ signal }) => request(publisherListSchema, 'Publisher', { signal }),
  meta: { inPlace: true },
});

/** The publisher as it is now. */
export const getPublisher = (id: number) => request(publisherSchema, `Publisher/${id}`);
