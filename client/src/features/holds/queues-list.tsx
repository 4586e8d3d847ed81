import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import {
  listHoldQueues,
  QUEUE_PARTS,
  QUEUE_SORTS,
  QUEUES_PAGE_SIZE,
  type QueueListQuery,
  type TitleQueue,
} from '#contracts/holds/hold-views.js';
import * as m from '#words/messages.js';
import { StaffLink } from '../../domain/staff-link.js';
import { Day } from '../../components/display/day.js';
import { Choice } from '../../components/form/choice.js';
import { ListSearch, NothingMatches, PagedTable } from '../../components/list/list-page.js';
import { EmptyState } from '../../components/list/placeholders.js';
import type { ListColumn } from '../../components/list/table.js';
import { SmallCover } from '../../domain/covers/small-cover.js';
import { estimateText } from '../../domain/holds/hold-texts.js';
import { queryOf } from '../../lib/api/send.js';
import type { ChangeAddress } from '../../lib/use-address.js';
import { useList } from '../../lib/use-list.js';

const PARTS = QUEUE_PARTS.map((value) => ({
  value,
  label: { All: m.holds_all_titles(), MoreThanCopies: m.holds_more_than_copies(), NoCopy: m.holds_no_copy() }[
    value
  ],
}));
const SORTS = QUEUE_SORTS.map((value) => ({
  value,
  label: { Waiting: m.holds_by_waiting(), Since: m.holds_by_since(), Title: m.common_book_title() }[value],
}));

const COLUMNS: readonly ListColumn<TitleQueue>[] = [
  {
    title: m.common_book_title(),
    label: null,
    className: 'w-[40%] to-860:w-auto to-860:col-span-full to-860:-order-2',
    cell: ({ bookId, title }) => (
      <span className="grid grid-cols-[1.5rem_minmax(0,_1fr)] items-center gap-3 [&_a]:text-ink [&_a]:font-serif [&_a]:text-2 [&_a]:wrap-anywhere [&_a]:no-underline [&_a:hover]:underline">
        <SmallCover bookId={bookId} title={title} className="w-6" />
        <Link to={`/admin/holds/${bookId}`}>{title}</Link>
      </span>
    ),
  },
  {
    title: m.holds_first_in_line(),
    className: 'wrap-anywhere',
    cell: ({ first }) => <StaffLink to={`/admin/readers/${first.id}`}>{first.fullname}</StaffLink>,
  },
  { title: m.holds_wait(), look: 'number', cell: ({ waiting }) => waiting },
  { title: m.common_copies(), look: 'number', cell: ({ copies }) => copies },
  { title: m.holds_since(), look: 'nowrap', cell: ({ since }) => <Day time={since} /> },
  {
    title: m.holds_next_copy(),
    cell: ({ copies, estimateDays }) => (copies === 0 ? m.holds_none_left() : estimateText(estimateDays)),
  },
];

type Address = Pick<QueueListQuery, 'SearchTerm' | 'Only' | 'SortBy' | 'pageNumber'>;

/** Every title for which somebody waits. */
export function QueuesList({ address }: { address: readonly [Address, ChangeAddress<Address>] }) {
  const [{ SearchTerm, Only, SortBy, pageNumber }, change] = address;
  const query = { SearchTerm, Only, SortBy, pageNumber, pageSize: QUEUES_PAGE_SIZE };
  const queues = useQuery({
    ...queryOf(listHoldQueues, { query }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
  const list = useList(address, queues, QUEUES_PAGE_SIZE);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 mb-3 phone:[&>:first-child]:w-full">
        <ListSearch list={list} label={m.holds_search()} placeholder={m.holds_search_placeholder()} />
        <Choice
          label={m.holds_show()}
          value={Only}
          options={PARTS}
          onChoose={(each) => change({ Only: each })}
        />
        <Choice
          label={m.list_sort_by()}
          value={SortBy}
          options={SORTS}
          onChoose={(each) => change({ SortBy: each })}
        />
      </div>
      <PagedTable
        list={list}
        label={m.holds_queues()}
        pagesLabel={m.holds_queues_pages()}
        empty={
          SearchTerm === '' && Only === 'All' ? (
            <EmptyState title={m.holds_queues_empty()}>{m.holds_queues_empty_lead()}</EmptyState>
          ) : (
            <NothingMatches
              title={m.list_queues_none()}
              all={m.list_queues_all()}
              onClear={() => change({ SearchTerm: '', Only: 'All', pageNumber: 1 })}
            />
          )
        }
        table={{
          columns: COLUMNS,
          keyOf: ({ bookId }) => bookId,
          rowClassName: '[&>td]:align-middle',
          rowProps: ({ bookId }) => ({ 'data-title-queue': bookId }),
          waiting: 8,
        }}
      />
    </>
  );
}
