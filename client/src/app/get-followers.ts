import { useQuery } from '@tanstack/react-query';
import { followersViewSchema } from '#contracts/dashboard/followers.js';
import { request } from '../lib/api/request.js';
import { queryKeys } from '../domain/query-keys.js';

const EVERY_MS = 30_000;

/** What follows the event log and does not get on, looked at anew while somebody is in the administration. */
export function useFollowers() {
  return useQuery({
    queryKey: queryKeys.followers,
    queryFn: ({ signal }) => request(followersViewSchema, 'Dashboard/followers', { signal }),
    // Nobody waits for it, and nothing is said where it fails: the next look is soon.
    initialData: [],
    initialDataUpdatedAt: 0,
    refetchInterval: EVERY_MS,
    meta: { inPlace: true },
  });
}
