import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { STATE_PAGE_SIZE } from '#contracts/audit/as-of.js';
import { readEvent, readPastBorrow, readPastBorrows } from '#contracts/audit/audit-calls.js';
import { queryOf } from '../../../../lib/api/send.js';
import type { HistoryEvent } from '../history/history.js';

/** The past does not change: what was fetched once stays right. */
const past = { staleTime: Infinity, meta: { inPlace: true } } as const;

function stateAt(readerId: string, revision: number, pageNumber: number) {
  const query = { at: revision, pageNumber, pageSize: STATE_PAGE_SIZE };
  return { ...queryOf(readPastBorrows, { params: { readerId }, query }), ...past };
}

const borrowAt = (borrowId: string, revision: number) => ({
  ...queryOf(readPastBorrow, { params: { borrowId }, query: { at: revision } }),
  ...past,
});

/** All borrows after an event, of the server; the state before stays on the screen until the next is there. */
export function usePastState(readerId: string, revision: number, page: number) {
  return useQuery({ ...stateAt(readerId, revision, page), placeholderData: keepPreviousData });
}

/** The borrow that an event is about, before and after it. */
export function useChange(event: HistoryEvent | undefined) {
  const revision = event?.revision ?? 0;
  const borrowId = event?.borrowId ?? '';
  const enabled = borrowId !== '' && event?.type !== 'RentAbandoned';
  const before = useQuery({ ...borrowAt(borrowId, revision - 1), enabled });
  const after = useQuery({ ...borrowAt(borrowId, revision), enabled });
  return { before, after };
}

/** Fetches the states beside the one that is looked at: a step then shows at once. */
export function usePrefetchedNeighbours(
  readerId: string,
  events: readonly HistoryEvent[],
  number: number,
  wanted: boolean,
): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!wanted) return;
    for (const neighbour of [number + 1, number - 1]) {
      const event = events[neighbour - 1];
      if (!event) continue;
      void client.prefetchQuery(stateAt(readerId, event.revision, 1));
      if (event.borrowId !== '') void client.prefetchQuery(borrowAt(event.borrowId, event.revision));
    }
  }, [client, readerId, events, number, wanted]);
}

/** An event as it is stored, with its data and metadata. */
export const useStoredEvent = (readerId: string, revision: number) =>
  useQuery({ ...queryOf(readEvent, { params: { readerId, revision } }), ...past });
