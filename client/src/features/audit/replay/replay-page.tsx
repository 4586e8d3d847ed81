import * as m from '#words/messages.js';
import { useReplayAddress, type ReplayTab } from './replay-address.js';
import { Navigate, useParams, Link } from 'react-router-dom';
import { ErrorState, Skeleton, EmptyState } from '../../../components/list/placeholders.js';
import { usePageTitle } from '../../../domain/use-page-title.js';
import { readerPathSchema } from '#contracts/audit/audit-events.js';
import { useHistory, useGrowth, type History } from './history/history.js';
import ChevronRight from 'lucide-react/icons/chevron-right';
import FileDown from 'lucide-react/icons/file-down';
import Printer from 'lucide-react/icons/printer';
import * as Tabs from 'radix-ui/tabs';
import { Button, ButtonLink } from '../../../components/form/button.js';
import part from '../../../components/display/page-part.module.css';
import { LiveBadge } from '../../../domain/live/live-badge.js';
import { isoDay } from '../../../lib/dates.js';
import { AccessLogList } from '../access-log-list.js';
import { useExport, useHashChain, PrintedHistory } from './history/printed-history.js';
import { ReplayBoard } from './replay-board.js';
import { classNames } from '../../../lib/class-names.js';

const PAGE =
  'flex flex-col gap-3 w-full max-w-400 my-0 mx-auto pt-4 px-[clamp(var(--space-4),_3vw,_var(--space-6))] pb-10';

const TABS = [
  { tab: 'replay', name: m.audit_replay() },
  { tab: 'looks', name: m.audit_who_looked() },
] as const;

/** How everything that a reader ever borrowed came to be, event by event. */
export function ReplayPage() {
  const path = readerPathSchema.safeParse(useParams());
  if (!path.success) return <Navigate to="/not-found" replace />;
  return <ReplayOf key={path.data.readerId} readerId={path.data.readerId} />;
}

function ReplayOf({ readerId }: { readerId: string }) {
  const history = useHistory(readerId);
  usePageTitle(history.data ? m.audit_title_of({ reader: history.data.reader.fullname }) : m.common_audit());
  if (history.data) return <ReplayScreen readerId={readerId} history={history.data} />;
  return (
    <div className={PAGE}>
      {history.isError ? (
        <>
          <h1 className="text-4">{m.common_audit()}</h1>
          <ErrorState of={history} />
        </>
      ) : (
        <div
          className="flex flex-col gap-6"
          role="group"
          aria-busy="true"
          aria-label={m.audit_loading_history()}
        >
          <Skeleton width="16rem" className="h-8" />
          <Skeleton width="100%" className="h-48" />
          <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,27rem)] gap-6 to-960:grid-cols-1">
            <Skeleton width="100%" className="h-88" />
            <Skeleton width="100%" className="h-88" />
          </div>
        </div>
      )}
    </div>
  );
}

/** A reader's history: its head, and the two ways to look at it. */
function ReplayScreen({ readerId, history }: { readerId: string; history: History }) {
  const [address, change] = useReplayAddress();
  const trouble = useGrowth(readerId, true);
  const exported = useExport(readerId);
  const chain = useHashChain(readerId);
  const { reader, events } = history;
  const [first, last] = [events[0], events.at(-1)];
  const borrows = new Set(events.flatMap(({ borrowId }) => (borrowId === '' ? [] : [borrowId]))).size;

  return (
    <div className={PAGE}>
      <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <nav className="flex items-center gap-1 text-ink-soft text-1" aria-label={m.audit_where_this_is()}>
            <Link to="/audit">{m.common_audit()}</Link>
            <ChevronRight size={14} aria-hidden="true" />
            <span>{m.common_reader()}</span>
          </nav>
          <h1 className="text-4">{reader.fullname}</h1>
          <p className={part.about}>
            <span data-events={events.length}>{m.audit_events_count({ count: events.length })}</span>
            <span>{m.common_borrows_count({ count: borrows })}</span>
            {first && last && (
              <span>{m.audit_span({ from: isoDay(first.occurredAt), to: isoDay(last.occurredAt) })}</span>
            )}
            <LiveBadge />
          </p>
        </div>
        <div className="flex gap-2">
          <Button
            icon={Printer}
            size="small"
            busy={chain.isPending}
            disabled={events.length === 0}
            onClick={() => chain.mutate()}
          >
            {m.common_print()}
          </Button>
          <Button icon={FileDown} size="small" busy={exported.isPending} onClick={() => exported.mutate()}>
            {m.audit_export()}
          </Button>
        </div>
      </header>
      {trouble && (
        <p role="status" className="py-2 px-3 bg-danger-wash text-danger text-1">
          {m.audit_not_growing({ reason: trouble })}
        </p>
      )}
      <Tabs.Root value={address.tab} onValueChange={(tab) => change({ tab: tab as ReplayTab })}>
        <Tabs.List className="flex gap-1 mb-4 border-b border-line" aria-label={m.audit_views()}>
          {TABS.map(({ tab, name }) => (
            <Tabs.Trigger
              key={tab}
              value={tab}
              className={classNames(
                'min-h-10 py-0 px-3 text-ink-soft text-1 cursor-pointer',
                'first:-ml-3 hover:text-ink data-[state=active]:text-ink data-[state=active]:font-strong',
                'data-[state=active]:[box-shadow:inset_0_-2px_var(--accent-text)]',
              )}
            >
              {name}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value="replay" tabIndex={-1}>
          {events.length === 0 ? (
            <EmptyState
              title={m.audit_no_history()}
              action={<ButtonLink to="/audit">{m.audit_find_another()}</ButtonLink>}
            >
              {m.audit_no_history_of({ reader: reader.fullname })}
            </EmptyState>
          ) : (
            <ReplayBoard readerId={readerId} history={history} address={address} change={change} />
          )}
        </Tabs.Content>
        <Tabs.Content value="looks" tabIndex={-1}>
          <div className="max-w-240">
            <AccessLogList readerId={readerId} />
          </div>
        </Tabs.Content>
      </Tabs.Root>
      {chain.data && <PrintedHistory history={history} chain={chain.data} onDone={chain.reset} />}
    </div>
  );
}
