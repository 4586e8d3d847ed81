import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import type { ChangeAddress } from './use-address.js';

/** A page of a list, and how many items the whole list has. */
export interface ListedItems {
  items: readonly unknown[];
  totalCount: number;
}

/** What is known of the page of a list that was asked for. */
export type ListAnswer<Page> = Pick<
  UseQueryResult<Page>,
  'data' | 'error' | 'isError' | 'isFetching' | 'isPlaceholderData' | 'refetch'
>;

interface Turned {
  pageNumber: number;
}

/** Where the page of a list is kept: in the address of a screen, which may say more. */
export type PageAddress = readonly [Turned, ChangeAddress<Turned>];

/** A paged list: what its address says, what was answered, and how to turn its pages. */
export interface List<Values extends Turned, Page extends ListedItems> {
  values: Values;
  change: ChangeAddress<Values>;
  answer: ListAnswer<Page>;
  /** How many pages there are. */
  pages: number;
  /** Turns to a page, if there is such a page. */
  turn: (page: number) => void;
  /** The page that the address names is no more, and gives way to the last one. */
  isBeyond: boolean;
  search: RefObject<HTMLInputElement | null>;
  /** Where it is on the page; takes the focus when what had it is gone. */
  region: RefObject<HTMLDivElement | null>;
  /** Of its region: while the list has the focus, the keyboard turns its pages. */
  keys: ReturnType<typeof useListKeys>;
}

/**
 * @param address as `useAddress` gives it, or `usePageState`
 * @param options.mends whether a page that is no more (its last item was deleted, or the address is old) gives way to the last one
 */
export function useList<Values extends Turned, Page extends ListedItems>(
  [values, change]: readonly [Values, ChangeAddress<Values>],
  answer: ListAnswer<Page>,
  pageSize: number,
  { mends = true }: { mends?: boolean } = {},
): List<Values, Page> {
  const search = useRef<HTMLInputElement>(null);
  const region = useRef<HTMLDivElement>(null);
  const page = values.pageNumber;
  const pages = totalPages(answer.data?.totalCount ?? 0, pageSize);
  const toPage = (pageNumber: number, mending: boolean) =>
    change({ pageNumber } as Partial<Values>, { mending });
  const turn = (next: number) => {
    if (!isPage(next, pages)) return;
    toPage(next, false);
    if ((region.current?.getBoundingClientRect().top ?? 0) < 0)
      region.current?.scrollIntoView({ block: 'start' });
  };
  const isBeyond = mends && answer.data !== undefined && !answer.isPlaceholderData && page > pages;
  useEffect(() => {
    if (isBeyond) toPage(pages, true);
    // The address is a new object with every drawing; what it says is in the two others.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isBeyond, pages]);
  const keys = useListKeys({ page, onPage: turn, search });
  return { values, change, answer, pages, turn, isBeyond, search, region, keys };
}

/** The page of a list that is a part of a page, whose address says nothing of it. */
export function usePageState(): PageAddress {
  const [pageNumber, setPageNumber] = useState(1);
  return [{ pageNumber }, (changes) => setPageNumber(changes.pageNumber ?? 1)];
}

interface ListKeys {
  page: number;
  onPage: (page: number) => void;
  /** The list's search box; `/` goes there from anywhere on the page. */
  search: RefObject<HTMLInputElement | null>;
}

const STEPS: Partial<Record<string, number>> = { ArrowLeft: -1, PageUp: -1, ArrowRight: 1, PageDown: 1 };

/** Keyboard paging for a list that has the focus. Gives the props of the list's region. */
export function useListKeys({ page, onPage, search }: ListKeys) {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
        return;
      if (!search.current) return;
      event.preventDefault();
      search.current.focus();
      search.current.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [search]);

  return {
    tabIndex: 0,
    onKeyDown: (event: KeyboardEvent) => {
      // A window that was opened from the list is no part of it, though its keys come here.
      if (!event.currentTarget.contains(event.target as Node)) return;
      const step = STEPS[event.key];
      if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
        return;
      event.preventDefault();
      onPage(page + step);
    },
  };
}

/** Whether a key that is pressed there is a letter of a text, or chooses something. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches('input:not([type="checkbox"]), select, textarea, [contenteditable="true"]')
  );
}

/** Whether a window with keys of its own is over the page. */
export const isWindowOpen = () => document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;

/** Ctrl-Z or ⌘-Z. */
export const isUndo = ({ key, ctrlKey, metaKey, altKey, shiftKey }: globalThis.KeyboardEvent) =>
  key.toLowerCase() === 'z' && (ctrlKey || metaKey) && !altKey && !shiftKey;

/** What a pagination shows in a row: a page number, or a gap. */
type PaginationItem = number | 'gap';

/** Total pages is the ceiling of the count over the page size; an empty list has one page. */
export function totalPages(totalCount: number, pageSize: number): number {
  return Math.max(1, Math.ceil(totalCount / pageSize));
}

/**
 * All pages when 5 or fewer; otherwise first, last, current with neighbours, a gap after the first when the
 * current is above 3, and before the last when it is below total minus 2 (specification, section 9).
 */
export function paginationItems(current: number, total: number): PaginationItem[] {
  if (total <= 5) return Array.from({ length: total }, (_, index) => index + 1);
  const marks: PaginationItem[] = [1];
  if (current > 3) marks.push('gap');
  for (let page = Math.max(2, current - 1); page <= Math.min(total - 1, current + 1); page += 1)
    marks.push(page);
  if (current < total - 2) marks.push('gap');
  marks.push(total);
  return marks;
}

/** A page change counts only for a whole number from 1 to the last page (specification, section 4). */
export function isPage(page: number, total: number): boolean {
  return Number.isInteger(page) && page >= 1 && page <= total;
}
