import * as m from '#words/messages.js';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { Link } from 'react-router-dom';
import { AUDIT_READERS_PAGE_SIZE, type AuditReader } from '#contracts/audit/audit-events.js';
import { Marked } from '../../components/display/marked.js';
import { ListSearch, NothingMatches } from '../../components/list/list-page.js';
import { PagedList } from '../../components/list/paged-list.js';
import { Skeleton } from '../../components/list/placeholders.js';
import { pageParameter, searchParameter, useAddress } from '../../lib/use-address.js';
import { useList } from '../../lib/use-list.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import listPage from '../../components/list/list-page.module.css';
import styles from './audit-page.module.css';
import { useAuditReaders, AccessLogList } from './access-log-list.js';

/** Milliseconds that a search waits for the next letter. */
const SEARCH_DELAY = 400;

const ADDRESS = { SearchTerm: searchParameter, pageNumber: pageParameter } as const;

/** The auditor's entrance: find a reader, and see who looked at whom. */
export function AuditPage() {
  usePageTitle(m.common_audit());
  const address = useAddress(ADDRESS);
  const readers = useAuditReaders({ ...address[0], pageSize: AUDIT_READERS_PAGE_SIZE });
  const list = useList(address, readers, AUDIT_READERS_PAGE_SIZE);
  return (
    <div className="w-full max-w-360 mx-auto p-gutter pt-6 pb-16">
      <header className="mb-6">
        <h1>{m.common_audit()}</h1>
        <p className="max-w-measure mt-1 text-ink-soft">
          <Marked
            parts={m.audit_lead.parts()}
            as={{
              insight: (text) => <Link to="/audit/insight">{text}</Link>,
              rules: (text) => <Link to="/audit/rules">{text}</Link>,
              till: (text) => <Link to="/audit/till">{text}</Link>,
            }}
          />
        </p>
      </header>
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(18rem,25rem)] gap-10 items-start to-960:grid-cols-1">
        <div>
          <div className={listPage.tools}>
            <ListSearch
              list={list}
              label={m.audit_find_reader()}
              placeholder={m.audit_find_reader_by()}
              delay={SEARCH_DELAY}
            />
            <p className={listPage.count} role="status">
              {readers.data && m.list_readers_count({ count: readers.data.totalCount })}
            </p>
          </div>
          <PagedList
            list={list}
            label={m.common_readers()}
            className="mb-4 focus-visible:outline-offset-4"
            pagesLabel={m.list_readers_pages()}
            empty={
              <NothingMatches
                title={m.list_readers_none()}
                all={m.list_readers_all()}
                onClear={() => list.change({ SearchTerm: '' })}
              >
                {m.audit_readers_hint()}
              </NothingMatches>
            }
          >
            {(page, stale) => <Readers readers={page?.items} stale={stale} />}
          </PagedList>
        </div>
        <aside
          className="p-4 border border-line double-rule bg-surface [&_h2]:mb-2"
          aria-labelledby="who-looked"
        >
          <h2 id="who-looked">{m.audit_who_looked()}</h2>
          <AccessLogList readerId={null} />
        </aside>
      </div>
    </div>
  );
}

function Readers({ readers, stale }: { readers: readonly AuditReader[] | undefined; stale: boolean }) {
  return (
    <ul
      role="list"
      className="border-t border-line-strong text-1 [transition:opacity_var(--quick)]"
      aria-busy={!readers || stale}
      data-stale={stale || undefined}
    >
      {readers
        ? readers.map((reader) => (
            <li key={reader.id}>
              <Link
                to={`/audit/readers/${reader.id}`}
                className={styles.reader}
                data-reader={reader.userName}
              >
                <span className="font-serif text-2 font-strong phone:col-[1_/_3] phone:text-3">
                  {reader.fullname}
                </span>
                <span className="wrap-anywhere text-ink-soft phone:col-[1_/_3]">
                  {reader.userName === '' ? m.audit_account_removed() : `${reader.userName}, ${reader.email}`}
                </span>
                <span className="text-right tabular-nums phone:text-left">
                  {m.common_borrows_count({ count: reader.borrows })}
                </span>
                <span className="text-right tabular-nums phone:text-left">
                  {m.audit_events_count({ count: reader.events })}
                </span>
                <ChevronRight size={18} aria-hidden="true" />
              </Link>
            </li>
          ))
        : Array.from({ length: 8 }, (_, row) => (
            <li key={row} className="flex items-center min-h-11 px-2 border-b border-line">
              <Skeleton width={`${70 - ((row * 13) % 35)}%`} />
            </li>
          ))}
    </ul>
  );
}
