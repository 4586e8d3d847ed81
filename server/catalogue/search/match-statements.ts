import type { QueryConfig } from 'pg';
import type { Sort } from './found-page.js';
import { BEGINS, WHOLE } from './ranks.js';
import type { SearchQuery } from './search-term.js';
import { ARTICLES } from './title-fits.js';

/** `like` takes these characters for themselves. */
function beginning(text: string): string {
  return `${text.replace(/[\\%_]/g, '\\$&')}%`;
}

const BY: Record<Exclude<Sort, 'none'>, { table: string; id: string; orderBy: string }> = {
  Title: { table: 'book', id: 'id', orderBy: 't.title collate "pl-x-icu", t.id' },
  ISBN: { table: 'book', id: 'id', orderBy: 't.isbn' },
  Copies: { table: 'book_shelf', id: 'book_id', orderBy: 't.copies desc, t.book_id desc' },
};

/**
 * Best matches first: a title that is just what was typed, then titles and authors that have the words, then books whose
 * genre or publisher has some. Among these what is read more is first, where a title that begins with what was typed counts
 * for `BEGINS` levels more; then the shorter title. The memory orders in the same way (`ranks.ts`).
 */
const BY_FIT = `level + case when title_start = any($2::text[]) then ${WHOLE} when title_start like any($3::text[]) then ${BEGINS}
  when main @@ $1::tsquery then 0 else -${WHOLE} end desc, char_length(title_start), book_id`;

function fitValues({ text, titleStart }: SearchQuery): unknown[] {
  const titles = [titleStart, ...ARTICLES.map((article) => `${article} ${titleStart}`)];
  return [text, titles, titles.map(beginning)];
}

/**
 * All matches in order, in one array of ids.
 * @param most no more than this; then the order of what is left out is unknown
 */
export function fewMatches(query: SearchQuery, sort: Sort, most: number): QueryConfig {
  const found = `
    with found as materialized (
      select book_id, title_start, main, level from book_search where words @@ $1::tsquery limit ${most}
    )`;
  if (sort === 'none') {
    return {
      text: `${found} select array_agg(book_id order by ${BY_FIT}) as ids from found`,
      values: fitValues(query),
    };
  }
  const { table, id, orderBy } = BY[sort];
  return {
    text: `${found} select array_agg(t.${id} order by ${orderBy}) as ids
      from found f join ${table} t on t.${id} = f.book_id`,
    values: [query.text],
  };
}

/** How many books a query finds. */
export function countOf(query: SearchQuery): QueryConfig {
  return {
    text: 'select count(*)::integer as total from book_search where words @@ $1::tsquery',
    values: [query.text],
  };
}

/** The first matches in order. */
export function matchesInOrder(query: SearchQuery, sort: Sort, limit: number): QueryConfig {
  if (sort === 'none') {
    return {
      text: `select book_id as id from book_search where words @@ $1::tsquery order by ${BY_FIT} limit ${limit}`,
      values: fitValues(query),
    };
  }
  const { table, id, orderBy } = BY[sort];
  return {
    text: `select t.${id} as id from book_search s join ${table} t on t.${id} = s.book_id
      where s.words @@ $1::tsquery order by ${orderBy} limit ${limit}`,
    values: [query.text],
  };
}

/** The first of some books in order. */
export function inOrder(ids: readonly number[], sort: Exclude<Sort, 'none'>, limit: number): QueryConfig {
  const { table, id, orderBy } = BY[sort];
  return {
    text: `select t.${id} as id from ${table} t where t.${id} = any($1::integer[]) order by ${orderBy} limit ${limit}`,
    values: [`{${ids.join(',')}}`],
  };
}

/** The first books of all in order, as one array. */
export function allInOrder(sort: Exclude<Sort, 'none'>, limit: number | 'all'): QueryConfig {
  const { table, id, orderBy } = BY[sort];
  return {
    text: `select array_to_string(array(select t.${id} from ${table} t order by ${orderBy} limit ${limit}), ',') as ids`,
  };
}
