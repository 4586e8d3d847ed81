import { z } from 'zod';
import { BOOK_KINDS, type BookKind } from '#contracts/rules/kinds.js';
import type { Connection } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { survivingByIsbn } from './merged-books.js';

/** A person's name as in the catalogue. */
export interface AuthorName {
  firstname: string;
  lastname: string;
  /** What else they are called. */
  otherNames?: readonly string[] | undefined;
}

/** An imported book, complete and validated. */
export interface NewBook {
  isbn: string;
  title: string;
  /** None where it is the title, or nobody knows it. */
  originalTitle?: string | undefined;
  otherTitles?: readonly string[] | undefined;
  description: string;
  authors: readonly AuthorName[];
  genres: readonly string[];
  /** Null where nobody knows it; then there may be no genres either. */
  publisher: string | null;
  series?: string | null | undefined;
  /** Only with a series. */
  volume?: string | null | undefined;
  /** ISO 639, in the form in which the catalogue keeps it. */
  language?: string | null | undefined;
  /** yyyy-MM-dd */
  publicationDate: string;
  copies: number;
  /** In grosze. */
  price?: number | undefined;
  /** None for one that is loanable. */
  kind?: BookKind | undefined;
  /** How many readers rated it elsewhere. */
  ratings?: number | undefined;
  /** Of its copies, in their order; none for those without. */
  shelfMarks?: readonly (string | null)[] | undefined;
}

const bookRow = z.object({ id: z.int(), isbn: z.string() });

/**
 * Inserts many books at once, with missing authors, genres and publishers, in a few statements. Books whose ISBN exists,
 * or was merged into another book, are left as they are. Part of the caller's transaction.
 * @returns by ISBN: how many were new, and the books that were there
 */
export async function writeBooks(
  connection: Connection,
  books: readonly NewBook[],
): Promise<{ added: number; present: ReadonlyMap<string, number> }> {
  const isbns = books.map((book) => book.isbn);
  const present = await queryRows(
    connection,
    bookRow,
    'select id, isbn from book where isbn = any($1::text[])',
    [isbns],
  );
  const known = new Map(await survivingByIsbn(connection, isbns));
  for (const { id, isbn } of present) known.set(isbn, id);
  const fresh = books.filter((book) => !known.has(book.isbn));
  if (fresh.length === 0) return { added: 0, present: known };

  // The search rows are built once, after all that they depend on.
  await connection.query("select set_config('lectern.search_later', 'on', true)");
  await writeNames(connection, fresh);
  await writeAuthors(connection, fresh);
  const ids = await insertBooks(connection, fresh);
  await insertAuthors(connection, fresh, ids);
  await insertGenres(connection, fresh, ids);
  await insertShelfMarks(connection, fresh, ids);
  await insertRatings(connection, fresh, ids);
  await connection.query('select refresh_book_search($1::integer[])', [[...ids.values()]]);
  await connection.query("select set_config('lectern.search_later', 'off', true)");
  return { added: ids.size, present: known };
}

/** Publishers and genres, sorted by name, so that two writers cannot deadlock. */
export async function writeNames(
  connection: Connection,
  books: readonly Pick<NewBook, 'publisher' | 'genres'>[],
): Promise<void> {
  await connection.query(
    `insert into publisher (name)
     select name from (select distinct unnest($1::text[]) as name) given
     where name is not null and not exists (select from publisher p where p.name = given.name)
     order by name on conflict do nothing`,
    [books.map((book) => book.publisher)],
  );
  await connection.query(
    `insert into genre (name)
     select name from (select distinct unnest($1::text[]) as name) given
     where not exists (select from genre g where g.name = given.name)
     order by name on conflict do nothing`,
    [books.flatMap((book) => book.genres)],
  );
}

async function writeAuthors(connection: Connection, books: readonly NewBook[]): Promise<void> {
  const authors = books.flatMap((book) => book.authors);
  await connection.query(
    `insert into author (firstname, lastname)
     select firstname, lastname from (
       select distinct * from unnest($1::text[], $2::text[]) as name (firstname, lastname)) given
     where not exists (
       select from author a where a.firstname = given.firstname and a.lastname = given.lastname)
     order by firstname, lastname on conflict do nothing`,
    [authors.map((author) => author.firstname), authors.map((author) => author.lastname)],
  );
  await addOtherNames(connection, authors);
}

/** What an author is called beside what the catalogue knows already. */
export async function addOtherNames(connection: Connection, authors: readonly AuthorName[]): Promise<void> {
  const named = authors.filter(({ otherNames = [] }) => otherNames.length > 0);
  if (named.length === 0) return;
  await connection.query(
    `update author a set other_names = x.other_names, version = a.version + 1
     from (
       select k.id, other_names(k.other_names || array_agg(name), array[k.firstname || ' ' || k.lastname]) as other_names
       from jsonb_to_recordset($1) as g (firstname text, lastname text, "otherNames" text[])
       join author k on k.firstname = g.firstname and k.lastname = g.lastname
       cross join unnest(g."otherNames") name group by k.id order by k.id) x
     where a.id = x.id and a.other_names is distinct from x.other_names`,
    [JSON.stringify(named)],
  );
}

