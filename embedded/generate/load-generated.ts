import { z } from 'zod';
import * as m from '#words/messages.js';
import { inTransaction, type Connection, type Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { GeneratedCatalogue, type GeneratedBook } from './generated-books.js';

const BATCH = 5000;
/** Indexes that are faster made of all rows at once than row by row. */
const LATE_INDEXES = [
  'book_by_title',
  'book_search_words',
  'book_search_main',
  'book_search_title_start',
  'book_search_changed_in',
  'search_word_near',
  'search_word_trigrams',
];

/**
 * Fills the catalogue with generated books, in one transaction: all of them or none.
 * @param onProgress called with the current step and how many rows of it are done
 */
export async function loadGeneratedBooks(
  database: Database,
  books: number,
  seed: number,
  onProgress: (done: number, what: (inputs: { count: number }) => string) => void,
): Promise<void> {
  const catalogue = new GeneratedCatalogue(seed, books);
  await inTransaction(database, async (connection) => {
    await connection.query("select set_config('lectern.search_later', 'on', true)");
    const indexes = await dropLateIndexes(connection);
    const lists = await insertLists(connection, catalogue);
    const ids: number[] = [];
    while (ids.length < books) {
      const batch = Array.from({ length: Math.min(BATCH, books - ids.length) }, () => catalogue.next());
      ids.push(...(await insertBatch(connection, batch, lists, ids.length / books)));
      onProgress(ids.length, m.cli_progress_books_written);
    }
    for (let from = 0; from < ids.length; from += BATCH) {
      await connection.query('select refresh_book_search($1::integer[])', [ids.slice(from, from + BATCH)]);
      onProgress(from, m.cli_progress_searchable);
    }
    for (const [at, definition] of indexes.entries()) {
      onProgress(at, m.cli_progress_indexes);
      await connection.query(definition);
    }
  });
  for (const table of [
    'book',
    'book_author',
    'book_genre',
    'author',
    'publisher',
    'genre',
    'book_search',
    'book_shelf',
    'search_word',
  ]) {
    onProgress(books, ({ count }) => m.cli_progress_tidying({ count, table }));
    await database.query(`vacuum (analyze) ${table}`);
  }
}

/** Only for an empty catalogue: otherwise rebuilding them would take longer, and keep readers waiting. */
async function dropLateIndexes(connection: Connection): Promise<string[]> {
  const rows = await queryRows(
    connection,
    z.object({ name: z.string(), definition: z.string() }),
    `select c.relname as name, pg_get_indexdef(c.oid) as definition from pg_class c
     where c.relname = any($1::text[]) and c.relnamespace = 'public'::regnamespace
       and not exists (select from book)`,
    [LATE_INDEXES],
  );
  for (const { name } of rows) await connection.query(`drop index ${name}`);
  await connection.query("select set_config('maintenance_work_mem', '512MB', true)");
  return rows.map(({ definition }) => definition);
}

const idRow = z.object({ id: z.int() });

interface Lists {
  genres: number[];
  publishers: number[];
  authors: number[];
}

/** Writes genres, publishers and authors, and gives their ids in the order of the generator's lists. */
async function insertLists(connection: Connection, catalogue: GeneratedCatalogue): Promise<Lists> {
  const named = async (table: 'genre' | 'publisher', names: readonly string[]) => {
    await connection.query(
      `insert into ${table} (name) select unnest($1::text[]) on conflict (name) do nothing`,
      [names],
    );
    const rows = await queryRows(
      connection,
      idRow,
      `select t.id from unnest($1::text[]) with ordinality n (name, place) join ${table} t using (name) order by place`,
      [names],
    );
    return rows.map(({ id }) => id);
  };
  const authors: number[] = [];
  for (let from = 0; from < catalogue.authors.length; from += BATCH) {
    const part = catalogue.authors.slice(from, from + BATCH);
    const names = [part.map(({ firstname }) => firstname), part.map(({ lastname }) => lastname)];
    await connection.query(
      `insert into author (firstname, lastname) select * from unnest($1::text[], $2::text[])
       on conflict (firstname, lastname) do nothing`,
      names,
    );
    const rows = await queryRows(
      connection,
      idRow,
      `select a.id from unnest($1::text[], $2::text[]) with ordinality n (firstname, lastname, place)
       join author a using (firstname, lastname) order by place`,
      names,
    );
    for (const { id } of rows) authors.push(id);
  }
  return {
    genres: await named('genre', catalogue.genres),
    publishers: await named('publisher', catalogue.publishers),
    authors,
  };
}

/**
 * @param share how much of the catalogue is there already: the books came in over the last five years
 * @returns the ids of the new books
 */
async function insertBatch(
  connection: Connection,
  books: readonly GeneratedBook[],
  lists: Lists,
  share: number,
): Promise<number[]> {
  const rows = await queryRows(
    connection,
    idRow,
    `select nextval(pg_get_serial_sequence('book', 'id'))::integer as id from generate_series(1, $1)`,
    [books.length],
  );
  const ids = rows.map(({ id }) => id);
  await connection.query(
    `insert into book (id, isbn, title, description, publisher_id, published, copies_total, copies_available, created)
     select id, isbn, title, description, publisher, make_date(year, 1 + id % 12, 1 + id % 28)::text, copies, copies,
       now() - interval '5 years' * (1 - $8::float8)
     from unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::integer[], $6::integer[], $7::integer[])
       n (id, isbn, title, description, publisher, year, copies)`,
    [
      ids,
      books.map((book) => book.isbn),
      books.map((book) => book.title),
      books.map((book) => book.description),
      books.map((book) => lists.publishers[book.publisher]),
      books.map((book) => book.year),
      books.map((book) => book.copies),
      share,
    ],
  );
  const link = (of: (book: GeneratedBook) => number[], list: number[]) => {
    const links = books.flatMap((book, at) =>
      of(book).map((item, place) => [ids[at], list[item], place] as const),
    );
    return [links.map(([book]) => book), links.map(([, item]) => item), links.map(([, , place]) => place)];
  };
  await connection.query(
    `insert into book_author (book_id, author_id, place) select * from unnest($1::integer[], $2::integer[], $3::integer[])`,
    link((book) => book.authors, lists.authors),
  );
  await connection.query(
    `insert into book_genre (book_id, genre_id, place) select * from unnest($1::integer[], $2::integer[], $3::integer[])`,
    link((book) => book.genres, lists.genres),
  );
  return ids;
}
