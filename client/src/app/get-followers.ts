import { useQuery } from '@tanstack/react-query';
import { followersViewSchema } from '#contracts/dashboard/followers.js';
import { request } from '../lib/api/request.js';
import { queryKeys } from '../domain/query-keys.js';

const EVERY_MS = 30_000;

/** Followers of the event log that are in trouble, polled while somebody is in the admin area. */
export function useFollowers() {
  return useQuery({
    queryKey: queryKeys.followers,
    queryFn: ({ signal }) => request(followersViewSchema, 'Dashboard/followers', { signal }),
    // Runs in the background and fails silently: the next poll is soon.
    initialData: [],
    initialDataUpdatedAt: 0,
    refetchInterval: EVERY_MS,
    meta: { inPlace: true },
  });
}
