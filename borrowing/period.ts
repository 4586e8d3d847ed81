import { addDays, daysBetween, endOfDay, localDay } from '#contracts/local-day.js';
import type { BorrowRules } from './borrow.policy.js';

/** The days of the library's calendar between which a lateness was counted. */
export interface CountedDays {
  timeZone: string;
  /** The last day in time. */
  dueDay: string;
  /** The day until which it was counted. */
  chargedDay: string;
}

/**
 * The end of the day that is so many days later: who is told a day has all of it.
 * @param from ISO 8601 in UTC, as is what it gives
 */
export function endOfPeriod(from: string, days: number, { timeZone }: BorrowRules): string {
  return new Date(endOfDay(addDays(localDay(from, timeZone), days), timeZone)).toISOString();
}

/**
 * How many days late something is, 0 in time. The whole day of its end is in time, whatever its hour: rules of version 1 set
 * ends in the middle of a day.
 * @param end ISO 8601 in UTC, as `at`
 */
export function daysLateAt(
  end: string,
  at: string,
  { timeZone }: Pick<BorrowRules, 'timeZone'>,
): { daysLate: number; calendar: CountedDays } {
  const [dueDay, chargedDay] = [localDay(end, timeZone), localDay(at, timeZone)];
  return {
    daysLate: Math.max(0, daysBetween(dueDay, chargedDay)),
    calendar: { timeZone, dueDay, chargedDay },
  };
}

/** Whether the day of its end is over. */
export function isOver(end: string, at: string, rules: BorrowRules): boolean {
  return daysLateAt(end, at, rules).daysLate > 0;
}
