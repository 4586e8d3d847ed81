import { useSearchParams } from 'react-router-dom';
import { AUDIT_READERS_PAGE_SIZE, type AuditReadersQuery } from '#contracts/audit/audit-events.js';

/** What is searched for, from the address. */
export function queryOfAddress(params: URLSearchParams): AuditReadersQuery {
  const page = Number(params.get('page') ?? 1);
  return {
    SearchTerm: (params.get('q') ?? '').slice(0, 200),
    pageNumber: Number.isInteger(page) && page >= 1 ? page : 1,
    pageSize: AUDIT_READERS_PAGE_SIZE,
  };
}

/** Turning a page is a step that Back undoes; another search starts again at page 1. */
export function useReadersAddress(): [AuditReadersQuery, (changes: Partial<AuditReadersQuery>) => void] {
  const [params, setParams] = useSearchParams();
  const query = queryOfAddress(params);
  const change = (changes: Partial<AuditReadersQuery>) => {
    const { SearchTerm, pageNumber } = { ...query, pageNumber: 1, ...changes };
    setParams(
      {
        ...(SearchTerm !== '' && { q: SearchTerm }),
        ...(pageNumber !== 1 && { page: String(pageNumber) }),
      },
      { replace: changes.pageNumber === undefined, preventScrollReset: true },
    );
  };
  return [query, change];
}
