import { useQuery } from '@tanstack/react-query';
import { readLastEvents, readToday } from '#contracts/dashboard/today.js';
import { queryOf } from '../../lib/api/send.js';
import { useLiveStatus } from '../../domain/live/live-status.js';

/** How often to ask while no live connection says that something happened. */
const WITHOUT_LIVE_MS = 30_000;
/** How often to ask in any case: a day ends without anything happening. */
const WITH_LIVE_MS = 5 * 60_000;

function useInterval() {
  return useLiveStatus().state === 'live' ? WITH_LIVE_MS : WITHOUT_LIVE_MS;
}

/** The work of the day and the month's lines. A live message about any borrow has them asked for again. */
export function useToday() {
  return useQuery({
    ...queryOf(readToday),
    refetchInterval: useInterval(),
    refetchOnMount: 'always',
  });
}

/** What happened last. */
export function useLastEvents() {
  return useQuery({
    ...queryOf(readLastEvents),
    refetchInterval: useInterval(),
    refetchOnMount: 'always',
  });
}
