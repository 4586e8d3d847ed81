import { Link2, Printer } from 'lucide-react';
import { useState } from 'react';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { borrowNumber } from '#contracts/borrowing/queue-search.js';
import { Drawer, drawerTool } from '../../../components/dialog/drawer.js';
import { ErrorState } from '../../../components/list/error-state.js';
import { Skeleton, SkeletonLines } from '../../../components/list/skeleton.js';
import { notify } from '../../../lib/notify.js';
import { useNow } from '../../../lib/use-now.js';
import { knownBorrows } from '../../live/known-borrows.js';
import { useCloseBorrow } from '../borrow-link.js';
import { debtOf, noteOf } from '../borrow-texts.js';
import { StatusBadge } from '../status-badge.js';
import { BorrowFacts } from './borrow-facts.js';
import { BorrowTimeline } from './borrow-timeline.js';
import { DrawerActions } from './drawer-actions.js';
import { useBorrowDetails } from './get-borrow-details.js';
import { PrintedBorrow } from './printed-borrow.js';

/** A borrow with everything that is known of it and everything that can be done with it now. */
export function BorrowDrawer({ id }: { id: string }) {
  const close = useCloseBorrow();
  const details = useBorrowDetails(id);
  const [printing, setPrinting] = useState(false);
  // What a list has of it is there at once.
  const borrow = details.data?.borrow ?? knownBorrows.get(id);
  return (
    <>
      <Drawer
        onClose={close}
        over={
          <>
            <span>
              Borrow <span className="tabular-nums">{borrowNumber(id)}</span>
            </span>
            {borrow && <StatusBadge status={borrow.status} />}
          </>
        }
        title={borrow ? borrow.user.fullname : details.isError ? 'A borrow' : <Skeleton width="12rem" />}
        tools={
          <>
            <button
              type="button"
              className={drawerTool}
              aria-label="Copy the link"
              onClick={() => void copyLink()}
            >
              <Link2 size={18} aria-hidden="true" />
            </button>
            {details.data && (
              <button
                type="button"
                className={drawerTool}
                aria-label="Print"
                onClick={() => setPrinting(true)}
              >
                <Printer size={18} aria-hidden="true" />
              </button>
            )}
          </>
        }
        actions={borrow && <DrawerActions borrow={borrow} />}
      >
        {borrow && <Standing borrow={borrow} />}
        {borrow && <BorrowFacts borrow={borrow} reader={details.data?.reader} />}
        {details.data ? (
          <BorrowTimeline details={details.data} />
        ) : details.isError ? (
          <ErrorState
            error={details.error}
            onRetry={() => void details.refetch()}
            retrying={details.isFetching}
          />
        ) : (
          <SkeletonLines label="Loading what happened" widths={[70, 90, 55]} />
        )}
      </Drawer>
      {printing && details.data && <PrintedBorrow details={details.data} onDone={() => setPrinting(false)} />}
    </>
  );
}

/** The one line that says how things stand. */
function Standing({ borrow }: { borrow: BorrowView }) {
  const note = noteOf(borrow, useNow(true));
  const debt = debtOf(borrow);
  if (!note && !debt) return null;
  return (
    <p
      className="mb-4 data-late:text-danger data-late:font-semibold"
      data-late={note?.late || debt !== undefined || undefined}
    >
      {[note && [note.text, note.day].filter(Boolean).join(' '), debt && `${debt} to pay`]
        .filter(Boolean)
        .join(', ')}
    </p>
  );
}

async function copyLink(): Promise<void> {
  try {
    await navigator.clipboard.writeText(window.location.href);
    notify.success('Link copied');
  } catch {
    notify.error('Your browser does not let this page copy. Please copy the address of the page.');
  }
}
