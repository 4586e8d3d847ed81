import type { QueryConfig } from 'pg';
import type { Sort } from './found-page.js';
import type { SearchQuery } from './search-term.js';

/** `like` takes these characters for themselves. */
function beginning(text: string): string {
  return `${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** Best matches first: titles that begin with what was typed, then titles and authors, then the rest. */
const BEST_FIRST = `
  case when title_start like $2 then 0 when main @@ $1::tsquery then 1 else 2 end,
  case when title_start like $2 then title_start end, char_length(title_start), book_id`;

/**
 * All matches in order, in one array of ids.
 * @param most no more than this; then the order of what is left out is unknown
 */
export function matchesOf(query: SearchQuery, sort: Exclude<Sort, 'Copies'>, most: number): QueryConfig {
  const found = (columns: string) => `
    with found as materialized (
      select ${columns} from book_search where words @@ $1::tsquery limit ${most}
    )`;
  if (sort === 'none') {
    return {
      text: `${found('book_id, title_start, main')} select array_agg(book_id order by ${BEST_FIRST}) as ids from found`,
      values: [query.text, beginning(query.titleStart)],
    };
  }
  const by = sort === 'Title' ? 'b.title collate "pl-x-icu", b.id' : 'b.isbn';
  return {
    text: `${found('book_id')} select array_agg(b.id order by ${by}) as ids from found f join book b on b.id = f.book_id`,
    values: [query.text],
  };
}

/**
 * The statements that, one after the other, give the first matches in order. Each takes how many are wanted still.
 */
export function ordersOf(query: SearchQuery, sort: Sort): ((limit: number) => QueryConfig)[] {
  if (sort === 'none') {
    const values = [query.text, beginning(query.titleStart)];
    const byLength = 'order by char_length(title_start), book_id';
    return [
      (limit) => ({
        text: `select book_id as id from book_search where title_start like $1 order by title_start, book_id limit ${limit}`,
        values: [beginning(query.titleStart)],
      }),
      (limit) => ({
        text: `select book_id as id from book_search
          where main @@ $1::tsquery and title_start not like $2 ${byLength} limit ${limit}`,
        values,
      }),
      (limit) => ({
        text: `select book_id as id from book_search
          where words @@ $1::tsquery and not main @@ $1::tsquery and title_start not like $2 ${byLength} limit ${limit}`,
        values,
      }),
    ];
  }
  const by = {
    Title: 'b.title collate "pl-x-icu", b.id',
    ISBN: 'b.isbn',
    Copies: 'c.copies desc, c.book_id',
  }[sort];
  const table = sort === 'Copies' ? 'book_shelf c on c.book_id = s.book_id' : 'book b on b.id = s.book_id';
  return [
    (limit) => ({
      text: `select s.book_id as id from book_search s join ${table}
        where s.words @@ $1::tsquery order by ${by} limit ${limit}`,
      values: [query.text],
    }),
  ];
}
