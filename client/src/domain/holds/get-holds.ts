import { useQuery } from '@tanstack/react-query';
import { ownHoldsSchema, shelfHoldsSchema, type HoldView } from '#contracts/holds/hold-views.js';
import { request } from '../../lib/api/request.js';
import { useUser } from '../../lib/session.js';
import { queryKeys } from '../query-keys.js';

/** What the signed-in reader waits for; nothing is asked for a guest. */
export function useOwnHolds() {
  const readerId = useUser()?.id;
  return useQuery({
    queryKey: queryKeys.holdsOf(readerId ?? ''),
    queryFn: ({ signal }) => request(ownHoldsSchema, 'Hold/mine', { signal }),
    enabled: readerId !== undefined,
    meta: { inPlace: true },
  });
}

/** The hold of the signed-in reader on a title; null where he has none, undefined while that is not known. */
export function useOwnHold(bookId: number): HoldView | null | undefined {
  const { data } = useOwnHolds();
  return data && (data.find((hold) => hold.bookId === bookId) ?? null);
}

/** What is kept for readers, by the day until which it is. */
export function useHoldShelf() {
  return useQuery({
    queryKey: queryKeys.holdShelf,
    queryFn: ({ signal }) => request(shelfHoldsSchema, 'Hold/shelf', { signal }),
    refetchOnMount: 'always',
    meta: { inPlace: true },
  });
}
