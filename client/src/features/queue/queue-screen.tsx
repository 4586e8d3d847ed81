import * as m from '#words/messages.js';
import Printer from 'lucide-react/icons/printer';
import { lazy, Suspense, useCallback, useState } from 'react';
import type { BorrowPart } from '#contracts/borrowing/borrow-part.js';
import type { BorrowView, BorrowListQuery } from '#contracts/borrowing/borrow-views.js';
import { Button } from '../../components/form/button.js';
import { EmptyState } from '../../components/list/placeholders.js';
import { LiveBadge } from '../../domain/live/live-badge.js';
import { ListHead, FilterNotice } from '../../components/list/list-page.js';
import { ListBody } from '../../components/list/paged-list.js';
import { Pagination } from '../../components/list/pagination.js';
import { type QueuePage, queuePage } from '../../domain/live/queue-page.js';
import { useList } from '../../lib/use-list.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { useQueueAddress, QueueTools } from './queue-tools.js';
import { QueueBand, SelectionBar, useBulk } from './queue-band.js';
import { QueueTable, useSelection } from './queue-table.js';
import { useArrivals } from './use-arrivals.js';
import { useQueueKeys } from './use-queue-keys.js';
import { classNames } from '../../lib/class-names.js';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listBorrows } from '#contracts/borrowing/borrow-calls.js';
import { keyOf, send } from '../../lib/api/send.js';
import { useAskingInterval, useLiveStatus } from '../../domain/live/live-status.js';

const ShortcutsDialog = lazy(async () => ({
  default: (await import('./shortcuts-dialog.js')).ShortcutsDialog,
}));
const PickList = lazy(async () => ({ default: (await import('./pick-list.js')).PickList }));

const NO_ROWS: readonly BorrowView[] = [];

/** What the dashboard calls the parts that it leads to. */
const PART_NAMES: Record<BorrowPart, string> = {
  Active: m.queue_active(),
  DueToday: m.common_due_today(),
  Overdue: m.common_overdue(),
  LastDayToCollect: m.queue_last_day(),
  RentedLastMonth: m.common_books_borrowed_last_month(),
  ToPayOut: m.queue_to_pay_out(),
};

/** A counter of books leads to a list that counts books. */
function countOf({ totalCount, totalBooks }: QueuePage): string {
  if (totalBooks === undefined) return m.queue_count({ count: totalCount });
  return m.queue_books_in_borrows({ books: totalBooks, borrows: totalCount });
}

/** The librarian's queue: every borrow, as it happens. */
export function QueueScreen() {
  usePageTitle(m.common_borrows());
  const [query, change] = useQueueAddress();
  const queue = useQueue(query);
  const list = useList([query, change], queue, query.pageSize, { mends: false });
  const page = queue.data;
  const arrivals = useArrivals(queue.isPlaceholderData ? undefined : page, query, change, list.region);
  const selection = useSelection(page?.items ?? NO_ROWS, JSON.stringify(query));
  const bulk = useBulk(selection.remove);
  const [showsKeys, setShowsKeys] = useState(false);
  const [printing, setPrinting] = useState<{ rented?: readonly BorrowView[] }>();
  const narrowed =
    query.Only !== undefined || query.SearchTerm !== '' || query.SortBy !== 'All' || query.pageNumber > 1;
  const showKeys = () => setShowsKeys(true);
  useQueueKeys(list.region, showKeys, bulk.undoLast);
  const printed = useCallback(() => setPrinting(undefined), []);

  return (
    <>
      <ListHead title={m.common_borrows()} count={page && countOf(page)}>
        <Button
          icon={Printer}
          size="small"
          look="plain"
          className="self-center -my-2"
          onClick={() => setPrinting({})}
        >
          {m.queue_pick_list()}
        </Button>
        <LiveBadge />
      </ListHead>
      <QueueTools list={list} />
      {query.Only && (
        <FilterNotice
          name={PART_NAMES[query.Only]}
          leave={m.list_borrows_again()}
          onLeave={() => change({ Only: undefined, pageNumber: 1 })}
        />
      )}
      <ListBody
        list={list}
        label={m.queue_label()}
        className="relative mb-4"
        above={
          <div
            role="status"
            // Over the list, so that its coming moves no row.
            // Where the table's head is empty, after its first word.
            className="sticky top-0 z-3 h-0 flex pl-18 phone:justify-center phone:p-0"
          >
            {arrivals.count > 0 && (
              <button
                type="button"
                className={classNames(
                  'h-9 py-0 px-6 [border-radius:0_0_var(--radius)_var(--radius)] bg-mark text-ink',
                  'text-1 font-semibold tabular-nums cursor-pointer shadow-lift',
                  'hover:underline',
                  'phone:h-11',
                )}
                onClick={arrivals.show}
              >
                {m.queue_new({ count: arrivals.count })}
              </button>
            )}
          </div>
        }
        empty={
          <EmptyState
            title={m.queue_empty()}
            action={
              narrowed && (
                <Button
                  onClick={() => change({ Only: undefined, SortBy: 'All', SearchTerm: '', pageNumber: 1 })}
                >
                  {m.queue_show_all()}
                </Button>
              )
            }
          >
            {narrowed ? m.queue_nothing_matches() : m.queue_empty_lead()}
          </EmptyState>
        }
      >
        {(shown, stale) => <QueueTable page={shown} query={query} stale={stale} selection={selection} />}
      </ListBody>
      <QueueBand onKeys={showKeys}>
        <SelectionBar selection={selection} bulk={bulk} onPrint={(rented) => setPrinting({ rented })} />
        {list.pages > 1 && (
          <Pagination label={m.queue_pages()} page={query.pageNumber} total={list.pages} onPage={list.turn} />
        )}
      </QueueBand>
      <Suspense fallback={null}>
        {showsKeys && <ShortcutsDialog onClose={() => setShowsKeys(false)} />}
        {printing && <PickList rented={printing.rented} onDone={printed} />}
      </Suspense>
    </>
  );
}

/** A page of the queue. Live messages update it in place, so it does not become stale with time. */
function useQueue(query: BorrowListQuery) {
  const live = useLiveStatus().state === 'live';
  return useQuery({
    queryKey: keyOf(listBorrows, { query }),
    queryFn: async ({ signal }) => {
      const askedAt = Date.now();
      return queuePage(await send(listBorrows, { query }, { signal }), query, askedAt);
    },
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    refetchOnWindowFocus: !live,
    refetchInterval: useAskingInterval(),
  });
}
