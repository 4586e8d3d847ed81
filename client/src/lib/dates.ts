import * as m from '#words/messages.js';
import {
  isTimeZone,
  localDay,
  localMinute,
  localSecond,
  startOfDay,
  type Instant,
} from '#contracts/local-day.js';
import { pageLanguage } from './texts.js';

/**
 * The library's time zone, which the page was served with: its days are the same on every screen, wherever that stands. A
 * page of no server, or of a zone that this browser does not know, has the browser's own.
 */
function timeZone(): string {
  const named = document.querySelector<HTMLMetaElement>('meta[name="lectern-time-zone"]')?.content ?? '';
  return isTimeZone(named) ? named : Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** `yyyy-MM-dd` in the library's time zone (specification, section 9). */
export const isoDay = (time: Instant) => localDay(time, timeZone());

/** `yyyy-MM-dd HH:mm` in the library's time zone. */
export const isoMinute = (time: Instant) => localMinute(time, timeZone());

/** `yyyy-MM-dd HH:mm:ss` in the library's time zone. */
export const isoSecond = (time: Instant) => localSecond(time, timeZone());

/** When a day of the library begins, in milliseconds since 1970. */
export const dayStart = (day: string) => startOfDay(day, timeZone());

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['week', 7 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

const relative = new Intl.RelativeTimeFormat(pageLanguage(), { numeric: 'auto' });

/** "3 days ago", "in 2 weeks"; "just now" within a minute. */
export function relativeTime(time: string, now: number): string {
  const distance = Date.parse(time) - now;
  for (const [unit, length] of STEPS) {
    if (Math.abs(distance) >= length) return relative.format(Math.trunc(distance / length), unit);
  }
  return m.common_just_now();
}

/** How old something is, short: "4 s", "3 min", "2 h". */
export function ageInShort(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return m.common_age_seconds({ seconds });
  if (seconds < 3600) return m.common_age_minutes({ minutes: Math.floor(seconds / 60) });
  return m.common_age_hours({ hours: Math.floor(seconds / 3600) });
}

const weekdays = new Intl.DateTimeFormat(pageLanguage(), { weekday: 'long', timeZone: 'UTC' });

/** "Thursday". @param day `yyyy-MM-dd` */
export const weekdayName = (day: string) => weekdays.format(new Date(day));
