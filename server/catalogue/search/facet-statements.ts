import type { QueryConfig } from 'pg';
import type { Facet } from '#contracts/catalogue/facet-names.js';
import { EARLIEST } from '../import/row-date.js';
import type { Counted } from './in-memory/facet-column.js';
import { scopeRows } from './match-statements.js';
import type { SearchScope } from './search-scope.js';

const VALUES: Record<Facet, { of: string; value: string; where: string }> = {
  genre: { of: 'book_genre t on t.book_id = f.book_id', value: 't.genre_id', where: 'true' },
  author: { of: 'book_author t on t.book_id = f.book_id', value: 't.author_id', where: 'true' },
  publisher: {
    of: 'book t on t.id = f.book_id',
    value: 't.publisher_id',
    where: 't.publisher_id is not null',
  },
  year: {
    of: 'book t on t.id = f.book_id',
    value: 'extract(year from t.publication_date)::integer',
    where: `t.publication_date > '${EARLIEST}'`,
  },
  language: { of: 'book t on t.id = f.book_id', value: 't.language', where: 't.language is not null' },
};

/** How many of the wanted books have which values of a facet. */
export function valueCounts(wanted: SearchScope, facet: Facet, { most, also }: Counted): QueryConfig {
  const { where, values } = scopeRows(wanted);
  const { of, value, where: isKnown } = VALUES[facet];
  const chosen = values.push([...also].map(String));
  const least = values.push(Number.isFinite(most) ? most : null);
  return {
    text: `
      with found as materialized (select book_id from book_search where ${where}),
      counted as (
        select ${value} as value, count(*)::integer as books from found f join ${of} where ${isKnown} group by 1
      ), placed as (
        select value, books, value::text = any($${chosen}::text[]) as chosen, row_number() over (
          partition by value::text = any($${chosen}::text[]) order by books desc, value) as place
        from counted
      )
      select value, books from placed where chosen or place <= coalesce($${least}::integer, place)
      order by books desc, value`,
    values,
  };
}

/** How many of the wanted books have a copy on the shelf. */
export function countAvailable(wanted: SearchScope): QueryConfig {
  const { where, values } = scopeRows(wanted);
  return {
    text: `select count(*)::integer as books from book_search join book_shelf t using (book_id)
      where ${where} and t.copies > 0`,
    values,
  };
}
