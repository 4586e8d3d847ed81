import { queryOptions, useQuery } from '@tanstack/react-query';
import { reportViewsSchema, type ReportState } from '#contracts/reports/report.js';
import { request } from '../../lib/api/request.js';
import { useLiveStatus } from '../../domain/live/live-status.js';
import { queryKeys } from '../../domain/query-keys.js';

/** How often to ask while no live connection tells: for a report that is being made, and else. */
const MAKING_MS = 1000;
const RESTING_MS = 30_000;

export const isOver = (state: ReportState): boolean => state === 'ready' || state === 'failed';

/** The reports of the last day, the newest first. */
export const reportsQuery = queryOptions({
  queryKey: queryKeys.reports,
  queryFn: ({ signal }) => request(reportViewsSchema, 'Dashboard/reports', { signal }),
  meta: { inPlace: true },
});

export function useReports() {
  const live = useLiveStatus().state === 'live';
  return useQuery({
    ...reportsQuery,
    // It is seldom looked at: what is shown first is to be true.
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => {
      if (live) return false;
      return state.data?.some((report) => !isOver(report.state)) ? MAKING_MS : RESTING_MS;
    },
  });
}
