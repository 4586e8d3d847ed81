import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { readOwnHistory } from '#contracts/audit/audit-calls.js';
import type { HistoryPageQuery } from '#contracts/borrowing/borrow-views.js';
import { keyOf, send } from '../../lib/api/send.js';
import { historyRows } from '../../domain/live/history-rows.js';

/** A page of a reader's own borrows. Live messages keep it up to date. */
export function useHistory(readerId: string, query: HistoryPageQuery) {
  return useQuery({
    queryKey: keyOf(readOwnHistory, { query }, readerId),
    queryFn: async ({ signal }) => {
      const askedAt = Date.now();
      const answer = await send(readOwnHistory, { query }, { signal });
      return historyRows(answer, query, readerId, askedAt);
    },
    placeholderData: keepPreviousData,
  });
}
