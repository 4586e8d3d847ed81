import * as m from '#words/messages.js';
/** Below nought before our era; null where nobody knows it. */
export function yearOf(published: string | null): number | null {
  return published === null ? null : Number(/^-?\d+/.exec(published)?.[0]);
}

/** "1949", "1949-06-08", "720 BC"; empty where nobody knows it. */
export function publishedText(published: string | null): string {
  const [, year] = /^-(\d+)$/.exec(published ?? '') ?? [];
  return year === undefined ? (published ?? '') : m.catalogue_year_before_era({ year });
}

/** The same to the year. */
export function yearText(published: string | null): string {
  return publishedText(published?.replace(/^(\d{4})-.*$/, '$1') ?? null).replace(/^0+/, '');
}

/** The first day of it, yyyy-MM-dd; null before our era. */
export function firstDay(published: string): string | null {
  if (published.startsWith('-')) return null;
  const [year = '', month = '01', day = '01'] = published.split('-');
  return `${year.padStart(4, '0')}-${month}-${day}`;
}

/** The internal numbers of a library begin with 29, in the range that EAN leaves to each house. */
export const INTERNAL_PREFIX = '29';

export function isInternalNumber(isbn: string): boolean {
  return isbn.length === 13 && isbn.startsWith(INTERNAL_PREFIX);
}

/** What to call a book's number: one without an ISBN has a number of the library's own. */
export function numberName(isbn: string): string {
  return isInternalNumber(isbn) ? m.catalogue_number() : 'ISBN';
}

/** Authors who are named where there is little room. */
const NAMED_AUTHORS = 3;
interface Named {
  firstname: string;
  lastname: string;
}

/** "Terry Pratchett, Neil Gaiman"; of many the first three "and 47 more". */
export function authorNames({ authors }: { authors: readonly Named[] }): string {
  const names = authors.map(({ firstname, lastname }) => `${firstname} ${lastname}`.trim());
  // Four names take no more room than three and a number.
  if (names.length <= NAMED_AUTHORS + 1) return names.join(', ');
  return m.catalogue_authors_and_more({
    names: names.slice(0, NAMED_AUTHORS).join(', '),
    count: names.length - NAMED_AUTHORS,
  });
}
