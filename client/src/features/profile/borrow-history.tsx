import * as m from '#words/messages.js';
import { Button, ButtonLink } from '../../components/form/button.js';
import { EmptyState } from '../../components/list/placeholders.js';
import { PagedList } from '../../components/list/paged-list.js';
import { SearchBox } from '../../components/form/search-box.js';
import { oneOf, pageParameter, searchParameter, useAddress } from '../../lib/use-address.js';
import { useList } from '../../lib/use-list.js';
import { HISTORY_KEYS, ORDERS } from './history-order.js';
import { HistoryTable } from './history-table.js';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { readOwnHistory } from '#contracts/audit/audit-calls.js';
import type { HistoryPageQuery } from '#contracts/borrowing/borrow-views.js';
import { keyOf, send } from '../../lib/api/send.js';
import { historyRows } from '../../domain/live/history-rows.js';

const PAGE_SIZE = 20;
const SEARCH_DELAY_MS = 500;

const ADDRESS = {
  SearchTerm: searchParameter,
  key: oneOf('sort', HISTORY_KEYS, 'rentDate'),
  Direction: oneOf('direction', ['Ascending', 'Descending'], 'Descending'),
  pageNumber: pageParameter,
} as const;

export function BorrowHistory({ readerId }: { readerId: string }) {
  const address = useAddress(ADDRESS);
  const [{ key, ...query }, change] = address;
  const { SearchTerm, Direction, pageNumber } = query;
  const history = useHistory(readerId, { ...query, OrderBy: ORDERS[key], pageSize: PAGE_SIZE });
  const list = useList(address, history, PAGE_SIZE);
  const isEmpty = history.data?.totalCount === 0;
  return (
    <section className="flex flex-col gap-4" aria-labelledby="history">
      <div className="flex flex-wrap items-center gap-x-10 gap-y-3 [&>form]:max-w-116 [&>form]:ml-auto to-860:[&>form]:max-w-none">
        <h2 id="history">{m.profile_history()}</h2>
        {history.data && (!isEmpty || SearchTerm !== '') && (
          <SearchBox
            label={m.profile_history_search()}
            placeholder={m.profile_history_search_hint()}
            value={SearchTerm}
            onSearch={(next) => change({ SearchTerm: next })}
            delay={SEARCH_DELAY_MS}
            inputRef={list.search}
          />
        )}
      </div>
      <PagedList
        list={list}
        label={m.common_borrows()}
        role="group"
        className="overflow-x-auto"
        pagesLabel={m.profile_history_pages()}
        empty={
          SearchTerm === '' ? (
            <EmptyState
              title={m.profile_history_empty()}
              action={<ButtonLink to="/catalog">{m.profile_find_book()}</ButtonLink>}
            >
              {m.profile_history_empty_lead()}
            </EmptyState>
          ) : (
            <EmptyState
              title={m.profile_history_none()}
              action={
                <Button onClick={() => change({ SearchTerm: '' })}>{m.profile_history_show_all()}</Button>
              }
            />
          )
        }
      >
        {(page) => (
          <HistoryTable
            borrows={page?.items}
            firstNumber={(pageNumber - 1) * PAGE_SIZE + 1}
            order={{ key, descending: Direction === 'Descending' }}
            onOrder={(order) =>
              change({ key: order.key, Direction: order.descending ? 'Descending' : 'Ascending' })
            }
          />
        )}
      </PagedList>
    </section>
  );
}

/** A page of a reader's own borrows. Live messages keep it up to date. */
export function useHistory(readerId: string, query: HistoryPageQuery) {
  return useQuery({
    queryKey: keyOf(readOwnHistory, { query }, readerId),
    queryFn: async ({ signal }) => {
      const askedAt = Date.now();
      const answer = await send(readOwnHistory, { query }, { signal });
      return historyRows(answer, query, readerId, askedAt);
    },
    placeholderData: keepPreviousData,
  });
}
