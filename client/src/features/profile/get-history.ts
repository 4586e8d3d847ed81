import { useQuery } from '@tanstack/react-query';
import { borrowHistorySchema } from '#contracts/borrowing/borrow-views.js';
import { request } from '../../lib/api/request.js';
import { knownBorrows } from '../../lib/live/known-borrows.js';
import { queryKeys } from '../../lib/query-keys.js';

/** A reader's own borrows. Live messages keep them up to date. */
export function useHistory(readerId: string) {
  return useQuery({
    queryKey: queryKeys.history(readerId),
    queryFn: async ({ signal }) => {
      const history = await request(borrowHistorySchema, 'Borrow/history', { signal });
      return history.map(knownBorrows.latest);
    },
  });
}
