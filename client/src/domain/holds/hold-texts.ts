import * as m from '#words/messages.js';
import type { HoldView } from '#contracts/holds/hold-views.js';
import { isoDay, weekdayName } from '../../lib/dates.js';
import type { MoveReason } from '#contracts/holds/hold-events.js';

/** "1st", "22nd", "113th". */
export const ordinal = (number: number): string => m.holds_ordinal({ number });

/** In how many days a copy may be there; null where nobody can tell. */
export function estimateText(days: number | null): string {
  if (days === null) return m.holds_no_estimate();
  return days === 0 ? m.holds_any_day() : m.holds_about_days({ days });
}

/** How many wait for a title. */
export function waitingText(count: number): string {
  return count === 0 ? m.holds_nobody_waits() : m.holds_readers_wait({ count });
}

/** How a hold stands, in a sentence to its reader, or to a librarian. */
export function standingOf(hold: HoldView, to: 'owner' | 'desk'): string {
  const { place, estimateDays, collectBy, pausedUntil } = hold;
  if (place === null) {
    if (collectBy === null) return to === 'owner' ? m.holds_waits_for_you() : m.holds_waits_at_desk();
    const day = dayWithName(collectBy);
    return to === 'owner' ? m.holds_waits_for_you_until({ day }) : m.holds_waits_at_desk_until({ day });
  }
  if (pausedUntil !== null) return m.holds_paused_in_line({ day: pausedUntil, ordinal: ordinal(place) });
  return m.holds_in_line({ ordinal: ordinal(place), estimate: estimateText(estimateDays) });
}

/** What is said of a hold that was placed. @param place null where a copy is kept at once */
export function placedText(place: number | null): string {
  return place === null ? m.holds_placed_kept() : m.holds_placed_in_line({ ordinal: ordinal(place) });
}

/** "Thursday, 2026-11-26", by the library's calendar. */
export function dayWithName(time: string): string {
  const day = isoDay(time);
  return m.holds_day_with_name({ weekday: weekdayName(day), day });
}

/** Why a librarian gave a hold another place. */
export const MOVE_LABELS: Record<MoveReason, string> = {
  'library-error': m.holds_move_library_error(),
  urgent: m.holds_move_urgent(),
  study: m.holds_move_study(),
  other: m.common_another_reason(),
};
