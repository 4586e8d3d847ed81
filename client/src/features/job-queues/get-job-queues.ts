import { useQuery } from '@tanstack/react-query';
import { queuesViewSchema } from '#contracts/dashboard/queues.js';
import { request } from '../../lib/api/request.js';
import { queryKeys } from '../../domain/query-keys.js';

const EVERY_MS = 10_000;

/** How much work is in the job queues; refetched while the page is open. */
export function useJobQueues() {
  return useQuery({
    queryKey: queryKeys.jobQueues,
    queryFn: ({ signal }) => request(queuesViewSchema, 'Dashboard/queues', { signal }),
    refetchInterval: EVERY_MS,
    meta: { inPlace: true },
  });
}
