import {
  borrowFilterSchema,
  borrowOrderSchema,
  BORROWS_PAGE_SIZE,
  type BorrowListQuery,
} from '#contracts/borrowing/borrow-views.js';
import {
  oneOf,
  pageParameter,
  searchParameter,
  useAddress,
  type ChangeAddress,
} from '../../lib/use-address.js';

export type ChangeQuery = ChangeAddress<Omit<BorrowListQuery, 'pageSize'>>;

const ADDRESS = {
  SortBy: oneOf('status', borrowFilterSchema.options, 'All'),
  SearchTerm: searchParameter,
  OrderBy: oneOf('sort', borrowOrderSchema.options, 'RentDate'),
  Direction: oneOf('direction', ['Ascending', 'Descending'], 'Descending'),
  pageNumber: pageParameter,
} as const;

/** The query of the queue: filter, search, sort and page. */
export function useQueueAddress(): [BorrowListQuery, ChangeQuery] {
  const [address, change] = useAddress(ADDRESS);
  return [{ ...address, pageSize: BORROWS_PAGE_SIZE }, change];
}
