import { useQuery } from '@tanstack/react-query';
import { readerSchema } from '#contracts/accounts/account-views.js';
import { request } from '../../lib/api/request.js';
import { queryKeys } from '../../domain/query-keys.js';

/** The signed-in user's account. */
export function getProfile(signal?: AbortSignal) {
  return request(readerSchema, 'User/profile', signal && { signal });
}

export function useProfile(readerId: string) {
  return useQuery({
    queryKey: queryKeys.profile(readerId),
    queryFn: ({ signal }) => getProfile(signal),
  });
}
