import { useSearchParams } from 'react-router-dom';
import {
  readerSortSchema,
  USERS_PAGE_SIZE,
  type ReaderListQuery,
} from '#contracts/accounts/account-views.js';

/** What the list is asked for, from its address: search, sort and page. */
function queryOfAddress(params: URLSearchParams): ReaderListQuery {
  const sort = readerSortSchema.safeParse(params.get('sort'));
  const page = Number(params.get('page') ?? 1);
  return {
    SortBy: sort.success ? sort.data : 'Username',
    SearchTerm: (params.get('q') ?? '').slice(0, 200),
    pageNumber: Number.isInteger(page) && page >= 1 ? page : 1,
    pageSize: USERS_PAGE_SIZE,
  };
}

/** The address of such a query; what is usual is left out. */
function addressOfQuery(query: ReaderListQuery): Record<string, string> {
  return {
    ...(query.SearchTerm !== '' && { q: query.SearchTerm }),
    ...(query.SortBy !== 'Username' && { sort: query.SortBy }),
    ...(query.pageNumber !== 1 && { page: String(query.pageNumber) }),
  };
}

/** Turning a page is a step that Back undoes; other changes start again at page 1. */
export function useUsersAddress(): [ReaderListQuery, (changes: Partial<ReaderListQuery>) => void] {
  const [params, setParams] = useSearchParams();
  const query = queryOfAddress(params);
  const change = (changes: Partial<ReaderListQuery>) =>
    setParams(addressOfQuery({ ...query, pageNumber: 1, ...changes }), {
      replace: changes.pageNumber === undefined,
      preventScrollReset: true,
    });
  return [query, change];
}
