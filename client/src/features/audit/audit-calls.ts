import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ACCESS_LOG_PAGE_SIZE } from '#contracts/audit/access-log.js';
import { findAuditedReaders, listLooks } from '#contracts/audit/audit-calls.js';
import type { AuditReadersQuery } from '#contracts/audit/audit-events.js';
import { queryOf } from '../../lib/api/send.js';

/** Readers with what there is to replay; the previous page stays while the next one loads. */
export const useAuditReaders = (query: AuditReadersQuery) =>
  useQuery({ ...queryOf(findAuditedReaders, { query }), placeholderData: keepPreviousData });

/** Who looked, the latest first: at one reader, or (null) at anybody. Never old: looking is itself a look. */
export function useAccessLog(readerId: string | null, pageNumber: number) {
  const query = { pageNumber, pageSize: ACCESS_LOG_PAGE_SIZE, ...(readerId !== null && { readerId }) };
  return useQuery({
    ...queryOf(listLooks, { query }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    meta: { inPlace: true },
  });
}
