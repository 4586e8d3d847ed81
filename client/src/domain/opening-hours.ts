import * as m from '#words/messages.js';
import { type OpeningDay, type OpeningHours, readOpeningHours } from '#contracts/rules/opening-hours.js';
import { isoDay, isoMinute } from '../lib/dates.js';
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
  if (!isOpen) return m.hours_closed();
  return hours === null ? m.hours_open() : `${hours.opens}–${hours.closes}`;
}

/** "Thursday, 2026-11-26". */
export const namedDay = (day: string) => m.hours_named_day({ day });

/**
 * How it is now, in a sentence without its end: "Open today until 18:00".
 * @param days from today on, at least one
 * @param now milliseconds since 1970
 */
export function openingNow([today, ...others]: readonly OpeningDay[], now: number): string {
  const time = isoMinute(now).slice(-5);
  if (today?.isOpen) {
    const { hours } = today;
    if (hours === null) return m.hours_open_today();
    if (time < hours.opens) return m.hours_open_today_from(hours);
    if (time < hours.closes) return m.hours_open_today_until(hours);
  }
  const next = others.find(({ isOpen }) => isOpen);
  const since = today?.isOpen ? 'evening' : 'midnight';
  if (!next) return m.hours_now_closed({ since });
  const { day, hours } = next;
  if (next === others[0])
    return hours === null
      ? m.hours_reopens_tomorrow({ since })
      : m.hours_reopens_tomorrow_at({ since, opens: hours.opens });
  return hours === null
    ? m.hours_reopens_on({ since, day })
    : m.hours_reopens_on_at({ since, day, opens: hours.opens });
}

/** "Thursday, 2026-12-24", "Thursday, 2026-12-24, to Sunday, 2026-12-27". */
export const namedSpan = ({ from, to }: OpeningHours['closed'][number]) =>
  from === to ? namedDay(from) : m.hours_named_span({ from, to });

/** When the library is open. Whatever shows it is whole without it. */
export function useOpeningHours() {
  return useQuery({
    ...queryOf(readOpeningHours),
    meta: { inPlace: true },
    retry: false,
  });
}
