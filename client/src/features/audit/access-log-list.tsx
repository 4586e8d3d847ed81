import { useState } from 'react';
import { Link } from 'react-router-dom';
import { ACCESS_LOG_PAGE_SIZE, type Look, type AccessKind } from '#contracts/audit/access-log.js';
import { ErrorState } from '../../components/error-state.js';
import { Pagination } from '../../components/pagination.js';
import { Skeleton } from '../../components/skeleton.js';
import { isoMinute, relativeTime } from '../../lib/dates.js';
import { totalPages } from '../../lib/page-marks.js';
import { useAccessLog } from './audit-calls.js';
import styles from './access-log-list.module.css';

/** What was looked at, after the name of who looked. */
const WORDS: Record<AccessKind, string> = {
  history: 'read the events of',
  state: 'replayed the borrows of',
  borrow: 'looked at a borrow of',
  fee: 'asked about a fee of',
  export: 'exported the history of',
  watch: 'watched the history of',
  'what-if': 'tried other rules on the fees of',
};

/** Who looked at a reader, or (null) at anybody. Looking is never hidden. */
export function AccessLogList({ readerId }: { readerId: string | null }) {
  const [page, setPage] = useState(1);
  const looks = useAccessLog(readerId, page);
  if (looks.isError && !looks.data) {
    return (
      <ErrorState error={looks.error} onRetry={() => void looks.refetch()} retrying={looks.isFetching} />
    );
  }
  const pages = totalPages(looks.data?.totalCount ?? 0, ACCESS_LOG_PAGE_SIZE);
  return (
    <>
      <p className={styles.lead}>
        Every look is recorded and cannot be taken back. Looks of one kind within ten minutes count as one;
        each export counts.
      </p>
      {looks.data?.items.length === 0 ? (
        <p className={styles.none}>Nobody has looked yet.</p>
      ) : (
        <ol role="list" className={styles.looks} aria-label="Who looked" aria-busy={looks.isPending}>
          {looks.data
            ? looks.data.items.map((look) => (
                <AccessRow
                  key={`${look.correlationId} ${look.what}`}
                  look={look}
                  naming={readerId === null}
                />
              ))
            : Array.from({ length: 6 }, (_, row) => (
                <li key={row} className={styles.look}>
                  <Skeleton width={`${80 - ((row * 17) % 30)}%`} />
                </li>
              ))}
        </ol>
      )}
      {pages > 1 && <Pagination label="Pages of the looks" page={page} total={pages} onPage={setPage} />}
    </>
  );
}

function AccessRow({ look: { at, who, whom, what }, naming }: { look: Look; naming: boolean }) {
  return (
    <li className={styles.look} data-look={what}>
      <p>
        <strong className={styles.who}>{who.fullname}</strong> {WORDS[what]}{' '}
        {naming ? <Link to={`/audit/readers/${whom.id}`}>{whom.fullname}</Link> : 'this reader'}
      </p>
      <time
        className={styles.when}
        dateTime={at}
        onPointerEnter={(event) => (event.currentTarget.title = relativeTime(at, Date.now()))}
      >
        {isoMinute(at)}
      </time>
    </li>
  );
}
