import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { STOCK_TAKINGS_PAGE_SIZE, type StockTaking } from '#contracts/stock-taking/stock-taking.js';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorState } from '../../components/error-state.js';
import { Pagination } from '../../components/pagination.js';
import { Skeleton } from '../../components/skeleton.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { isoDay } from '../../lib/dates.js';
import { isPage, totalPages } from '../../lib/page-marks.js';
import { pageParameter, useAddress } from '../../lib/use-address.js';
import { useListKeys } from '../../lib/use-list-keys.js';
import listPage from '../../components/list-page.module.css';
import { StartDialog } from './start-dialog.js';
import { StateMark } from './state-mark.js';
import { useStockTakings } from './stock-taking-calls.js';
import styles from './stock-takings-page.module.css';
import { inGroups, shelvesOf } from './words.js';

const ADDRESS = { pageNumber: pageParameter } as const;

/** All stock-takings, the latest first. */
export function StockTakingsPage() {
  usePageTitle('Stock-taking');
  const [{ pageNumber }, change] = useAddress(ADDRESS);
  const list = useStockTakings(pageNumber);
  const [starting, setStarting] = useState(false);
  const noSearch = useRef<HTMLInputElement>(null);
  const page = list.data;
  const pages = totalPages(page?.totalCount ?? 0, STOCK_TAKINGS_PAGE_SIZE);
  const turn = (next: number) => {
    if (isPage(next, pages)) change({ pageNumber: next });
  };
  const listKeys = useListKeys({ page: pageNumber, onPage: turn, search: noSearch });
  const isEmpty = page?.items.length === 0;
  const start = (
    <Button look="primary" onClick={() => setStarting(true)}>
      Start a stock-taking
    </Button>
  );

  return (
    <>
      <header className={styles.head}>
        <h2 className={listPage.title}>Stock-taking</h2>
        {page && !isEmpty && start}
      </header>
      {list.isError && !page ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />
      ) : isEmpty ? (
        <EmptyState title="No stock-taking yet" action={start}>
          Scan shelf after shelf, or load the file of a scanner, and see what is missing, what stands in the
          wrong place, and what turned up. It can be paused, and several people can scan at once.
        </EmptyState>
      ) : (
        <section {...listKeys} className={listPage.list} aria-label="Stock-takings">
          <ul role="list" className={styles.list} aria-busy={!page}>
            {page
              ? page.items.map((each) => <Row key={each.id} stockTaking={each} />)
              : Array.from({ length: 4 }, (_, row) => (
                  <li key={row} className={styles.row}>
                    <Skeleton width={`${70 - row * 9}%`} />
                  </li>
                ))}
          </ul>
        </section>
      )}
      {pages > 1 && (
        <Pagination label="Pages of the stock-takings" page={pageNumber} total={pages} onPage={turn} />
      )}
      {starting && <StartDialog onClose={() => setStarting(false)} />}
    </>
  );
}

function Row({ stockTaking }: { stockTaking: StockTaking }) {
  const { id, name, state, startedAt, startedBy, scanned } = stockTaking;
  return (
    <li className={styles.row} data-stock-taking={id}>
      <Link className={styles.name} to={`/admin/stock-taking/${id}`}>
        {name}
      </Link>
      <StateMark state={state} />
      <p className={styles.about}>
        <span>{shelvesOf(stockTaking)}</span>
        <span>
          begun {isoDay(startedAt)}
          {startedBy !== null && ` by ${startedBy}`}
        </span>
      </p>
      <p className={styles.scanned}>{inGroups(scanned)} scanned</p>
    </li>
  );
}
