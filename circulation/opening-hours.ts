import { addDays } from '#contracts/local-day.js';
import {
  CLOSED_SPANS_SHOWN,
  DAYS_SHOWN,
  type OpeningDay,
  type OpeningHours,
} from '#contracts/rules/opening-hours.js';
import type { BorrowPolicy } from './borrow.policy.js';
import { hoursOn, isAmongClosedDays, isClosed } from './period.js';

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
