import { ChevronRight, FileDown, Printer } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { Link } from 'react-router-dom';
import { Button, ButtonLink } from '../../../components/button.js';
import { EmptyState } from '../../../components/empty-state.js';
import part from '../../../components/page-part.module.css';
import { LiveBadge } from '../../../domain/live/live-badge.js';
import { isoDay } from '../../../lib/dates.js';
import { AccessLogList } from '../access-log-list.js';
import { useExport, useHashChain } from './history/export-history.js';
import { useGrowth } from './history/get-history.js';
import type { History } from './history/history.js';
import { PrintedHistory } from './history/printed-history.js';
import { useReplayAddress, type ReplayTab } from './replay-address.js';
import { ReplayBoard } from './replay-board.js';
import styles from './replay-page.module.css';

/** A reader's history: its head, and the two ways to look at it. */
export function ReplayScreen({ readerId, history }: { readerId: string; history: History }) {
  const [address, change] = useReplayAddress();
  const trouble = useGrowth(readerId, true);
  const exported = useExport(readerId);
  const chain = useHashChain(readerId);
  const { reader, events } = history;
  const [first, last] = [events[0], events.at(-1)];
  const borrows = new Set(events.flatMap(({ borrowId }) => (borrowId === '' ? [] : [borrowId]))).size;

  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <div>
          <nav className={styles.crumbs} aria-label="Where this is">
            <Link to="/audit">Audit</Link>
            <ChevronRight size={14} aria-hidden="true" />
            <span>Reader</span>
          </nav>
          <h1 className={styles.name}>{reader.fullname}</h1>
          <p className={part.about}>
            <span data-events={events.length}>
              {events.length} {events.length === 1 ? 'event' : 'events'}
            </span>
            <span>
              {borrows} {borrows === 1 ? 'borrow' : 'borrows'}
            </span>
            {first && last && (
              <span>
                {isoDay(first.occurredAt)} to {isoDay(last.occurredAt)}
              </span>
            )}
            <LiveBadge />
          </p>
        </div>
        <div className={styles.actions}>
          <Button
            size="small"
            busy={chain.isPending}
            disabled={events.length === 0}
            onClick={() => chain.mutate()}
          >
            <Printer size={16} aria-hidden="true" />
            Print
          </Button>
          <Button size="small" busy={exported.isPending} onClick={() => exported.mutate()}>
            <FileDown size={16} aria-hidden="true" />
            Export
          </Button>
        </div>
      </header>
      {trouble && (
        <p role="status" className={styles.trouble}>
          New events are not shown as they come: {trouble}
        </p>
      )}
      <Tabs.Root value={address.tab} onValueChange={(tab) => change({ tab: tab as ReplayTab })}>
        <Tabs.List className={styles.tabs} aria-label="Views of this history">
          <Tabs.Trigger value="replay" className={styles.tab}>
            Replay
          </Tabs.Trigger>
          <Tabs.Trigger value="looks" className={styles.tab}>
            Who looked
          </Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="replay" tabIndex={-1}>
          {events.length === 0 ? (
            <EmptyState
              title="Nothing has happened yet"
              action={<ButtonLink to="/audit">Find another reader</ButtonLink>}
            >
              {reader.fullname} has never borrowed a book. The first event will appear here as it happens.
            </EmptyState>
          ) : (
            <ReplayBoard readerId={readerId} history={history} address={address} change={change} />
          )}
        </Tabs.Content>
        <Tabs.Content value="looks" tabIndex={-1}>
          <div className={styles.looks}>
            <AccessLogList readerId={readerId} />
          </div>
        </Tabs.Content>
      </Tabs.Root>
      {chain.data && <PrintedHistory history={history} chain={chain.data} onDone={chain.reset} />}
    </div>
  );
}
