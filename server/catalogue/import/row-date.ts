import * as m from '#words/messages.js';
import { isPublished } from '#contracts/catalogue/published.js';

/** Before it there are no years to narrow a search by. */
export const EARLIEST = '0001-01-01';

/** When a book came out, null where nobody says it; and what was left out. */
export type RowDate = { published: string | null; assumed?: string } | { refused: string };

/**
 * When a book came out, as exactly as it is written.
 * @param written `yyyy-MM-dd`, `dd.MM.yyyy`, `yyyy-MM`, or a year, which may be negative or end in `.0`
 * @param thisYear later than the next one is refused
 */
export function dateOfRow(written: string, thisYear: number): RowDate {
  const text = written.trim();
  if (text === '') return { published: null };

  const year = /^(-?\d{1,4})(?:\.0+)?$/.exec(text)?.[1];
  if (year !== undefined) {
    if (Number(year) > thisYear + 1) return { refused: m.import_year_to_come({ year: text }) };
    if (Number(year) === 0) return { published: null, assumed: m.import_year_nought() };
    return { published: String(Number(year)) };
  }
  const iso = /^(\d{4}-\d{2}(?:-\d{2})?)(?:T.*)?$/.exec(text);
  if (iso?.[1]) return known(text, iso[1], thisYear);
  const [, day = '', month = '', of] = /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/.exec(text) ?? [];
  if (of) return known(text, `${of}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`, thisYear);
  return { refused: m.import_not_date({ text: text.slice(0, 40) }) };
}

function known(text: string, published: string, thisYear: number): RowDate {
  const year = Number(published.slice(0, 4));
  if (!isPublished(published) || year < 1) return { refused: m.import_not_day({ text: text.slice(0, 40) }) };
  if (year > thisYear + 1) return { refused: m.import_year_to_come({ year }) };
  return { published };
}
