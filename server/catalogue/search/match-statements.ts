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

/** Some books in order. */
export function inOrder(ids: readonly number[], sort: Exclude<Sort, 'none'>): QueryConfig {
  const { table, id, orderBy } = BY[sort];
  return {
    text: `select t.${id} as id from ${table} t where t.${id} = any($1::integer[]) order by ${orderBy}`,
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
