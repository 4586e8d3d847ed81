import type { Candidate } from '#contracts/catalogue/duplicate.js';
import { candidateSchema } from '#contracts/catalogue/duplicate.js';
import { INTERNAL_PREFIX } from '#contracts/catalogue/book-facts.js';
import type { MergeKind } from '#contracts/catalogue/merge.js';
import type { Queryable } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';

const OF_BOOKS = `count(b.book_id)::integer as books, null::integer as copies,
  coalesce(sum(r.loans), 0)::integer as borrows`;

/** What tells each of `$1` from the others, by kind. */
const STATEMENTS: Readonly<Record<MergeKind, string>> = {
  author: `
    select a.id, btrim(a.firstname || ' ' || a.lastname) as name, a.nationality as note, ${OF_BOOKS}
    from author a left join book_author b on b.author_id = a.id left join book_reading r on r.book_id = b.book_id
    where a.id = any($1::integer[]) group by a.id`,
  genre: `
    select a.id, a.name, a.description as note, ${OF_BOOKS}
    from genre a left join book_genre b on b.genre_id = a.id left join book_reading r on r.book_id = b.book_id
    where a.id = any($1::integer[]) group by a.id`,
  publisher: `
    select a.id, a.name, a.adress as note, ${OF_BOOKS}
    from publisher a left join (select id as book_id, publisher_id from book) b on b.publisher_id = a.id
    left join book_reading r on r.book_id = b.book_id
    where a.id = any($1::integer[]) group by a.id`,
  book: `
    select b.id, b.title as name, null::integer as books, b.copies_total as copies,
      coalesce(r.loans, 0) as borrows,
      concat_ws(' · ',
        (select array_to_string((array_agg(btrim(a.firstname || ' ' || a.lastname) order by l.place))[:3], ', ')
            || case when count(*) > 3 then ' and ' || count(*) - 3 || ' more' else '' end
          from book_author l join author a on a.id = l.author_id where l.book_id = b.id),
        regexp_replace(regexp_replace(b.published, '^([0-9]{4})-.*', '\\1'), '^-(.*)', '\\1 BC'), p.name,
        case when b.isbn like '${INTERNAL_PREFIX}___________' then 'no. ' else 'ISBN ' end || b.isbn) as note
    from book b left join publisher p on p.id = b.publisher_id left join book_reading r on r.book_id = b.id
    where b.id = any($1::integer[])`,
};

/** Those that are there, in the order in which they are named. */
export async function candidatesOf(
  database: Queryable,
  kind: MergeKind,
  ids: readonly number[],
): Promise<Candidate[]> {
  const rows = await queryRows(database, candidateSchema, STATEMENTS[kind], [ids]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
