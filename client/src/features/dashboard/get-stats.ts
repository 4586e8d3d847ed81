import { useQuery } from '@tanstack/react-query';
import { dashboardStatsSchema } from '#contracts/dashboard/stats.js';
import { request } from '../../lib/api/request.js';
import { queryKeys } from '../../domain/query-keys.js';
import { useLiveStatus } from '../../domain/live/live-status.js';

/** How often to ask while no live connection brings the counters. */
const WITHOUT_LIVE_MS = 30_000;

export function useStats() {
  const live = useLiveStatus().state === 'live';
  return useQuery({
    queryKey: queryKeys.stats,
    queryFn: ({ signal }) => request(dashboardStatsSchema, 'Dashboard/stats', { signal }),
    refetchInterval: live ? false : WITHOUT_LIVE_MS,
  });
}
