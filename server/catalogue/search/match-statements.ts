import type { QueryConfig } from 'pg';
import type { Sort } from './found-page.js';
import type { SearchQuery } from './search-term.js';

/** `like` takes these characters for themselves. */
function beginning(text: string): string {
  return `${text.replace(/[\\%_]/g, '\\$&')}%`;
}

const BY: Record<Exclude<Sort, 'none'>, { table: string; id: string; orderBy: string }> = {
  Title: { table: 'book', id: 'id', orderBy: 't.title collate "pl-x-icu", t.id' },
  ISBN: { table: 'book', id: 'id', orderBy: 't.isbn' },
  Copies: { table: 'book_shelf', id: 'book_id', orderBy: 't.copies desc, t.book_id desc' },
};

const SHORTER_FIRST = 'order by char_length(title_start), book_id';

/**
 * All matches in order, in one array of ids.
 * @param most no more than this; then the order of what is left out is unknown
 */
export function fewMatches(query: SearchQuery, sort: Sort, most: number): QueryConfig {
  const found = `
    with found as materialized (
      select book_id, title_start, main from book_search where words @@ $1::tsquery limit ${most}
    )`;
  if (sort === 'none') {
    return {
      text: `${found} select array_agg(book_id order by
          case when title_start like $2 then 0 when main @@ $1::tsquery then 1 else 2 end,
          case when title_start like $2 then title_start end, char_length(title_start), book_id) as ids
        from found`,
      values: [query.text, beginning(query.titleStart)],
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

/** The first titles that begin with what was typed. */
export function titlesBeginning(query: SearchQuery, limit: number): QueryConfig {
  return {
    text: `select book_id as id from book_search where title_start like $1 order by title_start, book_id limit ${limit}`,
    values: [beginning(query.titleStart)],
  };
}

/**
 * The statements that, one after the other, give the first matches in order; each takes how many are wanted still.
 * Best matches first: titles that begin with what was typed, then titles and authors that have the words, then
 * books whose genre or publisher has some. Among equals the shorter title is first.
 */
export function matchesInOrder(query: SearchQuery, sort: Sort): ((limit: number) => QueryConfig)[] {
  if (sort !== 'none') {
    const { table, id, orderBy } = BY[sort];
    return [
      (limit) => ({
        text: `select t.${id} as id from book_search s join ${table} t on t.${id} = s.book_id
          where s.words @@ $1::tsquery order by ${orderBy} limit ${limit}`,
        values: [query.text],
      }),
    ];
  }
  const values = [query.text, beginning(query.titleStart)];
  return [
    (limit) => titlesBeginning(query, limit),
    (limit) => ({
      text: `select book_id as id from book_search
        where main @@ $1::tsquery and title_start not like $2 ${SHORTER_FIRST} limit ${limit}`,
      values,
    }),
    (limit) => ({
      text: `select book_id as id from book_search
        where words @@ $1::tsquery and not main @@ $1::tsquery and title_start not like $2 ${SHORTER_FIRST} limit ${limit}`,
      values,
    }),
  ];
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