async function insertBooks(connection: Connection, books: readonly NewBook[]): Promise<Map<string, number>> {
  const rows = await queryRows(
    connection,
    bookRow,
    `insert into book (isbn, title, description, publisher_id, publication_date, copies_total, copies_available, price,
       series, volume, kind, language, original_title, other_titles)
     select n.isbn, n.title, n.description, p.id, n.published, n.copies, n.copies, n.price, n.series, n.volume, n.kind, n.language,
       (other_names(array[n.original], array[n.title]))[1],
       other_names(array(select jsonb_array_elements_text(n.others)), array[n.title, n.original])
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::date[], $6::integer[], $7::integer[],
         $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::jsonb[])
       with ordinality n (isbn, title, description, publisher, published, copies, price, series, volume, kind, language,
         original, others, place)
     left join publisher p on p.name = n.publisher
     order by n.place
     on conflict (isbn) do nothing
     returning id, isbn`,
    [
      books.map((book) => book.isbn),
      books.map((book) => book.title),
      books.map((book) => book.description),
      books.map((book) => book.publisher),
      books.map((book) => book.publicationDate),
      books.map((book) => book.copies),
      books.map((book) => book.price ?? null),
      books.map((book) => book.series ?? null),
      books.map((book) => book.volume ?? null),
      books.map((book) => book.kind ?? BOOK_KINDS[0]),
      books.map((book) => book.language ?? null),
      books.map((book) => book.originalTitle ?? null),
      books.map((book) => JSON.stringify(book.otherTitles ?? [])),
    ],
  );
  return new Map(rows.map((row) => [row.isbn, row.id]));
}

async function insertAuthors(
  connection: Connection,
  books: readonly NewBook[],
  ids: ReadonlyMap<string, number>,
): Promise<void> {
  const links = books.flatMap((book) => {
    const id = ids.get(book.isbn);
    return id === undefined ? [] : book.authors.map((author, place) => ({ id, author, place }));
  });
  await connection.query(
    `insert into book_author (book_id, author_id, place)
     select l.book_id, a.id, l.place
     from unnest($1::integer[], $2::text[], $3::text[], $4::integer[]) as l (book_id, firstname, lastname, place)
     join author a on a.firstname = l.firstname and a.lastname = l.lastname
     order by l.place
     on conflict do nothing`,
    [
      links.map((link) => link.id),
      links.map((link) => link.author.firstname),
      links.map((link) => link.author.lastname),
      links.map((link) => link.place),
    ],
  );
}

async function insertGenres(
  connection: Connection,
  books: readonly NewBook[],
  ids: ReadonlyMap<string, number>,
): Promise<void> {
  const links = books.flatMap((book) => {
    const id = ids.get(book.isbn);
    return id === undefined ? [] : book.genres.map((genre, place) => ({ id, genre, place }));
  });
  await connection.query(
    `insert into book_genre (book_id, genre_id, place)
     select l.book_id, g.id, l.place
     from unnest($1::integer[], $2::text[], $3::integer[]) as l (book_id, name, place)
     join genre g on g.name = l.name
     order by l.place
     on conflict do nothing`,
    [links.map((link) => link.id), links.map((link) => link.genre), links.map((link) => link.place)],
  );
}

/** Before the search rows, which are ordered by them. */
async function insertRatings(
  connection: Connection,
  books: readonly NewBook[],
  ids: ReadonlyMap<string, number>,
): Promise<void> {
  const rated = books.filter(({ isbn, ratings }) => ratings !== undefined && ids.has(isbn));
  if (rated.length === 0) return;
  await connection.query(
    `insert into book_reading (book_id, ratings) select * from unnest($1::integer[], $2::integer[])`,
    [rated.map(({ isbn }) => ids.get(isbn)), rated.map(({ ratings }) => ratings)],
  );
}

/** They come with the books, as the number of copies does: no event says them. */
async function insertShelfMarks(
  connection: Connection,
  books: readonly NewBook[],
  ids: ReadonlyMap<string, number>,
): Promise<void> {
  const marks = books.flatMap(({ isbn, shelfMarks = [] }) => {
    const id = ids.get(isbn);
    if (id === undefined) return [];
    return shelfMarks.flatMap((mark, at) => (mark === null ? [] : { id, copy: at + 1, mark }));
  });
  if (marks.length === 0) return;
  await connection.query(
    `insert into copy (book_id, copy, condition, shelf_mark, revision, changed_at)
     select book_id, copy, 'present', mark, -1, now()
     from unnest($1::integer[], $2::integer[], $3::text[]) as m (book_id, copy, mark)`,
    [marks.map(({ id }) => id), marks.map(({ copy }) => copy), marks.map(({ mark }) => mark)],
  );
}
