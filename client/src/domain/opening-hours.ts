import { type OpeningDay, type OpeningHours, readOpeningHours } from '#contracts/rules/opening-hours.js';
import { isoDay, isoMinute, weekdayName } from '../lib/dates.js';
import { useQuery } from '@tanstack/react-query';
import { queryOf } from '../lib/api/send.js';

/** The days from now on, of what was told earlier; none where nothing is set, as the library is open every day then. */
export function daysAhead({ days, closed }: OpeningHours, now: number): OpeningDay[] {
  const isSet = closed.length > 0 || days.some(({ isOpen, hours }) => !isOpen || hours !== null);
  const today = isoDay(now);
  return isSet ? days.filter(({ day }) => day >= today) : [];
}

/** "09:00–18:00", "closed", "open". */
export function hoursOf({ isOpen, hours }: OpeningDay): string {
  if (!isOpen) return 'closed';
  return hours === null ? 'open' : `${hours.opens}–${hours.closes}`;
}

/** "Thursday, 2026-11-26". */
export const namedDay = (day: string) => `${weekdayName(day)}, ${day}`;

/**
 * How it is now, in a sentence without its end: "Open today until 18:00".
 * @param days from today on, at least one
 * @param now milliseconds since 1970
 */
export function openingNow([today, ...others]: readonly OpeningDay[], now: number): string {
  const time = isoMinute(now).slice(-5);
  if (today?.isOpen) {
    const { hours } = today;
    if (hours === null) return 'Open today';
    if (time < hours.opens) return `Open today from ${hours.opens} to ${hours.closes}`;
    if (time < hours.closes) return `Open today until ${hours.closes}`;
  }
  const next = others.find(({ isOpen }) => isOpen);
  const closed = today?.isOpen ? 'Closed for today' : 'Closed today';
  if (!next) return closed;
  const day = next === others[0] ? 'tomorrow' : `on ${namedDay(next.day)}`;
  return `${closed}, open again ${day}${next.hours === null ? '' : ` from ${next.hours.opens}`}`;
}

/** "Thursday, 2026-12-24", "Thursday, 2026-12-24, to Sunday, 2026-12-27". */
export const namedSpan = ({ from, to }: OpeningHours['closed'][number]) =>
  from === to ? namedDay(from) : `${namedDay(from)}, to ${namedDay(to)}`;

/** When the library is open. Whatever shows it is whole without it. */
export function useOpeningHours() {
  return useQuery({
    ...queryOf(readOpeningHours),
    meta: { inPlace: true },
    retry: false,
  });
}
