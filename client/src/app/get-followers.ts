import { useQuery } from '@tanstack/react-query';
import { readFollowers } from '#contracts/dashboard/followers.js';
import { queryOf } from '../lib/api/send.js';

const EVERY_MS = 30_000;

/** Followers of the event log that are in trouble, polled while somebody is in the admin area. */
export function useFollowers() {
  return useQuery({
    ...queryOf(readFollowers),
    // Runs in the background and fails silently: the next poll is soon.
    initialData: [],
    initialDataUpdatedAt: 0,
    refetchInterval: EVERY_MS,
    meta: { inPlace: true },
  });
}
