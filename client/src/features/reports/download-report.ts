import { useMutation, useMutationState } from '@tanstack/react-query';
import { requestFile } from '../../lib/api/request.js';
import type { Report } from './reports.js';
import { saveFile } from '../../lib/save-file.js';

const keyOf = ({ path }: Report) => ['report', path];

/** Fetches a report and saves it. Leaving the page does not break it off: it can take a minute. */
export function useDownloadReport(report: Report) {
  return useMutation({
    mutationKey: keyOf(report),
    mutationFn: async () => saveFile(await requestFile(report.path), report.fileName),
    meta: { inPlace: true },
  });
}

/** Since when a report is being made, on this machine's clock; null while none is. Known also after coming back. */
export function useBeingMadeSince(report: Report): number | null {
  const [since] = useMutationState({
    filters: { mutationKey: keyOf(report), status: 'pending' },
    select: (mutation) => mutation.state.submittedAt,
  });
  return since ?? null;
}
