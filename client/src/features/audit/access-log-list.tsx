import * as m from '#words/messages.js';
import { Link } from 'react-router-dom';
import { ACCESS_LOG_PAGE_SIZE, type AccessLogEntry, type AccessKind } from '#contracts/audit/access-log.js';
import { Marked } from '../../components/display/marked.js';
import { PagedList } from '../../components/list/paged-list.js';
import { Skeleton } from '../../components/list/placeholders.js';
import { isoMinute, relativeTime } from '../../lib/dates.js';
import { useList, usePageState } from '../../lib/use-list.js';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { findAuditedReaders, listLooks } from '#contracts/audit/audit-calls.js';
import type { AuditReadersQuery } from '#contracts/audit/audit-events.js';
import { queryOf } from '../../lib/api/send.js';

const LOOK = 'flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0 py-2 border-b border-line';

/** Who looked at what of whom. */
const LOOKS: Record<AccessKind, typeof m.audit_look_history> = {
  history: m.audit_look_history,
  state: m.audit_look_state,
  borrow: m.audit_look_borrow,
  fee: m.audit_look_fee,
  export: m.audit_look_export,
  watch: m.audit_look_watch,
  'what-if': m.audit_look_what_if,
};

/** Who looked at a reader, or (null) at anybody. Looking is never hidden. */
export function AccessLogList({ readerId }: { readerId: string | null }) {
  const page = usePageState();
  const looks = useAccessLog(readerId, page[0].pageNumber);
  return (
    <>
      <p className="text-ink-soft text-1 max-w-measure mb-3">{m.audit_looks_recorded()}</p>
      <PagedList
        list={useList(page, looks, ACCESS_LOG_PAGE_SIZE)}
        pagesLabel={m.audit_looks_pages()}
        empty={<p className="text-ink-soft text-1 py-4">{m.audit_no_looks()}</p>}
      >
        {(shown) => (
          <ol
            role="list"
            className="mb-4 border-t border-line text-1"
            aria-label={m.audit_who_looked()}
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
  const named = { who: who.fullname, whom: naming ? whom.fullname : m.audit_this_reader() };
  return (
    <li className={LOOK} data-look={what}>
      <p>
        <Marked
          parts={LOOKS[what].parts(named)}
          as={{
            who: (name) => <strong className="font-strong">{name}</strong>,
            whom: (name) => (naming ? <Link to={`/audit/readers/${whom.id}`}>{name}</Link> : name),
          }}
        />
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
