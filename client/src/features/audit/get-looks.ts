import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { LOOKS_PAGE_SIZE, lookPageSchema } from '#contracts/audit/looks.js';
import { request } from '../../lib/api/request.js';
import { queryKeys } from '../../lib/query-keys.js';

/** Who looked, the latest first: at one reader, or (null) at anybody. Never old: looking is itself a look. */
export function useLooks(readerId: string | null, pageNumber: number) {
  return useQuery({
    queryKey: queryKeys.auditLooks(readerId, pageNumber),
    queryFn: ({ signal }) =>
      request(lookPageSchema, 'Audit/looks', {
        query: { pageNumber, pageSize: LOOKS_PAGE_SIZE, ...(readerId && { readerId }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    meta: { inPlace: true },
  });
}
