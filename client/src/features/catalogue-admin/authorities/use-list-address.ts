import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { z } from 'zod';

/** What a list of the console is asked for. */
export interface ListQuery<Sort extends string> {
  SortBy: Sort;
  SearchTerm: string;
  pageNumber: number;
  pageSize: number;
}

export interface ListAddress<Sort extends string> {
  query: ListQuery<Sort>;
  /** The id of the authority that is open; null where all are closed. */
  expanded: number | null;
  search: (term: string) => void;
  sort: (by: Sort) => void;
  /** Turning a page is a step that Back undoes, unless it only mends the address. */
  turnTo: (page: number, mending?: boolean) => void;
  expand: (id: number | null) => void;
}

interface ListKind<Sort extends string> {
  sorts: z.ZodType<Sort>;
  usualSort: Sort;
  pageSize: number;
}

/** Search, sort, page and the open authority live in the address; a new search or sort starts at page 1, all closed. */
export function useListAddress<Sort extends string>(kind: ListKind<Sort>): ListAddress<Sort> {
  const [params, setParams] = useSearchParams();
  // A search that waited for the next letter must not undo what was chosen meanwhile.
  const latest = useRef(params);
  useEffect(() => {
    latest.current = params;
  }, [params]);

  const change = (changes: Record<string, string>, replace: boolean) => {
    const after = new URLSearchParams(latest.current);
    for (const [name, value] of Object.entries(changes)) {
      if (value === '') after.delete(name);
      else after.set(name, value);
    }
    setParams(after, { replace, preventScrollReset: true });
  };
  const sorted = kind.sorts.safeParse(params.get('sort'));
  return {
    query: {
      SortBy: sorted.success ? sorted.data : kind.usualSort,
      SearchTerm: (params.get('q') ?? '').slice(0, 200),
      pageNumber: wholeNumber(params.get('page')) ?? 1,
      pageSize: kind.pageSize,
    },
    expanded: wholeNumber(params.get('open')),
    search: (term) => change({ q: term, page: '', open: '' }, true),
    sort: (by) => change({ sort: by === kind.usualSort ? '' : by, page: '', open: '' }, true),
    turnTo: (page, mending = false) => change({ page: page === 1 ? '' : String(page), open: '' }, mending),
    expand: (id) => change({ open: id === null ? '' : String(id) }, true),
  };
}

function wholeNumber(text: string | null): number | null {
  const number = Number(text ?? NaN);
  return Number.isSafeInteger(number) && number >= 1 ? number : null;
}
