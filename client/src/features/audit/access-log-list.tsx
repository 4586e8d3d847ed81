import { Link } from 'react-router-dom';
import { ACCESS_LOG_PAGE_SIZE, type AccessLogEntry, type AccessKind } from '#contracts/audit/access-log.js';
import { PagedList } from '../../components/list/paged-list.js';
import { Skeleton } from '../../components/list/placeholders.js';
import { isoMinute, relativeTime } from '../../lib/dates.js';
import { useList, usePageState } from '../../lib/use-list.js';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { findAuditedReaders, listLooks } from '#contracts/audit/audit-calls.js';
import type { AuditReadersQuery } from '#contracts/audit/audit-events.js';
import { queryOf } from '../../lib/api/send.js';

const LOOK = 'flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0 py-2 border-b border-line';

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
  const page = usePageState();
  const looks = useAccessLog(readerId, page[0].pageNumber);
  return (
    <>
      <p className="text-ink-soft text-1 max-w-measure mb-3">
        Every look is recorded for good. Looks of one kind within ten minutes count as one; every export
        counts.
      </p>
      <PagedList
        list={useList(page, looks, ACCESS_LOG_PAGE_SIZE)}
        pagesLabel="Pages of the looks"
        empty={<p className="text-ink-soft text-1 py-4">Nobody has looked at this history yet.</p>}
      >
        {(shown) => (
          <ol
            role="list"
            className="mb-4 border-t border-line text-1"
            aria-label="Who looked"
            aria-busy={!shown}
          >
            {shown
              ? shown.items.map((look) => (
                  <AccessRow
                    key={`${look.correlationId} ${look.what}`}
                    look={look}
                    naming={readerId === null}
                  />
                ))
              : Array.from({ length: 6 }, (_, row) => (
                  <li key={row} className={LOOK}>
                    <Skeleton width={`${80 - ((row * 17) % 30)}%`} />
                  </li>
                ))}
          </ol>
        )}
      </PagedList>
    </>
  );
}

function AccessRow({ look: { at, who, whom, what }, naming }: { look: AccessLogEntry; naming: boolean }) {
  return (
    <li className={LOOK} data-look={what}>
      <p>
        <strong className="font-strong">{who.fullname}</strong> {WORDS[what]}{' '}
        {naming ? <Link to={`/audit/readers/${whom.id}`}>{whom.fullname}</Link> : 'this reader'}
      </p>
      <time
        className="text-ink-soft tabular-nums"
        dateTime={at}
        onPointerEnter={(event) => (event.currentTarget.title = relativeTime(at, Date.now()))}
      >
        {isoMinute(at)}
      </time>
    </li>
  );
}

/** Readers with what there is to replay; the previous page stays while the next one loads. */
export const useAuditReaders = (query: AuditReadersQuery) =>
  useQuery({ ...queryOf(findAuditedReaders, { query }), placeholderData: keepPreviousData });

/** Who looked, the latest first: at one reader, or (null) at anybody. Never old: looking is itself a look. */
function useAccessLog(readerId: string | null, pageNumber: number) {
  const query = { pageNumber, pageSize: ACCESS_LOG_PAGE_SIZE, ...(readerId !== null && { readerId }) };
  return useQuery({
    ...queryOf(listLooks, { query }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    meta: { inPlace: true },
  });
}
