import { BORROW_PARTS, type BorrowPart } from '#contracts/borrowing/borrow-part.js';
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
  type Parameter,
} from '../../lib/use-address.js';

export type ChangeQuery = ChangeAddress<Omit<BorrowListQuery, 'pageSize'>>;

/** A part of the queue, as the dashboard leads to it. */
const partParameter: Parameter<BorrowPart | undefined> = {
  name: 'only',
  read: (text) => BORROW_PARTS.find((part) => part === text),
  write: (part) => part ?? '',
};

const ADDRESS = {
  Only: partParameter,
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
