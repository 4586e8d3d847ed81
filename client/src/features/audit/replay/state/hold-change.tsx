import * as m from '#words/messages.js';
import {
  HOLD_EVENTS,
  isHoldEventType,
  type HoldEvent,
  type MoveReason,
} from '#contracts/holds/hold-events.js';
import { ErrorState, Skeleton } from '../../../../components/list/placeholders.js';
import { NonBreakingDates } from '../../../../components/display/day.js';
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

const MOVE_REASONS: Record<MoveReason, () => string> = {
  'library-error': m.audit_move_library_error,
  urgent: m.audit_move_urgent,
  study: m.audit_move_study,
  other: m.audit_move_other,
};

function meaningOf({ type, data }: HoldEvent): string {
  switch (type) {
    case 'HoldPlaced':
      return data.neededUntil === null
        ? m.audit_hold_placed()
        : m.audit_hold_placed_until({ day: isoDay(data.neededUntil) });
    case 'HoldPaused':
      return m.audit_hold_paused({ day: isoDay(data.until) });
    case 'HoldResumed':
      return data.resumedBy === null ? m.audit_hold_pause_over() : m.audit_hold_waits_again();
    case 'HoldNeededUntil':
      return data.neededUntil === null
        ? m.audit_hold_however_long()
        : m.audit_hold_until({ day: isoDay(data.neededUntil) });
    case 'HoldMoved':
      return data.before === null
        ? m.audit_hold_moved_last({ reason: MOVE_REASONS[data.reason]() })
        : m.audit_hold_moved_before({ reason: MOVE_REASONS[data.reason]() });
    case 'HoldReady':
      return m.audit_hold_ready({ day: isoDay(data.collectBy) });
    case 'HoldSetBack':
      return m.audit_hold_set_back();
    case 'HoldCollected':
      return m.audit_hold_collected();
    case 'HoldLapsed':
      return m.audit_hold_lapsed();
    case 'HoldCancelled':
      return m.audit_hold_cancelled();
    case 'HoldNoLongerNeeded':
      return data.reason === 'day-passed' ? m.audit_hold_day_passed() : m.audit_hold_got_otherwise();
  }
}
