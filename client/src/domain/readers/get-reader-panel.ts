import { useQuery } from '@tanstack/react-query';
import { readerPanelSchema } from '#contracts/accounts/reader-card.js';
import { request } from '../../lib/api/request.js';
import { useLiveStatus } from '../live/live-status.js';
import { queryKeys } from '../query-keys.js';

/** How often to ask while no live connection says that something happened. */
const WITHOUT_LIVE_MS = 30_000;

export const getReaderPanel = (id: string, signal?: AbortSignal) =>
  request(readerPanelSchema, 'Reader/panel', { query: { id }, ...(signal && { signal }) });

/** All that is to be known of the reader at the desk. A live message about any borrow has it asked for again. */
export function useReaderPanel(id: string) {
  const live = useLiveStatus().state === 'live';
  return useQuery({
    queryKey: queryKeys.readerPanel(id),
    queryFn: ({ signal }) => getReaderPanel(id, signal),
    refetchInterval: live ? false : WITHOUT_LIVE_MS,
    refetchOnMount: 'always',
  });
}
