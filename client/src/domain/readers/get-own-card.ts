import { useQuery } from '@tanstack/react-query';
import { readOwnCard } from '#contracts/accounts/reader-card.js';
import { queryOf } from '../../lib/api/send.js';

/** The signed-in reader's card, with what they have and owe. A live message about one of their borrows has it asked for again. */
export function useOwnCard() {
  return useQuery({ ...queryOf(readOwnCard), refetchOnMount: 'always', meta: { inPlace: true } });
}
