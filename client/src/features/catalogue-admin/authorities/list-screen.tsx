import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import type { Paged } from '#contracts/paging.js';
import { Button } from '../../../components/button.js';
import { Choice } from '../../../components/choice.js';
import { EmptyState } from '../../../components/empty-state.js';
import { ErrorState } from '../../../components/error-state.js';
import { Pagination } from '../../../components/pagination.js';
import { SearchBox } from '../../../components/search-box.js';
import { isPage, totalPages } from '../../../lib/page-marks.js';
import { useListKeys } from '../../../lib/use-list-keys.js';
import { usePageTitle } from '../../../domain/use-page-title.js';
import listPage from '../../../components/list-page.module.css';
import styles from './list-screen.module.css';
import type { ListAddress } from './use-list-address.js';

/** How long a search waits for the next letter (specification, section 9). */
const SEARCH_DELAY_MS = 500;

interface ListScreenProps<Item, Sort extends string> {
  title: string;
  /** What is listed, for counts and sentences, for instance `author` and `authors`. */
  noun: readonly [one: string, many: string];
  /** The button that adds one. */
  add: ReactNode;
  searchPlaceholder: string;
  sortLabel: string;
  sorts: readonly { value: Sort; label: string }[];
  address: ListAddress<Sort>;
  /** Says that a part of the list is shown alone. */
  part?: ReactNode;
  list: UseQueryResult<Paged<Item>>;
  /** Takes the focus when what had it is gone. */
  listRef: RefObject<HTMLDivElement | null>;
  /** The items; undefined while loading. */
  children: (items: readonly Item[] | undefined, stale: boolean) => ReactNode;
}

/** The frame of every list of the catalogue's administration. */
export function ListScreen<Item, Sort extends string>(props: ListScreenProps<Item, Sort>) {
  const { title, noun, add, address, list, listRef, children } = props;
  const { query } = address;
  usePageTitle(title);
  const searchInput = useRef<HTMLInputElement>(null);
  const pages = totalPages(list.data?.totalCount ?? 0, query.pageSize);
  const turn = (page: number) => {
    if (!isPage(page, pages)) return;
    address.change({ pageNumber: page });
    if ((listRef.current?.getBoundingClientRect().top ?? 0) < 0)
      listRef.current?.scrollIntoView({ block: 'start' });
  };
  const listKeys = useListKeys({ page: query.pageNumber, onPage: turn, search: searchInput });
  useLastPage(address, list, pages);

  return (
    <>
      <header className={styles.head}>
        <h2 className={listPage.title}>{title}</h2>
        <p className={styles.count} role="status">
          {list.data && countOf(list.data.totalCount, noun, query.SearchTerm)}
        </p>
        {add}
      </header>
      <div className={styles.tools}>
        <SearchBox
          label={`Search ${noun[1]}`}
          placeholder={props.searchPlaceholder}
          value={query.SearchTerm}
          onSearch={(SearchTerm) => address.change({ SearchTerm })}
          delay={SEARCH_DELAY_MS}
          inputRef={searchInput}
        />
        <Choice
          label={props.sortLabel}
          value={query.SortBy}
          options={props.sorts}
          onChoose={(SortBy) => address.change({ SortBy })}
        />
        {props.part}
      </div>
      <div ref={listRef} {...listKeys} role="region" aria-label={title} className={listPage.list}>
        {list.isError && !list.data ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />
        ) : list.data?.totalCount === 0 ? (
          <NothingHere
            noun={noun}
            searched={query.SearchTerm !== ''}
            isPart={address.only !== ''}
            onClear={() => address.change({ SearchTerm: '', only: '' })}
          />
        ) : (
          children(list.data?.items, list.isPlaceholderData)
        )}
      </div>
      {pages > 1 && (
        <Pagination label={`Pages of ${noun[1]}`} page={query.pageNumber} total={pages} onPage={turn} />
      )}
    </>
  );
}

/** A page that is no more (its last authority was deleted, or the address is old) gives way to the last one there is. */
function useLastPage<Item, Sort extends string>(
  address: ListAddress<Sort>,
  list: UseQueryResult<Paged<Item>>,
  pages: number,
): void {
  const beyond = list.data !== undefined && !list.isPlaceholderData && address.query.pageNumber > pages;
  useEffect(() => {
    if (beyond) address.change({ pageNumber: pages }, { mending: true });
    // The address is a new object with every drawing; what it says is in the two others.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [beyond, pages]);
}

function countOf(total: number, [one, many]: readonly [string, string], term: string): string {
  const number = new Intl.NumberFormat('en-US').format(total);
  const things = `${number} ${total === 1 ? one : many}`;
  return term === '' ? things : `${things} for “${term}”`;
}

interface NothingHereProps {
  noun: readonly [string, string];
  searched: boolean;
  isPart: boolean;
  onClear: () => void;
}

function NothingHere({ noun: [one, many], searched, isPart, onClear }: NothingHereProps) {
  if (searched || isPart) {
    return (
      <EmptyState title={`No ${one} matches`} action={<Button onClick={onClear}>Show all {many}</Button>}>
        {searched ? 'Try fewer words or another spelling.' : `Only a part of the ${many} is looked for.`}
      </EmptyState>
    );
  }
  return <EmptyState title={`No ${many} yet`}>Add the first {one} with the button above.</EmptyState>;
}
