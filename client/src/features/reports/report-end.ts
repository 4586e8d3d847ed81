import { isCancelledError, type QueryClient } from '@tanstack/react-query';
import { RequestError } from '../../lib/api/request-error.js';
import { isLive } from '../../domain/live/live-status.js';
import { isOver, reportsQuery } from './get-reports.js';

/** How long to wait for a live message before the server is asked, with a connection and without one. */
const LIVE_MS = 5000;
const ALONE_MS = 1000;
/** So often in a row the server may give no answer. */
const MAX_SILENCES = 10;

/**
 * Waits until a report is made or has failed, also while the page is not looked at. Live messages tell; where none
 * comes, the list is asked for.
 * @param signal to stop waiting
 * @throws RequestError when the server refuses to tell, or has not answered for long
 */
export async function reportEnd(client: QueryClient, reportId: string, signal: AbortSignal): Promise<void> {
  const isKnownOver = () => {
    const reports = client.getQueryData(reportsQuery.queryKey);
    const report = reports?.find(({ id }) => id === reportId);
    return report !== undefined && isOver(report.state);
  };
  let silences = 0;
  while (!signal.aborted) {
    try {
      const reports = await client.fetchQuery({ ...reportsQuery, staleTime: 0, retry: false });
      silences = 0;
      const report = reports.find(({ id }) => id === reportId);
      // One that is no longer listed is over as well: its file says why.
      if (!report || isOver(report.state)) return;
    } catch (error) {
      // Somebody else requested it again: that answer updates the same list.
      if (!isCancelledError(error)) {
        silences += 1;
        if (!isSilence(error) || silences > MAX_SILENCES) throw error;
      }
    }
    await nextNews(client, isKnownOver, signal);
    if (isKnownOver()) return;
  }
}

/** No answer, or none for the moment: the report is being made all the same. */
function isSilence(error: unknown): boolean {
  return error instanceof RequestError && error.isPassing;
}

function nextNews(client: QueryClient, isKnownOver: () => boolean, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      window.clearTimeout(timer);
      unsubscribe();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = window.setTimeout(done, isLive() ? LIVE_MS : ALONE_MS);
    const unsubscribe = client.getQueryCache().subscribe(() => {
      if (isKnownOver()) done();
    });
    signal.addEventListener('abort', done);
    if (isKnownOver()) done();
  });
}
