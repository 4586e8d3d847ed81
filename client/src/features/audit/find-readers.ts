import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { auditReaderPageSchema, type AuditReadersQuery } from '#contracts/audit/audit-events.js';
import { request } from '../../lib/api/request.js';
import { queryKeys } from '../../domain/query-keys.js';

/** Readers with what there is to replay; the previous page stays while the next one loads. */
export function useAuditReaders(query: AuditReadersQuery) {
  return useQuery({
    queryKey: queryKeys.auditReaders(query),
    queryFn: ({ signal }) => request(auditReaderPageSchema, 'Audit/readers', { query, signal }),
    placeholderData: keepPreviousData,
  });
}
