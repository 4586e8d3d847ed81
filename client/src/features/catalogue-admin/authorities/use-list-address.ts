import {
  oneOf,
  openParameter,
  pageParameter,
  searchParameter,
  useAddress,
  type ChangeAddress,
} from '../../../lib/use-address.js';

/** The query of a list in the admin area. */
export interface ListQuery<Sort extends string> {
  SortBy: Sort;
  SearchTerm: string;
  pageNumber: number;
  pageSize: number;
}

export interface ListAddress<Sort extends string> {
  query: ListQuery<Sort>;
  /** The id of the item that is open; null where all are closed. */
  open: number | null;
  change: ChangeAddress<{ SearchTerm: string; SortBy: Sort; pageNumber: number; open: number | null }>;
}

interface ListKind<Sort extends string> {
  sorts: readonly Sort[];
  usualSort: Sort;
  pageSize: number;
}

/** Search, sort, page and the open item live in the address. */
export function useListAddress<Sort extends string>(kind: ListKind<Sort>): ListAddress<Sort> {
  const [{ open, ...list }, change] = useAddress({
    SearchTerm: searchParameter,
    SortBy: oneOf('sort', kind.sorts, kind.usualSort),
    pageNumber: pageParameter,
    open: openParameter,
  });
  return { query: { ...list, pageSize: kind.pageSize }, open, change };
}
