import { useQuery } from '@tanstack/react-query';
import { borrowHistorySchema } from '#contracts/borrowing/borrow-views.js';
import { request } from '../../lib/api/request.js';
import { historyRows } from '../../domain/live/history-rows.js';
import { queryKeys } from '../../domain/query-keys.js';

/** A reader's own borrows. Live messages keep them up to date. */
export function useHistory(readerId: string) {
  return useQuery({
    queryKey: queryKeys.history(readerId),
    queryFn: async ({ signal }) => {
      const askedAt = Date.now();
      return historyRows(await request(borrowHistorySchema, 'Borrow/history', { signal }), readerId, askedAt);
    },
  });
}
