import type { ReactNode } from 'react';
import type { List, ListedItems } from '../../lib/use-list.js';
import { ErrorState } from './placeholders.js';
import { Pagination } from './pagination.js';

interface ListBodyProps<Values extends { pageNumber: number }, Page extends ListedItems> {
  list: List<Values, Page>;
  /** Names the list; while it has the focus, the keyboard turns its pages. A list without it is a part of something named. */
  label?: string;
  /** What it is beside `region`. */
  role?: 'group';
  className?: string | undefined;
  /** Of the region, before what is listed. */
  above?: ReactNode;
  /** Shown where nothing is listed. */
  empty: ReactNode;
  /** The items, undefined while loading; stale while another page is on its way. */
  children: (page: Page | undefined, stale: boolean) => ReactNode;
}

/** What is listed, or why there is nothing. */
export function ListBody<Values extends { pageNumber: number }, Page extends ListedItems>(
  props: ListBodyProps<Values, Page>,
) {
  const { list, label, role = 'region', className, above, empty, children } = props;
  const { region, keys, answer, isBeyond } = list;
  const { data, isError, isPlaceholderData } = answer;
  const body =
    isError && !data ? (
      <ErrorState of={answer} />
    ) : data?.items.length === 0 && !isBeyond ? (
      empty
    ) : (
      children(data, isPlaceholderData)
    );
  if (label === undefined) return body;
  return (
    <div ref={region} {...keys} role={role} aria-label={label} className={className}>
      {above}
      {body}
    </div>
  );
}

interface PagedListProps<
  Values extends { pageNumber: number },
  Page extends ListedItems,
> extends ListBodyProps<Values, Page> {
  /** Names its pages: "Pages of the readers". */
  pagesLabel: string;
}

/** A list, a page at a time. */
export function PagedList<Values extends { pageNumber: number }, Page extends ListedItems>({
  pagesLabel,
  ...body
}: PagedListProps<Values, Page>) {
  const { values, pages, turn } = body.list;
  return (
    <>
      <ListBody {...body} />
      {pages > 1 && <Pagination label={pagesLabel} page={values.pageNumber} total={pages} onPage={turn} />}
    </>
  );
}
