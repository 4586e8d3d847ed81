import { useQuery, useQueryClient } from '@tanstack/react-query';
import { addOwnList, readOwnLists } from '#contracts/lists/reading-lists.js';
import { queryOf, useCall } from '../../lib/api/send.js';
import { useUser } from '../../lib/session.js';
import { queryKeys } from '../query-keys.js';

/** What is refused is said where it was asked for. */
const meta = { inPlace: true };

/** The lists of the signed-in reader; nothing is asked for a guest. @param bookId of which each says whether it is there */
export function useOwnLists(bookId?: number) {
  const user = useUser();
  return useQuery({ ...queryOf(readOwnLists, { query: { bookId } }), enabled: user !== null, meta });
}

export function useAddOwnList() {
  const client = useQueryClient();
  return useCall(addOwnList, {
    meta,
    onSuccess: () => void client.invalidateQueries({ queryKey: queryKeys.ownLists }),
  });
}
