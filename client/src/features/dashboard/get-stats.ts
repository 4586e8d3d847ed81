import { useQuery } from '@tanstack/react-query';
import { readStats } from '#contracts/dashboard/stats.js';
import { queryOf } from '../../lib/api/send.js';
import { useLiveStatus } from '../../domain/live/live-status.js';

/** How often to ask while no live connection brings the counters. */
const WITHOUT_LIVE_MS = 30_000;

export function useStats() {
  const live = useLiveStatus().state === 'live';
  return useQuery({
    ...queryOf(readStats),
    refetchInterval: live ? false : WITHOUT_LIVE_MS,
  });
}
