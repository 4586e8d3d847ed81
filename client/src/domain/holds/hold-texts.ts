import type { HoldView } from '#contracts/holds/hold-views.js';
import { isoDay, weekdayName } from '../../lib/dates.js';
import type { MoveReason } from '#contracts/holds/hold-events.js';

const ORDER = new Intl.PluralRules('en', { type: 'ordinal' });
const ENDINGS: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

/** "1st", "22nd", "113th". */
export function ordinal(number: number): string {
  return `${number}${ENDINGS[ORDER.select(number)] ?? 'th'}`;
}

/** In how many days a copy may be there; null where nobody can tell. */
export function estimateText(days: number | null): string {
  if (days === null) return 'no estimate yet';
  if (days === 0) return 'any day now';
  return days === 1 ? 'about 1 day' : `about ${days} days`;
}

/** How many wait for a title. */
export function waitingText(count: number): string {
  if (count === 0) return 'Nobody is waiting';
  return count === 1 ? '1 reader waits for it' : `${count} readers are waiting`;
}

/** How a hold stands, in a sentence to its reader, or to a librarian. */
export function standingOf(hold: HoldView, to: 'owner' | 'desk'): string {
  const { place, estimateDays, collectBy, pausedUntil } = hold;
  if (place === null) {
    const until = collectBy === null ? '' : ` until ${dayWithName(collectBy)}`;
    return to === 'owner' ? `Waits for you at the desk${until}` : `Waits at the desk${until}`;
  }
  if (pausedUntil !== null) {
    return `Paused until ${pausedUntil}, ${ordinal(place)} in line, place kept`;
  }
  return `${ordinal(place)} in line, ${estimateText(estimateDays)}`;
}

/** What is said of a hold that was placed. @param place null where a copy is kept at once */
export function placedText(place: number | null): string {
  return place === null ? 'Reserved: a copy is kept at the desk' : `Reserved: ${ordinal(place)} in line`;
}

/** "Thursday, 2026-11-26", by the library's calendar. */
export function dayWithName(time: string): string {
  const day = isoDay(time);
  return `${weekdayName(day)}, ${day}`;
}

/** Why a librarian gave a hold another place. */
export const MOVE_LABELS: Record<MoveReason, string> = {
  'library-error': 'The library’s mistake',
  urgent: 'Needed urgently',
  study: 'Needed for study',
  other: 'Another reason',
};
