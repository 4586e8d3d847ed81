import { useQuery } from '@tanstack/react-query';
import { borrowDetailsSchema } from '#contracts/borrowing/borrow-details.js';
import { request } from '../../../lib/api/request.js';
import { knownBorrows } from '../../live/known-borrows.js';
import { useLiveStatus } from '../../live/live-status.js';
import { queryKeys } from '../../query-keys.js';

/** How often to ask while no live connection tells of changes. */
const WITHOUT_LIVE_MS = 15_000;

/** One borrow with its reader and what happened to it, kept up to date by live messages. */
export function useBorrowDetails(borrowId: string) {
  const live = useLiveStatus().state === 'live';
  return useQuery({
    queryKey: queryKeys.borrow(borrowId),
    queryFn: async ({ signal }) => {
      const details = await request(borrowDetailsSchema, 'Borrow/details', { query: { borrowId }, signal });
      return { ...details, borrow: knownBorrows.latest(details.borrow) };
    },
    refetchOnMount: 'always',
    refetchInterval: live ? false : WITHOUT_LIVE_MS,
    meta: { inPlace: true },
  });
}
