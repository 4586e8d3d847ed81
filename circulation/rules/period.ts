import { addDays, daysBetween, endOfDay, localDay } from '#contracts/local-day.js';
import type { BorrowPolicy, BorrowRules } from './borrow.policy.js';
import {
  CLOSED_SPANS_SHOWN,
  DAYS_SHOWN,
  type OpeningDay,
  type OpeningHours,
} from '#contracts/rules/opening-hours.js';

/** The days of the library's calendar between which a lateness was counted. */
export interface CountedDays {
  timeZone: string;
  /** The last day in time. */
  dueDay: string;
  /** The day until which it was counted. */
  chargedDay: string;
}

/** What of the rules says when the library is closed. */
type OpenDays = Pick<BorrowPolicy, 'week' | 'closedDays'>;

/** Where rules close the library for longer, an end falls on a closed day all the same. */
const LONGEST_CLOSED = 3 * 366;

/**
 * The end of the day that is so many days later: who is told a day has all of it. On a closed day it is that of the next open one.
 * @param from ISO 8601 in UTC, as is what it gives
 */
export function endOfPeriod(from: string, days: number, rules: BorrowRules): string {
  const { timeZone } = rules;
  const day = nextOpenDay(addDays(localDay(from, timeZone), days), rules);
  return new Date(endOfDay(day, timeZone)).toISOString();
}

/**
 * How many days late something is, 0 in time. The whole day of its end is in time, whatever its hour: rules of version 1 set
 * ends in the middle of a day. Days on which the library was closed do not count.
 * @param end ISO 8601 in UTC, as `at`
 */
function daysLateAt(
  end: string,
  at: string,
  rules: Pick<BorrowRules, 'timeZone'> & OpenDays,
): { daysLate: number; calendar: CountedDays } {
  const { timeZone } = rules;
  const [dueDay, chargedDay] = [localDay(end, timeZone), localDay(at, timeZone)];
  return {
    daysLate: openDaysBetween(dueDay, chargedDay, rules),
    calendar: { timeZone, dueDay, chargedDay },
  };
}

/**
 * Whether the day of its end is over.
 * @param end ISO 8601 in UTC, as `at`
 */
export function isOver(end: string, at: string, rules: Pick<BorrowRules, 'timeZone'> & OpenDays): boolean {
  // Most is in time, and needs no calendar.
  return at > end && daysLateAt(end, at, rules).daysLate > 0;
}

/** Whether the day of its end is over, whatever closed since: it was an open one when it was named. */
export function isDayOver(end: string, at: string, { timeZone }: Pick<BorrowRules, 'timeZone'>): boolean {
  return at > end && localDay(at, timeZone) > localDay(end, timeZone);
}

/** How many open days come after the first up to the second; 0 where that is not later. */
export function openDaysBetween(first: string, second: string, rules: OpenDays): number {
  if (second <= first) return 0;
  const [from, to] = [numberOf(first), numberOf(second)];
  if (isAlwaysOpen(rules)) return to - from;
  const { week, closedDays } = rules;
  const closed = numbersOf(closedDays);
  let open = 0;
  for (let day = from + 1; day <= to; day += 1) {
    const isClosedDay =
      week?.[weekdayOf(day)] === null || closed.some((span) => span.from <= day && day <= span.to);
    if (!isClosedDay) open += 1;
  }
  return open;
}

/** A day as a number: what is very late has hundreds of days to be looked at. */
function numberOf(day: string): number {
  return daysBetween(FIRST_DAY, day);
}

const FIRST_DAY = '1970-01-01';
const closedNumbers = new WeakMap<ClosedDays, { from: number; to: number }[]>();
type ClosedDays = OpenDays['closedDays'];

function numbersOf(closedDays: ClosedDays): { from: number; to: number }[] {
  let numbers = closedNumbers.get(closedDays);
  if (!numbers) {
    numbers = closedDays.map(({ from, to }) => ({ from: numberOf(from), to: numberOf(to) }));
    closedNumbers.set(closedDays, numbers);
  }
  return numbers;
}

function nextOpenDay(day: string, rules: OpenDays): string {
  if (isAlwaysOpen(rules)) return day;
  for (let n = 0; n <= LONGEST_CLOSED; n += 1) {
    const next = addDays(day, n);
    if (!isClosed(next, rules)) return next;
  }
  return day;
}

function isAlwaysOpen({ week, closedDays }: OpenDays): boolean {
  return week === null && closedDays.length === 0;
}

/** @param day `yyyy-MM-dd` */
export function isClosed(day: string, rules: OpenDays): boolean {
  return rules.week?.[weekday(day)] === null || isAmongClosedDays(day, rules);
}

/** Whether it is closed on a day beside those of the week. */
function isAmongClosedDays(day: string, { closedDays }: OpenDays): boolean {
  return closedDays.some(({ from, to }) => from <= day && day <= to);
}

/** When it is open on a day of the week like this one; null where that is at no set hours, or not at all. */
function hoursOn(day: string, { week }: OpenDays): { opens: string; closes: string } | null {
  return week?.[weekday(day)] ?? null;
}

function weekday(day: string): number {
  return weekdayOf(numberOf(day));
}

/** 0 is a Monday: the first day of 1970 was a Thursday. */
function weekdayOf(number: number): number {
  return (number + 3 + 7 * 1_000_000) % 7;
}

/** How many days ahead it is looked for closed days. */
const LOOKED_AHEAD = 92;

/**
 * When the library is open.
 * @param today `yyyy-MM-dd`, by its calendar
 * @param rulesOn those in force on a day
 */
export function openingHours(today: string, rulesOn: (day: string) => BorrowPolicy): OpeningHours {
  const ahead = Array.from({ length: LOOKED_AHEAD }, (_, n) => {
    const day = addDays(today, n);
    return { day, rules: rulesOn(day) };
  });
  const days = ahead.slice(0, DAYS_SHOWN).map(({ day, rules }): OpeningDay => {
    const isOpen = !isClosed(day, rules);
    return { day, isOpen, hours: isOpen ? hoursOn(day, rules) : null };
  });
  const closed: OpeningHours['closed'] = [];
  for (const { day, rules } of ahead) {
    if (!isAmongClosedDays(day, rules)) continue;
    const last = closed.at(-1);
    if (last && addDays(last.to, 1) === day) last.to = day;
    else closed.push({ from: day, to: day });
  }
  return { days, closed: closed.slice(0, CLOSED_SPANS_SHOWN) };
}
