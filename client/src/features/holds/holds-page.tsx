import { useQuery } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { useState } from 'react';
import {
  HOLDS_SHOWN,
  LAPSED_SHOWN_DAYS,
  readHoldShelf,
  readLapsedHolds,
} from '#contracts/holds/hold-views.js';
import { Button } from '../../components/form/button.js';
import { EmptyState } from '../../components/list/empty-state.js';
import { ErrorState } from '../../components/list/error-state.js';
import { Segments } from '../../components/form/segments.js';
import { LiveBadge } from '../../domain/live/live-badge.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { queryOf } from '../../lib/api/send.js';
import { oneOf, useAddress } from '../../lib/use-address.js';
import pagePart from '../../components/display/page-part.module.css';
import styles from './holds-page.module.css';
import { LapsedList } from './lapsed-list.js';
import { PrintedShelf } from './printed-shelf.js';
import { ShelfList } from './shelf-list.js';

const LISTS = ['shelf', 'lapsed'] as const;
const NAMES: Record<(typeof LISTS)[number], string> = { shelf: 'On the shelf', lapsed: 'Not collected' };
const ADDRESS = { list: oneOf('list', LISTS, 'shelf') } as const;

/** What is kept for readers at the desk, and what nobody came for. */
export function HoldsPage() {
  usePageTitle('Holds');
  const [{ list }, change] = useAddress(ADDRESS);
  const always = { refetchOnMount: 'always', meta: { inPlace: true } } as const;
  const shelf = useQuery({ ...queryOf(readHoldShelf), ...always });
  const lapsed = useQuery({ ...queryOf(readLapsedHolds), ...always, enabled: list === 'lapsed' });
  const [printing, setPrinting] = useState(false);
  const shown = list === 'shelf' ? shelf : lapsed;
  return (
    <>
      <header className={pagePart.head}>
        <h2 className={pagePart.name}>Holds</h2>
        <Segments
          label="Which holds"
          values={LISTS}
          chosen={list}
          onChoose={(each) => change({ list: each })}
        >
          {(each) => (
            <>
              {NAMES[each]}
              {each === 'shelf' && shelf.data && <span className={styles.count}>{shelf.data.length}</span>}
            </>
          )}
        </Segments>
        {list === 'shelf' && (
          <Button size="small" disabled={!shelf.data?.length} onClick={() => setPrinting(true)}>
            <Printer size={16} aria-hidden="true" />
            Print
          </Button>
        )}
        <LiveBadge />
      </header>
      {shown.isError && !shown.data ? (
        <ErrorState error={shown.error} onRetry={() => void shown.refetch()} retrying={shown.isFetching} />
      ) : shown.data?.length === 0 ? (
        <EmptyState title={list === 'shelf' ? 'Nothing waits on the shelf' : 'Everything was collected'}>
          {list === 'shelf'
            ? 'A copy that comes back for somebody who waits is listed here, until they collect it.'
            : `What nobody came for in the last ${LAPSED_SHOWN_DAYS} days is listed here.`}
        </EmptyState>
      ) : list === 'shelf' ? (
        <ShelfList holds={shelf.data} />
      ) : (
        <LapsedList holds={lapsed.data} />
      )}
      {shown.data?.length === HOLDS_SHOWN && <p className="note">The first {HOLDS_SHOWN} are shown.</p>}
      {printing && shelf.data && <PrintedShelf holds={shelf.data} onDone={() => setPrinting(false)} />}
    </>
  );
}
