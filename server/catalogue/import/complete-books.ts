import { z } from 'zod';
import type { Connection } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { addOtherNames, writeNames, type NewBook } from '../book-writer.js';

const lackingRow = z.object({ id: z.int(), publisher: z.boolean(), genres: z.boolean() });

/**
 * What a book would be with what its row brings, and nothing that it has replaced. Other titles are added; so is the
 * title of the row. A row that has neither the title nor an author of the book is of another one: its number is wrong.
 */
const GIVEN = `
  with given as (
    select distinct on (g.id) g.* from rows from (jsonb_to_recordset($1) as (id integer, title text, description text,
      publisher text, series text, volume text, language text, published text, price integer, "originalTitle" text,
      "otherTitles" text[], genres text[], ratings integer, authors jsonb)) with ordinality
      g (id, title, description, publisher, series, volume, language, published, price, original, others, genres, ratings, authors, place)
    order by g.id, place
  ), whole as (
    select b.id, g.genres, g.ratings, g.publisher,
      case when b.description = '' then g.description else b.description end as description,
      coalesce(b.series, g.series) as series,
      case when b.series is null then g.volume else b.volume end as volume,
      coalesce(b.language, g.language) as language, coalesce(b.published, g.published) as published, coalesce(b.price, g.price) as price,
      coalesce(b.original_title, (other_names(array[g.original], array[b.title]))[1]) as original_title,
      other_names(b.other_titles || g.others || array[g.original, g.title],
        array[b.title, coalesce(b.original_title, g.original)]) as other_titles,
      b.publisher_id is null and g.publisher is not null as lacks_publisher,
      cardinality(g.genres) > 0 and not exists (select from book_genre l where l.book_id = b.id) as lacks_genres
    from given g join book b on b.id = g.id
    where search_plain(g.title) in (search_plain(b.title), search_plain(b.original_title))
      or search_plain(g.original) = search_plain(b.title)
      or exists (
        select from book_author l join author a on a.id = l.author_id
        join jsonb_to_recordset(g.authors) as n (firstname text, lastname text)
          on author_likeness(n.firstname, n.lastname) = a.likeness
        where l.book_id = b.id)
  )`;

const namedRow = z.object({ id: z.int(), otherNames: z.array(z.string()) });

/** The authors of these books for whom their rows have other names. */
async function namedAuthors(connection: Connection, rows: readonly (NewBook & { id: number })[]) {
  const named = rows.flatMap(({ id, authors }) =>
    authors.filter(({ otherNames }) => otherNames).map((author) => ({ book: id, ...author })),
  );
  if (named.length === 0) return [];
  return queryRows(
    connection,
    namedRow,
    `select a.id, n."otherNames"
     from jsonb_to_recordset($1) n (book integer, firstname text, lastname text, "otherNames" text[])
     join book_author l on l.book_id = n.book join author a on a.id = l.author_id
       and author_key(a.firstname || ' ' || a.lastname) = author_key(n.firstname || ' ' || n.lastname)`,
    [JSON.stringify(named)],
  );
}

/** The columns of `whole` that are the book's own. */
const COLUMNS = [
  'description',
  'series',
  'volume',
  'language',
  'published',
  'price',
  'original_title',
  'other_titles',
];
const listed = (alias: string) => COLUMNS.map((column) => `${alias}.${column}`).join(', ');

/**
 * Gives books that are there what they lack and their rows bring; what somebody entered stays. Part of the caller's
 * transaction.
 * @param rows in the order of the file: of several of one book the first counts
 * @returns the books that were changed
 */
export async function completeBooks(
  connection: Connection,
  rows: readonly (NewBook & { id: number })[],
): Promise<number[]> {
  if (rows.length === 0) return [];
  // In the order of their ids, as rents lock them.
  const lacking = await queryRows(
    connection,
    lackingRow,
    `${GIVEN}
     select b.id, w.lacks_publisher as publisher, w.lacks_genres as genres
     from whole w join book b on b.id = w.id left join book_reading r on r.book_id = b.id
     where (${listed('b')}) is distinct from (${listed('w')}) or w.lacks_publisher or w.lacks_genres
       or (r.ratings is null and w.ratings is not null)
     order by b.id for no key update of b`,
    [JSON.stringify(rows)],
  );
  await addOtherNames(connection, await namedAuthors(connection, rows));
  if (lacking.length === 0) return [];
  const byId = new Map(lacking.map((row) => [row.id, row]));
  const given = rows.filter(({ id }) => byId.has(id));
  await writeNames(
    connection,
    given.map(({ id, publisher, genres }) => ({
      publisher: byId.get(id)?.publisher ? publisher : null,
      genres: byId.get(id)?.genres ? genres : [],
    })),
  );
  // The search rows are built once, after all that they depend on.
  await connection.query("select set_config('lectern.search_later', 'on', true)");
  const whole = [JSON.stringify(given)];
  await connection.query(
    `${GIVEN}, genres as (
       insert into book_genre (book_id, genre_id, place)
       select w.id, g.id, n.place from whole w cross join unnest(w.genres) with ordinality n (name, place)
       join genre g on g.name = n.name where w.lacks_genres order by w.id, n.place on conflict do nothing
     ), ratings as (
       insert into book_reading (book_id, ratings) select id, ratings from whole where ratings is not null order by id
       on conflict (book_id) do update set ratings = excluded.ratings where book_reading.ratings is null
     )
     update book b set version = b.version + 1, publisher_id = coalesce(b.publisher_id, p.id),
       ${COLUMNS.map((column) => `${column} = w.${column}`).join(', ')}
     from whole w left join publisher p on p.name = w.publisher where b.id = w.id`,
    whole,
  );
  const ids = [...byId.keys()];
  await connection.query('select refresh_book_search($1::integer[])', [ids]);
  await connection.query("select set_config('lectern.search_later', 'off', true)");
  return ids;
}
