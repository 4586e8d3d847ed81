import { useQuery } from '@tanstack/react-query';
import { readReaderPanel } from '#contracts/accounts/reader-card.js';
import { queryOf } from '../../lib/api/send.js';
import { useAskingInterval } from '../live/live-status.js';

const JUST_ASKED_MS = 1_000;

/** All that is to be known of the reader at the desk. A live message about any borrow has it asked for again. */
export function useReaderPanel(id: string) {
  return useQuery({
    ...queryOf(readReaderPanel, { query: { id } }),
    refetchInterval: useAskingInterval(),
    // The desk has just asked when it shows the reader.
    refetchOnMount: ({ state }) => (Date.now() - state.dataUpdatedAt < JUST_ASKED_MS ? true : 'always'),
  });
}
