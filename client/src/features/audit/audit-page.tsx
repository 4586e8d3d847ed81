import { ChevronRight } from 'lucide-react';
import { useRef } from 'react';
import { Link } from 'react-router-dom';
import { AUDIT_READERS_PAGE_SIZE, type AuditReader } from '#contracts/audit/audit-events.js';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorState } from '../../components/error-state.js';
import { Pagination } from '../../components/pagination.js';
import { SearchBox } from '../../components/search-box.js';
import { Skeleton } from '../../components/skeleton.js';
import { isPage, totalPages } from '../../lib/page-marks.js';
import { useListKeys } from '../../lib/use-list-keys.js';
import { pageParameter, searchParameter, useAddress } from '../../lib/use-address.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import listPage from '../../components/list-page.module.css';
import styles from './audit-page.module.css';
import { useAuditReaders } from './audit-calls.js';
import { AccessLogList } from './access-log-list.js';

const SEARCH_DELAY_MS = 400;

const ADDRESS = { SearchTerm: searchParameter, pageNumber: pageParameter } as const;

/** The auditor's entrance: find a reader, and see who looked at whom. */
export function AuditPage() {
  usePageTitle('Audit');
  const [address, change] = useAddress(ADDRESS);
  const query = { ...address, pageSize: AUDIT_READERS_PAGE_SIZE };
  const readers = useAuditReaders(query);
  const search = useRef<HTMLInputElement>(null);
  const page = readers.data;
  const pages = totalPages(page?.totalCount ?? 0, query.pageSize);
  const turn = (next: number) => {
    if (isPage(next, pages)) change({ pageNumber: next });
  };
  const listKeys = useListKeys({ page: query.pageNumber, onPage: turn, search });

  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>Audit</h1>
        <p className={styles.lead}>
          Replay how any reader’s borrows came to be: every event as it was stored, and the state after each.{' '}
          <Link to="/audit/insight">Ask the log</Link> for what happened to books, without looking at anybody,
          and see all versions of the <Link to="/audit/rules">rules</Link>.
        </p>
      </header>
      <div className={styles.columns}>
        <div>
          <div className={listPage.tools}>
            <SearchBox
              label="Find a reader"
              placeholder="Search by name, username or email"
              value={query.SearchTerm}
              onSearch={(SearchTerm) => change({ SearchTerm })}
              delay={SEARCH_DELAY_MS}
              inputRef={search}
            />
            <p className={listPage.count} role="status">
              {page && `${page.totalCount} ${page.totalCount === 1 ? 'reader' : 'readers'}`}
            </p>
          </div>
          {readers.isError && !page ? (
            <ErrorState
              error={readers.error}
              onRetry={() => void readers.refetch()}
              retrying={readers.isFetching}
            />
          ) : page?.items.length === 0 ? (
            <EmptyState
              title="No reader matches"
              action={<Button onClick={() => change({ SearchTerm: '' })}>Show all readers</Button>}
            >
              Try a part of the name, of the username or of the e-mail address. The whole id also finds a
              reader whose account was removed.
            </EmptyState>
          ) : (
            <section {...listKeys} className={listPage.list} aria-label="Readers">
              <Readers readers={page?.items} stale={readers.isPlaceholderData} />
            </section>
          )}
          {pages > 1 && (
            <Pagination label="Pages of the readers" page={query.pageNumber} total={pages} onPage={turn} />
          )}
        </div>
        <aside className={styles.looks} aria-labelledby="who-looked">
          <h2 id="who-looked">Who looked</h2>
          <AccessLogList readerId={null} />
        </aside>
      </div>
    </div>
  );
}

function Readers({ readers, stale }: { readers: readonly AuditReader[] | undefined; stale: boolean }) {
  return (
    <ul role="list" className={styles.readers} aria-busy={!readers || stale} data-stale={stale || undefined}>
      {readers
        ? readers.map((reader) => (
            <li key={reader.id}>
              <Link
                to={`/audit/readers/${reader.id}`}
                className={styles.reader}
                data-reader={reader.userName}
              >
                <span className={styles.name}>{reader.fullname}</span>
                <span className={styles.account}>
                  {reader.userName === '' ? 'The account was removed' : `${reader.userName}, ${reader.email}`}
                </span>
                <span className={styles.number}>
                  {reader.borrows} {reader.borrows === 1 ? 'borrow' : 'borrows'}
                </span>
                <span className={styles.number}>
                  {reader.events} {reader.events === 1 ? 'event' : 'events'}
                </span>
                <ChevronRight size={18} aria-hidden="true" />
              </Link>
            </li>
          ))
        : Array.from({ length: 8 }, (_, row) => (
            <li key={row} className={styles.place}>
              <Skeleton width={`${70 - ((row * 13) % 35)}%`} />
            </li>
          ))}
    </ul>
  );
}
