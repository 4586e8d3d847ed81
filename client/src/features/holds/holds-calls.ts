import { useQuery } from '@tanstack/react-query';
import { holdQueueSchema, lapsedHoldsSchema } from '#contracts/holds/hold-views.js';
import { queryKeys } from '../../domain/query-keys.js';
import { request } from '../../lib/api/request.js';

/** All holds on a title that are not over, in their order. */
export function useHoldQueue(bookId: number) {
  return useQuery({
    queryKey: queryKeys.holdQueue(bookId),
    queryFn: ({ signal }) => request(holdQueueSchema, 'Hold', { query: { bookId }, signal }),
    refetchOnMount: 'always',
    meta: { inPlace: true },
  });
}

/** What was not collected lately, the latest first. */
export function useLapsedHolds({ enabled }: { enabled: boolean }) {
  return useQuery({
    queryKey: queryKeys.lapsedHolds,
    queryFn: ({ signal }) => request(lapsedHoldsSchema, 'Hold/lapsed', { signal }),
    refetchOnMount: 'always',
    enabled,
    meta: { inPlace: true },
  });
}
