import { useQuery } from '@tanstack/react-query';
import { listReports, type ReportState } from '#contracts/reports/report.js';
import { queryOf } from '../../lib/api/send.js';
import { useLiveStatus } from '../../domain/live/live-status.js';

/** How often to ask while no live connection tells: for a report that is being made, and else. */
const MAKING_MS = 1000;
const RESTING_MS = 30_000;

export const isOver = (state: ReportState): boolean => state === 'ready' || state === 'failed';

/** The reports of the last day, the newest first. */
export const reportsQuery = { ...queryOf(listReports), meta: { inPlace: true } };

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
