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
  /** The part of the list that is shown alone; empty for the whole. */
  only: string;
  change: ChangeAddress<{
    SearchTerm: string;
    SortBy: Sort;
    only: string;
    pageNumber: number;
    open: number | null;
  }>;
}

interface ListKind<Sort extends string> {
  sorts: readonly Sort[];
  usualSort: Sort;
  pageSize: number;
  /** The parts that can be shown alone. */
  parts?: readonly string[];
}

/** Search, sort, page and the open item live in the address. */
export function useListAddress<Sort extends string>(kind: ListKind<Sort>): ListAddress<Sort> {
  const [{ open, only, ...list }, change] = useAddress({
    SearchTerm: searchParameter,
    SortBy: oneOf('sort', kind.sorts, kind.usualSort),
    only: oneOf('only', ['', ...(kind.parts ?? [])], ''),
    pageNumber: pageParameter,
    open: openParameter,
  });
  return {
    query: { ...list, pageSize: kind.pageSize },
    open,
    only,
    // A search is one of the whole list.
    change: (changes, options) => change(changes.SearchTerm ? { ...changes, only: '' } : changes, options),
  };
}
