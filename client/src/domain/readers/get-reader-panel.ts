import { useQuery } from '@tanstack/react-query';
import { readReaderPanel } from '#contracts/accounts/reader-card.js';
import { queryOf } from '../../lib/api/send.js';
import { useLiveStatus } from '../live/live-status.js';

/** How often to ask while no live connection says that something happened. */
const WITHOUT_LIVE_MS = 30_000;
const JUST_ASKED_MS = 1_000;

/** All that is to be known of the reader at the desk. A live message about any borrow has it asked for again. */
export function useReaderPanel(id: string) {
  const live = useLiveStatus().state === 'live';
  return useQuery({
    ...queryOf(readReaderPanel, { query: { id } }),
    refetchInterval: live ? false : WITHOUT_LIVE_MS,
    // The desk has just asked when it shows the reader.
    refetchOnMount: ({ state }) => (Date.now() - state.dataUpdatedAt < JUST_ASKED_MS ? true : 'always'),
  });
}
