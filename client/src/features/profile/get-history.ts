import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { borrowPageSchema, type HistoryPageQuery } from '#contracts/borrowing/borrow-views.js';
import { request } from '../../lib/api/request.js';
import { historyRows } from '../../domain/live/history-rows.js';
import { queryKeys } from '../../domain/query-keys.js';

/** A page of a reader's own borrows. Live messages keep it up to date. */
export function useHistory(readerId: string, query: HistoryPageQuery) {
  return useQuery({
    queryKey: queryKeys.historyPage(readerId, query),
    queryFn: async ({ signal }) => {
      const askedAt = Date.now();
      const answer = await request(borrowPageSchema, 'Borrow/history', { query, signal });
      return historyRows(answer, query, readerId, askedAt);
    },
    placeholderData: keepPreviousData,
  });
}
