import type { QueryConfig } from 'pg';
import { filterCondition } from './filter-condition.js';
import type { Sort } from './found-page.js';
import { BEGINS, WHOLE } from './in-memory/ranks.js';
import { ARTICLES } from './in-memory/title-matches.js';
import type { SearchScope } from './search-scope.js';

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
 * for `BEGINS` levels more; then the shorter title. The memory orders in the same way (`ranks.ts`). Without a query the newest
 * book is first.
 */
function byFit({ query, ids }: SearchScope, values: unknown[]): string {
  if (ids) return `array_position($${values.push(ids)}::integer[], book_id)`;
  if (!query) return 'book_id desc';
  const titles = withArticles(query.titles);
  const main = values.push(query.mainText);
  const whole = values.push(titles);
  const begun = values.push(titles.map(beginning));
  return `level + case when not main @@ $${main}::tsquery then -${WHOLE}
    when title_start = any($${whole}::text[]) or other_starts && $${whole}::text[] then ${WHOLE}
    when title_start like any($${begun}::text[])
      or exists (select from unnest(other_starts) other where other like any($${begun}::text[])) then ${BEGINS}
    else 0 end desc, char_length(title_start), book_id`;
}

function withArticles(titles: readonly string[]): string[] {
  return titles.flatMap((text) => [text, ...ARTICLES.map((article) => `${article} ${text}`)]);
}

/** Of some books those that are called just one of these. */
export function booksOfTitle(ids: readonly number[], titles: readonly string[]): QueryConfig {
  return {
    text: `select book_id as id from book_search
      where book_id = any($1::integer[]) and (title_start = any($2::text[]) or other_starts && $2::text[])`,
    values: [ids, withArticles(titles)],
  };
}

/** The rows of `book_search` that are wanted. A query is always the first value. */
export function scopeRows({ query, ids, filter }: SearchScope): { where: string; values: unknown[] } {
  const values: unknown[] = query ? [query.text] : ids ? [ids] : [];
  const found = query ? 'words @@ $1::tsquery' : ids ? 'book_id = any($1::integer[])' : 'true';
  const narrowed = filter ? ` and ${filterCondition(filter, 'book_search.book_id', values)}` : '';
  return { where: found + narrowed, values };
}

/**
 * All matches in order, in one array of ids.
 * @param most no more than this; then the order of what is left out is unknown
 */
export function fewMatches(wanted: SearchScope, sort: Sort, most: number): QueryConfig {
  const { where, values } = scopeRows(wanted);
  const found = `
    with found as materialized (
      select book_id, title_start, other_starts, main, level from book_search where ${where} limit ${most}
    )`;
  if (sort === 'none') {
    return {
      text: `${found} select array_agg(book_id order by ${byFit(wanted, values)}) as ids from found`,
      values,
    };
  }
  const { table, id, orderBy } = BY[sort];
  return {
    text: `${found} select array_agg(t.${id} order by ${orderBy}) as ids
      from found f join ${table} t on t.${id} = f.book_id`,
    values,
  };
}

/** How many books are wanted. */
export function countOf(wanted: SearchScope): QueryConfig {
  const { where, values } = scopeRows(wanted);
  return { text: `select count(*)::integer as total from book_search where ${where}`, values };
}

/** The first matches in order. */
export function matchesInOrder(wanted: SearchScope, sort: Sort, limit: number): QueryConfig {
  const { where, values } = scopeRows(wanted);
  if (sort === 'none') {
    return {
      text: `select book_id as id from book_search where ${where} order by ${byFit(wanted, values)} limit ${limit}`,
      values,
    };
  }
  const { table, id, orderBy } = BY[sort];
  return {
    text: `select t.${id} as id from book_search join ${table} t on t.${id} = book_search.book_id
      where ${where} order by ${orderBy} limit ${limit}`,
    values,
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
