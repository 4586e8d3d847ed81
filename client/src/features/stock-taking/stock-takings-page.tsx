import { useState } from 'react';
import { Link } from 'react-router-dom';
import { STOCK_TAKINGS_PAGE_SIZE, type StockTaking } from '#contracts/stock-taking/stock-taking.js';
import { Button } from '../../components/form/button.js';
import { EmptyState } from '../../components/list/empty-state.js';
import { ListPage } from '../../components/list/list-page.js';
import { Skeleton } from '../../components/list/skeleton.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { isoDay } from '../../lib/dates.js';
import { pageParameter, useAddress } from '../../lib/use-address.js';
import { useList } from '../../lib/use-list.js';
import { StartDialog } from './start-dialog.js';
import { StateMark } from './state-mark.js';
import { useStockTakings } from './stock-taking-calls.js';
import styles from './stock-takings-page.module.css';
import { inGroups } from '../../lib/counted.js';
import { shelvesOf } from './labels.js';

const TITLE = 'Stock-taking';
const ADDRESS = { pageNumber: pageParameter } as const;

/** All stock-takings, the latest first. */
export function StockTakingsPage() {
  usePageTitle(TITLE);
  const address = useAddress(ADDRESS);
  const list = useList(address, useStockTakings(address[0].pageNumber), STOCK_TAKINGS_PAGE_SIZE);
  const [starting, setStarting] = useState(false);
  const start = (
    <Button look="primary" onClick={() => setStarting(true)}>
      Start a stock-taking
    </Button>
  );
  return (
    <>
      <ListPage
        list={list}
        title={TITLE}
        noun={['stock-taking', 'stock-takings']}
        label="Stock-takings"
        count={() => null}
        actions={list.answer.data?.totalCount ? start : null}
        pagesLabel="Pages of the stock-takings"
        empty={
          <EmptyState title="No stock-taking yet" action={start}>
            Scan shelf after shelf, or load the file of a scanner, and see what is missing, what stands in the
            wrong place, and what turned up. It can be paused, and several people can scan at once.
          </EmptyState>
        }
      >
        {(page) => (
          <ul role="list" className="border-t border-line-strong" aria-busy={!page}>
            {page
              ? page.items.map((each) => <Row key={each.id} stockTaking={each} />)
              : Array.from({ length: 4 }, (_, row) => (
                  <li key={row} className={styles.row}>
                    <Skeleton width={`${70 - row * 9}%`} />
                  </li>
                ))}
          </ul>
        )}
      </ListPage>
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
