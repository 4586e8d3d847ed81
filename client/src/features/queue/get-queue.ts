import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listBorrows } from '#contracts/borrowing/borrow-calls.js';
import type { BorrowListQuery } from '#contracts/borrowing/borrow-views.js';
import { keyOf, send } from '../../lib/api/send.js';
import { useLiveStatus } from '../../domain/live/live-status.js';
import { queuePage } from '../../domain/live/queue-page.js';

/** How often to ask while no live connection brings the changes. */
const WITHOUT_LIVE_MS = 30_000;

/** A page of the queue. Live messages update it in place, so it does not become stale with time. */
export function useQueue(query: BorrowListQuery) {
  const live = useLiveStatus().state === 'live';
  return useQuery({
    queryKey: keyOf(listBorrows, { query }),
    queryFn: async ({ signal }) => {
      const askedAt = Date.now();
      return queuePage(await send(listBorrows, { query }, { signal }), query, askedAt);
    },
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    refetchOnWindowFocus: !live,
    refetchInterval: live ? false : WITHOUT_LIVE_MS,
  });
}
