import { useQuery } from '@tanstack/react-query';
import { readBorrow } from '#contracts/borrowing/borrow-calls.js';
import { keyOf, send } from '../../../lib/api/send.js';
import { knownBorrows } from '../../live/recent-messages.js';
import { useAskingInterval } from '../../live/live-status.js';

/** Asked again as often, in milliseconds, while no live connection tells of changes. */
const WITHOUT_LIVE_MS = 15_000;

/** One borrow with its reader and what happened to it, kept up to date by live messages. */
export function useBorrowDetails(borrowId: string) {
  const query = { borrowId };
  return useQuery({
    queryKey: keyOf(readBorrow, { query }),
    queryFn: async ({ signal }) => {
      const details = await send(readBorrow, { query }, { signal });
      return { ...details, borrow: knownBorrows.latest(details.borrow) };
    },
    refetchOnMount: 'always',
    refetchInterval: useAskingInterval(false, WITHOUT_LIVE_MS),
    meta: { inPlace: true },
  });
}
