import { useEffect, useRef } from 'react';
import { Button, ButtonLink } from '../../components/button.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorState } from '../../components/error-state.js';
import { Pagination } from '../../components/pagination.js';
import { SearchBox } from '../../components/search-box.js';
import { isPage, totalPages } from '../../lib/page-marks.js';
import { oneOf, pageParameter, searchParameter, useAddress } from '../../lib/use-address.js';
import { useListKeys } from '../../lib/use-list-keys.js';
import { useHistory } from './get-history.js';
import { HISTORY_KEYS, ORDERS } from './history-order.js';
import { HistoryTable } from './history-table.js';
import styles from './profile-page.module.css';

const PAGE_SIZE = 20;
const SEARCH_DELAY_MS = 500;

const ADDRESS = {
  words: searchParameter,
  key: oneOf('sort', HISTORY_KEYS, 'rentDate'),
  direction: oneOf('direction', ['Ascending', 'Descending'], 'Descending'),
  page: pageParameter,
} as const;

export function BorrowHistory({ readerId }: { readerId: string }) {
  const [{ words, key, direction, page }, change] = useAddress(ADDRESS);
  const { data, isPlaceholderData, ...history } = useHistory(readerId, {
    SearchTerm: words,
    OrderBy: ORDERS[key],
    Direction: direction,
    pageNumber: page,
    pageSize: PAGE_SIZE,
  });
  const search = useRef<HTMLInputElement>(null);
  const pages = totalPages(data?.totalCount ?? 0, PAGE_SIZE);
  const turn = (next: number) => {
    if (isPage(next, pages)) change({ page: next });
  };
  const listKeys = useListKeys({ page, onPage: turn, search });
  const isBeyond = data !== undefined && !isPlaceholderData && page > pages;
  useEffect(() => {
    if (isBeyond) change({ page: pages }, { mending: true });
    // The address is a new object with every drawing; what it says is in the two others.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isBeyond, pages]);

  if (history.isError && !data) {
    return (
      <section className={styles.history} aria-labelledby="history">
        <h2 id="history">Borrow history</h2>
        <ErrorState
          error={history.error}
          onRetry={() => void history.refetch()}
          retrying={history.isFetching}
        />
      </section>
    );
  }
  const isEmpty = data?.totalCount === 0;
  return (
    <section className={styles.history} aria-labelledby="history">
      <div className={styles.historyHead}>
        <h2 id="history">Borrow history</h2>
        {data && (!isEmpty || words !== '') && (
          <SearchBox
            label="Search your borrows"
            placeholder="Search by book title or rent date YYYY-MM-DD"
            value={words}
            onSearch={(next) => change({ words: next })}
            delay={SEARCH_DELAY_MS}
            inputRef={search}
          />
        )}
      </div>
      {isEmpty && words === '' ? (
        <EmptyState
          title="You have not borrowed a book yet"
          action={<ButtonLink to="/catalog">Find a book</ButtonLink>}
        >
          What you rent will be listed here, with the day on which it is due.
        </EmptyState>
      ) : isEmpty ? (
        <EmptyState
          title="No borrow matches"
          action={<Button onClick={() => change({ words: '' })}>Show all borrows</Button>}
        />
      ) : (
        <div {...listKeys} role="group" aria-label="Borrows" className={styles.list}>
          <HistoryTable
            borrows={data?.items}
            firstNumber={(page - 1) * PAGE_SIZE + 1}
            order={{ key, descending: direction === 'Descending' }}
            onOrder={(order) =>
              change({ key: order.key, direction: order.descending ? 'Descending' : 'Ascending' })
            }
          />
        </div>
      )}
      {pages > 1 && <Pagination label="Pages of your history" page={page} total={pages} onPage={turn} />}
    </section>
  );
}
