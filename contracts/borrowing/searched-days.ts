import { addDays } from '../local-day.js';

/** Days of the library's calendar, `yyyy-MM-dd`. */
export interface DaySpan {
  from: string;
  /** The first day after it. */
  until: string;
}

/**
 * The days that `2026-11` or `2026-11-21` stands for in a search of the queue (specification, section 2, "by borrow date").
 * @returns nothing for any other text, `2026-02-30` included: that is searched for as a text
 */
export function searchedDays(term: string): DaySpan | undefined {
  const [written, year, month, day = '01'] = /^([12]\d{3})-(\d{2})(?:-(\d{2}))?$/.exec(term.trim()) ?? [];
  if (written === undefined) return undefined;
  const from = `${year}-${month}-${day}`;
  const date = new Date(from);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== from) return undefined;
  // Whatever the month, the 32nd day is in the next one.
  const until = written.length > 7 ? addDays(from, 1) : `${addDays(from, 31).slice(0, 7)}-01`;
  return { from, until };
}
