import { useQuery } from '@tanstack/react-query';
import { ownCardSchema } from '#contracts/accounts/own-card.js';
import { request } from '../../lib/api/request.js';
import { queryKeys } from '../query-keys.js';

/** The signed-in reader's card, with what they have and owe. A live message about one of their borrows has it asked for again. */
export function useOwnCard(readerId: string) {
  return useQuery({
    queryKey: queryKeys.ownCard(readerId),
    queryFn: ({ signal }) => request(ownCardSchema, 'Reader/mine', { signal }),
    refetchOnMount: 'always',
    meta: { inPlace: true },
  });
}
