import * as m from '#words/messages.js';
import { addDays } from '#contracts/local-day.js';
import type { RuleSet } from '#contracts/rules/rule-set.js';

/** From a day to a day, both of them in it. */
export type Span = RuleSet['closedDays'][number];

/** A span of the rules has no more days. */
const LONGEST = 366;

/** 0 is Monday. */
export const weekdayOf = (day: string) => (new Date(day).getUTCDay() + 6) % 7;

/** The days from one to another, at most a year of them; of these only those of a weekday, if one is named. */
export function daysFrom({ from, to }: Span, weekday?: number): string[] {
  const days: string[] = [];
  for (let day = from, n = 0; day <= to && n < LONGEST; day = addDays(day, 1), n += 1)
    if (weekday === undefined || weekdayOf(day) === weekday) days.push(day);
  return days;
}

/** Every day of some spans once, in order. */
export function daysOf(spans: readonly Span[]): string[] {
  return [...new Set(spans.flatMap((span) => daysFrom(span)))].sort();
}

/** The days as the fewest spans. */
export function spansOf(days: readonly string[]): Span[] {
  const spans: Span[] = [];
  let length = 0;
  for (const day of [...days].sort()) {
    const last = spans.at(-1);
    if (last && length < LONGEST && addDays(last.to, 1) === day) {
      last.to = day;
      length += 1;
    } else {
      spans.push({ from: day, to: day });
      length = 1;
    }
  }
  return spans;
}

/** "2026-12-24", "2026-12-24 to 2026-12-26". */
export const spanText = ({ from, to }: Span) => (from === to ? from : m.rules_days_span({ from, to }));

export const daysText = (days: readonly string[]) => spansOf(days).map(spanText).join(', ');

/** `yyyy-MM`, so many months later or earlier. */
export function monthAfter(month: string, months: number): string {
  const at = new Date(`${month}-01`);
  at.setUTCMonth(at.getUTCMonth() + months);
  return at.toISOString().slice(0, 7);
}

/** The days of a month by weeks, from Monday; null where a week begins before it or ends after it. */
export function weeksOf(month: string): (string | null)[][] {
  const first = `${month}-01`;
  const days = daysFrom({ from: first, to: addDays(`${monthAfter(month, 1)}-01`, -1) });
  const cells = [...Array.from({ length: weekdayOf(first) }, () => null), ...days];
  return Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (__, day) => cells[week * 7 + day] ?? null),
  );
}
