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
  originalTitle?: string | null | undefined;
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
  /** A year, a month or a day, as exactly as anybody knows; null where nobody does. */
  published: string | null;
  copies: number;
  /** In grosze. */
  price?: number | null | undefined;
  /** None for one that is loanable. */
  kind?: BookKind | undefined;
  /** How many readers rated it elsewhere. */
  ratings?: number | undefined;
  /** Of its copies, in their order; none for those without. */
  shelfMarks?: readonly (string | null)[] | undefined;
  /** The same for the labels that they came with. */
  labels?: readonly (string | null)[] | undefined;
}

const bookRow = z.object({ id: z.int(), isbn: z.string() });

/**
 * Inserts many books at once, with missing authors, genres and publishers, in a few statements. Books whose ISBN exists,
 * or was merged into another book, are left as they are. Part of the caller's transaction.
 * @returns how many were new; and by ISBN those, and the books that were there
 */
export async function writeBooks(
  connection: Connection,
  books: readonly NewBook[],
): Promise<{ added: number; ids: ReadonlyMap<string, number>; present: ReadonlyMap<string, number> }> {
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
  if (fresh.length === 0) return { added: 0, ids: new Map(), present: known };

  // The search rows are built once, after all that they depend on.
  await connection.query("select set_config('lectern.search_later', 'on', true)");
  await writeNames(connection, fresh);
  const authors = await writeAuthors(connection, fresh);
  const ids = await insertBooks(connection, fresh);
  await insertAuthors(connection, fresh, ids, authors);
  await insertGenres(connection, fresh, ids);
  await insertShelfMarks(connection, fresh, ids);
  await insertRatings(connection, fresh, ids);
  await connection.query('select refresh_book_search($1::integer[])', [[...ids.values()]]);
  await connection.query("select set_config('lectern.search_later', 'off', true)");
  return { added: ids.size, ids, present: known };
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

/** By which `writeAuthors` names them. */
export const nameOf = ({ firstname, lastname }: AuthorName) => `${firstname}\n${lastname}`;

const knownAuthorRow = z.object({ place: z.int(), key: z.string().nullable(), ids: z.array(z.int()) });

/**
 * The authors of books, those that are missing added. One of this very name is the author; otherwise the one of this key, as
 * `author_key` makes it, by name or other name, where there is no second one to be confused with. Of several spellings that
 * are all new the first is kept.
 * @returns numbers by name
 */
export async function writeAuthors(
  connection: Connection,
  books: readonly Pick<NewBook, 'authors'>[],
): Promise<ReadonlyMap<string, number>> {
  const named = new Map(books.flatMap(({ authors }) => authors.map((author) => [nameOf(author), author])));
  const names = [...named.values()];
  const rows = await queryRows(
    connection,
    knownAuthorRow,
    `with given as materialized (
       select place::integer, firstname, lastname, author_key(firstname || ' ' || lastname) as key,
         (select a.id from author a where a.firstname = n.firstname and a.lastname = n.lastname) as own
       from unnest($1::text[], $2::text[]) with ordinality n (firstname, lastname, place))
     select place, key, case when own is not null then array[own] else array(
       select a.id from author a where a.likeness = author_likeness(g.firstname, g.lastname)
         and author_key(a.firstname || ' ' || a.lastname) = key
       union
       select a.id from author a where a.other_names <> '{}' and author_keys(a.other_names) @> array[key]) end as ids
     from given g order by place`,
    [names.map(({ firstname }) => firstname), names.map(({ lastname }) => lastname)],
  );
  const first = new Map<string, string>();
  const missing: AuthorName[] = [];
  const ids = new Map<string, number>();
  const spelled = new Map<string, string>();
  for (const { place, key, ids: found } of rows) {
    const author = names[place - 1];
    if (!author) continue;
    const [id, second] = found;
    if (id !== undefined && second === undefined) ids.set(nameOf(author), id);
    else if (key !== null && first.has(key) && second === undefined)
      spelled.set(nameOf(author), first.get(key) ?? '');
    else {
      if (key !== null) first.set(key, nameOf(author));
      missing.push(author);
    }
  }
  for (const { id, ...author } of await insertNames(connection, missing)) ids.set(nameOf(author), id);
  for (const [name, kept] of spelled) ids.set(name, ids.get(kept) ?? 0);
  await addOtherNames(
    connection,
    names.map((author) => ({ ...author, id: ids.get(nameOf(author)) ?? 0 })),
  );
  return ids;
}

const authorRow = z.object({ id: z.int(), firstname: z.string(), lastname: z.string() });

/** Sorted by name, so that two writers cannot deadlock; what another one has added in this moment is read after all. */
async function insertNames(
  connection: Connection,
  authors: readonly AuthorName[],
): Promise<z.output<typeof authorRow>[]> {
  if (authors.length === 0) return [];
  const columns = [authors.map(({ firstname }) => firstname), authors.map(({ lastname }) => lastname)];
  await connection.query(
    `insert into author (firstname, lastname)
     select * from unnest($1::text[], $2::text[]) as name (firstname, lastname)
     order by firstname, lastname on conflict do nothing`,
    columns,
  );
  return queryRows(
    connection,
    authorRow,
    `select a.id, a.firstname, a.lastname from author a
     join unnest($1::text[], $2::text[]) as n (firstname, lastname)
       on a.firstname = n.firstname and a.lastname = n.lastname`,
    columns,
  );
}

/** What an author is called beside what the catalogue knows already. */
export async function addOtherNames(
  connection: Connection,
  authors: readonly { id: number; otherNames?: readonly string[] | undefined }[],
): Promise<void> {
  const named = authors.filter(({ otherNames = [] }) => otherNames.length > 0);
  if (named.length === 0) return;
  await connection.query(
    `update author a set other_names = x.other_names, version = a.version + 1
     from (
       select k.id, other_names(k.other_names || array_agg(name), array[k.firstname || ' ' || k.lastname]) as other_names
       from jsonb_to_recordset($1) as g (id integer, "otherNames" text[])
       join author k on k.id = g.id
       cross join unnest(g."otherNames") name group by k.id order by k.id) x
     where a.id = x.id and a.other_names is distinct from x.other_names`,
    [JSON.stringify(named)],
  );
}

async function insertBooks(connection: Connection, books: readonly NewBook[]): Promise<Map<string, number>> {
  const rows = await queryRows(
    connection,
    bookRow,
    `insert into book (isbn, title, description, publisher_id, published, copies_total, copies_available, price,
       series, volume, kind, language, original_title, other_titles)
     select n.isbn, n.title, n.description, p.id, n.published, n.copies, n.copies, n.price, n.series, n.volume, n.kind, n.language,
       (other_names(array[n.original], array[n.title]))[1],
       other_names(array(select jsonb_array_elements_text(n.others)), array[n.title, n.original])
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::integer[], $7::integer[],
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
      books.map((book) => book.published),
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
  authors: ReadonlyMap<string, number>,
): Promise<void> {
  const links = books.flatMap((book) => {
    const id = ids.get(book.isbn);
    if (id === undefined) return [];
    return book.authors.map((author, place) => ({ id, author: authors.get(nameOf(author)), place }));
  });
  await connection.query(
    `insert into book_author (book_id, author_id, place)
     select * from unnest($1::integer[], $2::integer[], $3::integer[]) as l (book_id, author_id, place)
     order by place on conflict do nothing`,
    [links.map((link) => link.id), links.map((link) => link.author), links.map((link) => link.place)],
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
  const copies = books.flatMap(({ isbn, shelfMarks = [], labels = [] }) => {
    const id = ids.get(isbn);
    if (id === undefined) return [];
    const all = Array.from({ length: Math.max(shelfMarks.length, labels.length) }, (_, at) => ({
      ...{ id, copy: at + 1, mark: shelfMarks[at] ?? null, label: labels[at] ?? null },
    }));
    return all.filter(({ mark, label }) => mark !== null || label !== null);
  });
  if (copies.length === 0) return;
  await connection.query(
    `insert into copy (book_id, copy, condition, shelf_mark, label, revision, changed_at)
     select id, copy, 'present', mark, label, -1, now()
     from jsonb_to_recordset($1) as c (id integer, copy integer, mark text, label text)`,
    [JSON.stringify(copies)],
  );
}
