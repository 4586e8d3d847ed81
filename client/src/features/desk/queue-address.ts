import { useSearchParams } from 'react-router-dom';
import {
  borrowFilterSchema,
  borrowOrderSchema,
  BORROWS_PAGE_SIZE,
  type BorrowListQuery,
} from '#contracts/borrowing/borrow-views.js';

/** What the queue is asked for, from its address: filter, search, sort and page. */
export function queryOfAddress(params: URLSearchParams): BorrowListQuery {
  const filter = borrowFilterSchema.safeParse(params.get('status'));
  const order = borrowOrderSchema.safeParse(params.get('sort'));
  const page = Number(params.get('page') ?? 1);
  return {
    SortBy: filter.success ? filter.data : 'All',
    SearchTerm: (params.get('q') ?? '').slice(0, 200),
    OrderBy: order.success ? order.data : 'RentDate',
    Direction: params.get('direction') === 'Ascending' ? 'Ascending' : 'Descending',
    pageNumber: Number.isInteger(page) && page >= 1 ? page : 1,
    pageSize: BORROWS_PAGE_SIZE,
  };
}

/** The address of such a query; what is usual is left out. */
export function addressOfQuery(query: BorrowListQuery): Record<string, string> {
  return {
    ...(query.SortBy !== 'All' && { status: query.SortBy }),
    ...(query.SearchTerm !== '' && { q: query.SearchTerm }),
    ...(query.OrderBy !== 'RentDate' && { sort: query.OrderBy }),
    ...(query.Direction !== 'Descending' && { direction: query.Direction }),
    ...(query.pageNumber !== 1 && { page: String(query.pageNumber) }),
  };
}

export type ChangeQuery = (changes: Partial<BorrowListQuery>) => void;

/** Turning a page is a step that Back undoes; other changes start again at page 1. */
export function useQueueAddress(): [BorrowListQuery, ChangeQuery] {
  const [params, setParams] = useSearchParams();
  const query = queryOfAddress(params);
  const change: ChangeQuery = (changes) =>
    setParams(addressOfQuery({ ...query, pageNumber: 1, ...changes }), {
      replace: changes.pageNumber === undefined,
      preventScrollReset: true,
    });
  return [query, change];
}
