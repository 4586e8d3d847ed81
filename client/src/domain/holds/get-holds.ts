import { useQuery } from '@tanstack/react-query';
import { readHolds, type HoldView } from '#contracts/holds/hold-views.js';
import { queryOf } from '../../lib/api/send.js';
import { useUser } from '../../lib/session.js';

/** What the signed-in reader waits for; nothing is asked for a guest. */
export function useOwnHolds() {
  const readerId = useUser()?.id;
  return useQuery({
    ...queryOf(readHolds),
    enabled: readerId !== undefined,
    meta: { inPlace: true },
  });
}

/** The hold of the signed-in reader on a title; null where they have none, undefined while that is not known. */
export function useOwnHold(bookId: number): HoldView | null | undefined {
  const { data } = useOwnHolds();
  return data && (data.find((hold) => hold.bookId === bookId) ?? null);
}
