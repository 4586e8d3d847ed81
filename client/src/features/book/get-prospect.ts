import { useQuery } from '@tanstack/react-query';
import { holdProspectSchema } from '#contracts/holds/hold-views.js';
import { queryKeys } from '../../domain/query-keys.js';
import { request } from '../../lib/api/request.js';

/** What the reader would get who reserved the title now; asked where he cannot have it at once. */
export function useProspect(bookId: number, { enabled }: { enabled: boolean }) {
  return useQuery({
    queryKey: queryKeys.holdProspect(bookId),
    queryFn: ({ signal }) => request(holdProspectSchema, 'Hold/prospect', { query: { bookId }, signal }),
    enabled,
    meta: { inPlace: true },
  });
}
