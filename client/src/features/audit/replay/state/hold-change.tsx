import { HOLD_EVENTS, isHoldEventType, type HoldEvent } from '#contracts/holds/hold-events.js';
import { ErrorState, Skeleton } from '../../../../components/list/placeholders.js';
import { NonBreakingDates } from '../../../../components/display/day.js';
import { MOVE_LABELS } from '../../../../domain/holds/hold-texts.js';
import { isoDay } from '../../../../lib/dates.js';
import type { HistoryEvent } from '../history/history.js';
import { useStoredEvent } from './get-state.js';

/** What an event of a hold meant for its reader. It is about no borrow, so nothing of one is compared. */
export function HoldChange({ readerId, event }: { readerId: string; event: HistoryEvent }) {
  const stored = useStoredEvent(readerId, event.revision);
  if (stored.data) {
    const { type, data } = stored.data;
    if (!isHoldEventType(type)) return null;
    const known = HOLD_EVENTS[type].data.safeParse(data);
    return (
      <p>
        <NonBreakingDates text={known.success ? meaningOf({ type, data: known.data } as HoldEvent) : type} />
      </p>
    );
  }
  if (stored.isError) {
    return <ErrorState of={stored} />;
  }
  return <Skeleton width="80%" />;
}

function meaningOf({ type, data }: HoldEvent): string {
  switch (type) {
    case 'HoldPlaced':
      return `The reader waits for this title, behind everyone already waiting${
        data.neededUntil === null ? '' : `, until ${isoDay(data.neededUntil)} at the latest`
      }.`;
    case 'HoldPaused':
      return `Free copies go to other readers until ${isoDay(data.until)}. The place is kept.`;
    case 'HoldResumed':
      return data.resumedBy === null
        ? 'The pause is over: the reader waits again.'
        : 'The reader waits again.';
    case 'HoldNeededUntil':
      return data.neededUntil === null
        ? 'The reader waits however long it takes.'
        : `The reader waits until ${isoDay(data.neededUntil)} at the latest.`;
    case 'HoldMoved':
      return `A librarian moved it, ${
        data.before === null ? 'last of all' : 'before another reader'
      }: ${MOVE_LABELS[data.reason].toLowerCase()}.`;
    case 'HoldReady':
      return `A copy is kept for the reader until ${isoDay(data.collectBy)}. The rent that follows reserves it.`;
    case 'HoldSetBack':
      return 'The copy was needed elsewhere. The reader waits again, in the same place.';
    case 'HoldCollected':
      return 'The reader has the book: the wait is over.';
    case 'HoldLapsed':
      return 'The copy was not collected: the wait is over.';
    case 'HoldCancelled':
      return 'The reader cancelled it: the wait is over.';
    case 'HoldNoLongerNeeded':
      return data.reason === 'day-passed'
        ? 'The last day on which the book was needed has passed: the wait is over.'
        : 'The reader got the book another way: the wait is over.';
  }
}
