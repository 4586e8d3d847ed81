import type { BookFilter } from '#contracts/catalogue/book-facets.js';
import { EARLIEST } from '../import/row-date.js';
import { valuesOf } from './in-memory/facet-index.js';

/**
 * The condition that a book fulfils, in SQL.
 * @param book its id there
 * @param values the statement's, to which the condition's are added
 */
export function filterCondition(filter: BookFilter, book: string, values: unknown[]): string {
  const among = (column: string, wanted: Iterable<unknown>, type: string) =>
    `${column} = any($${values.push([...wanted])}::${type}[])`;
  const ofBook: string[] = [];
  if (filter.publisher) ofBook.push(among('fb.publisher_id', filter.publisher, 'integer'));
  if (filter.language) ofBook.push(among('fb.language', filter.language, 'text'));
  if (filter.year) {
    const years = valuesOf(filter, 'year') ?? [];
    const year = 'extract(year from fb.publication_date)::integer';
    ofBook.push(`fb.publication_date > '${EARLIEST}'`, among(year, years, 'integer'));
  }
  if (filter.available !== undefined) ofBook.push('fb.copies_available > 0');
  const conditions: string[] = [];
  if (ofBook.length > 0) {
    conditions.push(`exists (select from book fb where fb.id = ${book} and ${ofBook.join(' and ')})`);
  }
  for (const part of ['genre', 'author'] as const) {
    const ids = filter[part];
    if (!ids) continue;
    const one = among(`fp.${part}_id`, ids, 'integer');
    conditions.push(`exists (select from book_${part} fp where fp.book_id = ${book} and ${one})`);
  }
  return conditions.length === 0 ? 'true' : conditions.join(' and ');
}
