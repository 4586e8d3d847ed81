import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ACCESS_LOG_PAGE_SIZE, accessLogPageSchema } from '#contracts/audit/access-log.js';
import { type AuditReadersQuery, auditReaderPageSchema } from '#contracts/audit/audit-events.js';
import { queryKeys } from '../../domain/query-keys.js';
import { request } from '../../lib/api/request.js';

/** Readers with what there is to replay; the previous page stays while the next one loads. */
export function useAuditReaders(query: AuditReadersQuery) {
  return useQuery({
    queryKey: queryKeys.auditReaders(query),
    queryFn: ({ signal }) => request(auditReaderPageSchema, 'Audit/readers', { query, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Who looked, the latest first: at one reader, or (null) at anybody. Never old: looking is itself a look. */
export function useAccessLog(readerId: string | null, pageNumber: number) {
  return useQuery({
    queryKey: queryKeys.accessLog(readerId, pageNumber),
    queryFn: ({ signal }) =>
      request(accessLogPageSchema, 'Audit/looks', {
        query: { pageNumber, pageSize: ACCESS_LOG_PAGE_SIZE, ...(readerId && { readerId }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    meta: { inPlace: true },
  });
}
