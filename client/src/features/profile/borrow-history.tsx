import { useRef } from 'react';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { Button, ButtonLink } from '../../components/button.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorState } from '../../components/error-state.js';
import { Pagination } from '../../components/pagination.js';
import { SearchBox } from '../../components/search-box.js';
import { isPage, totalPages } from '../../lib/page-marks.js';
import { oneOf, pageParameter, searchParameter, useAddress } from '../../lib/use-address.js';
import { useListKeys } from '../../lib/use-list-keys.js';
import { useHistory } from './get-history.js';
import { found, HISTORY_KEYS, ordered } from './history-order.js';
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
  const history = useHistory(readerId);
  return (
    <section className={styles.history} aria-labelledby="history">
      {history.isError && !history.data ? (
        <ErrorState
          error={history.error}
          onRetry={() => void history.refetch()}
          retrying={history.isFetching}
        />
      ) : (
        <HistoryList history={history.data} />
      )}
    </section>
  );
}

function HistoryList({ history }: { history: BorrowView[] | undefined }) {
  const [{ words, key, direction, page }, change] = useAddress(ADDRESS);
  const order = { key, descending: direction === 'Descending' };
  const search = useRef<HTMLInputElement>(null);
  const matching = ordered(found(history ?? [], words), order);
  const pages = totalPages(matching.length, PAGE_SIZE);
  const shownPage = Math.min(page, pages);
  const first = (shownPage - 1) * PAGE_SIZE;
  const turn = (next: number) => {
    if (isPage(next, pages)) change({ page: next });
  };
  const listKeys = useListKeys({ page: shownPage, onPage: turn, search });

  return (
    <>
      <div className={styles.historyHead}>
        <h2 id="history">Borrow history</h2>
        {history && history.length > 0 && (
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
      {history?.length === 0 ? (
        <EmptyState
          title="You have not borrowed a book yet"
          action={<ButtonLink to="/catalog">Find a book</ButtonLink>}
        >
          What you rent will be listed here, with the day on which it is due.
        </EmptyState>
      ) : history && matching.length === 0 ? (
        <EmptyState
          title="No borrow matches"
          action={<Button onClick={() => change({ words: '' })}>Show all borrows</Button>}
        />
      ) : (
        <div {...listKeys} role="group" aria-label="Borrows" className={styles.list}>
          <HistoryTable
            borrows={history && matching.slice(first, first + PAGE_SIZE)}
            firstNumber={first + 1}
            order={order}
            onOrder={({ key, descending }) =>
              change({ key, direction: descending ? 'Descending' : 'Ascending' })
            }
          />
        </div>
      )}
      {pages > 1 && <Pagination label="Pages of your history" page={shownPage} total={pages} onPage={turn} />}
    </>
  );
}
