import { dateOfRow } from '../import/row-date.js';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * When a book came out, as exactly as services print it: `2003-05-01`, `2003`, `March 2003`, `Sep 16, 1987`, `1 May 2003`,
 * `c1998`. Where day and month are ambiguous (`03/04/2003`), it is the year.
 * @param now later than a few years from now is a slip
 * @returns undefined where not even the year is known
 */
export function dayOfPrinted(printed: string, now: Date): string | undefined {
  const text = printed.trim().slice(0, 100);
  const exact = /^\d{4}(-\d{1,2}(-\d{1,2})?)?(T.*)?$/.test(text) ? text : named(text);
  for (const candidate of [exact, /(?<!\d)\d{4}(?!\d)/.exec(text)?.[0]]) {
    if (candidate === undefined) continue;
    const date = dateOfRow(candidate, now.getUTCFullYear() + 4);
    if ('published' in date && date.published !== null) return date.published;
  }
  return undefined;
}

/** A date with the name of a month in it, as yyyy-MM or yyyy-MM-dd. */
function named(text: string): string | undefined {
  const word = /[a-z]{3,}/i.exec(text)?.[0].slice(0, 3).toLowerCase() ?? '';
  const month = MONTHS.indexOf(word) + 1;
  const year = /(?<!\d)\d{4}(?!\d)/.exec(text)?.[0];
  if (month === 0 || year === undefined) return undefined;
  const day = /(?<!\d)\d{1,2}(?!\d)/.exec(text)?.[0];
  return [year, String(month).padStart(2, '0'), ...(day ? [day.padStart(2, '0')] : [])].join('-');
}
