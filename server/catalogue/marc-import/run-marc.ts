import { z } from 'zod';
import { MARC_WINNERS } from '#contracts/catalogue/marc-import.js';
import { inTransaction, type Connection, type Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { nameOf, writeAuthors, writeBooks, writeNames, type NewBook } from '../book-writer.js';
import { bookOfMarc, type MarcBook } from '../marc/book-fields.js';
import { readKept } from '../marc/read-marc.js';
import { differencesOf, merged, readStoredBooks, type StoredBook } from './marc-books.js';
import { moveImport, notifyImportChanged } from './marc-imports.js';
import type { Reason } from './marc-reasons.js';

/** Rows of one transaction. */
const BATCH = 250;

const farRow = z.object({ handled: z.int(), total: z.int() });
const orderRow = z.object({ wins: z.array(z.enum(MARC_WINNERS)), copies: z.int() });
type Order = z.output<typeof orderRow>;

const chosenRow = z.object({
  place: z.int(),
  outcome: z.enum(['new', 'changed']),
  number: z.string(),
  control: z.string().nullable(),
  agency: z.string(),
  book_id: z.int().nullable(),
  form: z.enum(['iso2709', 'marcxml']),
  bytes: z.instanceof(Buffer),
});
type ChosenRow = z.output<typeof chosenRow>;

/** What became of a row. */
interface Done {
  place: number;
  done: 'added' | 'changed' | 'left';
  reason: Reason | null;
  book_id: number | null;
  version: number | null;
  before: object | null;
}

export interface WorkOptions {
  signal?: AbortSignal | undefined;
  onProgress?: (rows: number, part: number) => void;
}

/**
 * Does what is chosen of an import. Every batch of rows is one transaction, so that it goes on where it was stopped.
 * @param options whose signal stops it between two batches
 * @returns whether it is done
 */
export async function runMarcImport(
  database: Database,
  id: string,
  options: WorkOptions = {},
): Promise<boolean> {
  const order = await queryRow(
    database,
    orderRow,
    `select wins, copies from marc_import where id = $1 and state = 'running'`,
    [id],
  );
  if (!order) return true;
  const isDone = await inBatches(database, id, (connection) => runBatch(connection, id, order), options);
  if (isDone) await moveImport(database, id, ['running'], 'done');
  return isDone;
}

/** Works through an import until a batch has no rows. @returns whether it came to the end */
export async function inBatches(
  database: Database,
  id: string,
  work: (connection: Connection) => Promise<number>,
  { signal, onProgress }: WorkOptions,
): Promise<boolean> {
  while (!signal?.aborted) {
    if ((await inTransaction(database, work)) === 0) return true;
    await notifyImportChanged(database, id);
    const row = await queryRow(database, farRow, 'select handled, total from marc_import where id = $1', [
      id,
    ]);
    if (row) onProgress?.(row.handled, row.handled / Math.max(row.total, 1));
  }
  return false;
}

async function runBatch(connection: Connection, id: string, order: Order): Promise<number> {
  // Of two workers the second waits, and finds the rows done.
  await connection.query('select from marc_import where id = $1 for update', [id]);
  const rows = await queryRows(
    connection,
    chosenRow,
    `select place, outcome, number, control, agency, book_id, form, bytes from marc_row
     where import_id = $1 and chosen and done is null and outcome in ('new', 'changed') order by place limit ${BATCH}`,
    [id],
  );
  const entries = rows.map((row) => ({ row, book: bookOfMarc(readKept(row)) }));
  const added = await addBooks(
    connection,
    entries.filter(({ row }) => row.outcome === 'new'),
    order,
  );
  const changed = await changeBooks(
    connection,
    id,
    entries.filter(({ row }) => row.outcome === 'changed'),
    order,
  );
  await keepRecords(connection, rows, [...added, ...changed]);
  await writeDone(connection, id, [...added, ...changed]);
  return rows.length;
}

interface Entry {
  row: ChosenRow;
  book: MarcBook;
}

async function addBooks(connection: Connection, entries: readonly Entry[], order: Order): Promise<Done[]> {
  const { ids } = await writeBooks(
    connection,
    entries.map((entry) => newBookOf(entry, order)),
  );
  return entries.map(({ row: { place, number } }) => {
    const book = ids.get(number) ?? null;
    const base = { place, book_id: book, before: null };
    return book === null
      ? { ...base, done: 'left', version: null, reason: { code: 'number-taken', where: number } }
      : { ...base, done: 'added', version: 1, reason: null };
  });
}

function newBookOf({ row, book }: Entry, { copies }: Order): NewBook {
  const { title, description, authors, genres, publisher, published, language, series } = book;
  return {
    ...{ isbn: row.number, title, description, authors, genres, publisher, published, language },
    originalTitle: book.originalTitle ?? undefined,
    otherTitles: book.otherTitles,
    ...{ series: series?.name ?? null, volume: series?.volume ?? null },
    price: book.price ?? undefined,
    copies: Math.min(book.copies.length, 10_000) || copies,
    shelfMarks: book.copies.map(({ mark }) => mark),
    copyNotes: book.copies.map(({ label }) => label),
  };
}

/** Books that are there, locked as an edit of them locks them. */
async function changeBooks(
  connection: Connection,
  id: string,
  entries: readonly Entry[],
  order: Order,
): Promise<Done[]> {
  if (entries.length === 0) return [];
  const ids = entries.flatMap(({ row }) => row.book_id ?? []);
  await connection.query('select from book where id = any($1::integer[]) order by id for no key update', [
    ids,
  ]);
  const stored = new Map(
    (await readStoredBooks(connection, 'b.id = any($1::integer[])', [ids])).map((book) => [book.id, book]),
  );
  const before = await writeBefore(connection, ids);
  const rowsBefore = await queryRows(
    connection,
    bookRow,
    `select book_id, place from marc_row where import_id = $1 and book_id = any($2::integer[]) and done in ('added', 'changed')`,
    [id, ids],
  );
  const touched = new Map(rowsBefore.map(({ book_id, place }) => [book_id, place]));
  const changes: { there: StoredBook; book: MarcBook }[] = [];
  const done = entries.map(({ row: { place, book_id }, book }): Done => {
    const there = stored.get(book_id ?? 0);
    const left = { place, done: 'left', book_id, version: null, before: null } as const;
    if (!there) return { ...left, reason: { code: 'gone', where: '' } };
    // A book is changed once, so that undoing knows what it was.
    const earlier = touched.get(there.id);
    if (earlier !== undefined) return { ...left, reason: { code: 'same-as', where: String(earlier) } };
    touched.set(there.id, place);
    const after = merged(there.book, book, order.wins);
    const isOther = Object.keys(differencesOf(there.book, after)).length > 0;
    if (isOther) changes.push({ there, book: after });
    const version = there.version + (isOther ? 1 : 0);
    return { place, done: 'changed', book_id, version, before: before.get(there.id) ?? null, reason: null };
  });
  await writeChanges(connection, changes);
  return done;
}

const bookRow = z.object({ book_id: z.int(), place: z.int() });
const beforeRow = z.object({ id: z.int(), before: z.record(z.string(), z.unknown()) });

/** All that a change may change, as it is now. */
async function writeBefore(connection: Connection, ids: readonly number[]): Promise<Map<number, object>> {
  const rows = await queryRows(
    connection,
    beforeRow,
    `select b.id, json_build_object('title', b.title, 'original_title', b.original_title, 'other_titles', b.other_titles,
       'description', b.description, 'publisher_id', b.publisher_id, 'series', b.series, 'volume', b.volume,
       'language', b.language, 'published', b.published, 'price', b.price,
       'authors', array(select author_id from book_author where book_id = b.id order by place),
       'genres', array(select genre_id from book_genre where book_id = b.id order by place),
       'record', (select json_build_object('control', control, 'agency', agency, 'form', form, 'bytes', encode(bytes, 'base64'))
         from marc_record where book_id = b.id)) as before
     from book b where b.id = any($1::integer[])`,
    [ids],
  );
  return new Map(rows.map(({ id, before }) => [id, before]));
}

async function writeChanges(
  connection: Connection,
  changes: readonly { there: StoredBook; book: MarcBook }[],
): Promise<void> {
  if (changes.length === 0) return;
  await connection.query("select set_config('lectern.search_later', 'on', true)");
  await writeNames(
    connection,
    changes.map(({ book }) => book),
  );
  const authors = await writeAuthors(
    connection,
    changes.map(({ book }) => book),
  );
  const rows = changes.map(({ there: { id }, book }) => ({
    id,
    ...{
      title: book.title,
      original: book.originalTitle,
      others: book.otherTitles,
      description: book.description,
    },
    ...{ publisher: book.publisher, series: book.series?.name ?? null, volume: book.series?.volume ?? null },
    ...{ language: book.language, published: book.published, price: book.price, genres: book.genres },
    authors: [...new Set(book.authors.flatMap((author) => authors.get(nameOf(author)) ?? []))],
  }));
  await replaceBooks(
    connection,
    rows,
    `
    select g.id, g.title, (other_names(array[g.original], array[g.title]))[1] as original_title,
      other_names(g.others, array[g.title, g.original]) as other_titles, g.description, p.id as publisher_id, g.series, g.volume,
      g.language, g.published, g.price, g.authors, array(
        select x.id from unnest(g.genres) with ordinality n (name, place) join genre x on x.name = n.name order by n.place) as genres
    from jsonb_to_recordset($1) as g (id integer, title text, original text, others text[], description text, publisher text,
      series text, volume text, language text, published text, price integer, genres text[], authors integer[])
    left join publisher p on p.name = g.publisher`,
  );
}

/**
 * Writes books anew with their authors and genres, and their search rows.
 * @param given the statement that makes columns and links of $1
 */
export async function replaceBooks(
  connection: Connection,
  rows: readonly { id: number }[],
  given: string,
): Promise<void> {
  await connection.query("select set_config('lectern.search_later', 'on', true)");
  const values = [JSON.stringify(rows)];
  await connection.query(
    `update book b set title = g.title, original_title = g.original_title, other_titles = g.other_titles, description = g.description,
       publisher_id = g.publisher_id, series = g.series, volume = g.volume, language = g.language, published = g.published,
       price = g.price, version = b.version + 1
     from (${given}) g where b.id = g.id`,
    values,
  );
  for (const kind of ['author', 'genre'] as const) {
    const linked = `select g.id as book_id, l.id as link, min(l.place) as place from (${given}) g
      cross join unnest(g.${kind}s) with ordinality l (id, place) join ${kind} x on x.id = l.id group by g.id, l.id`;
    const table = `book_${kind}`;
    await connection.query(
      `delete from ${table} l using (${given}) g where l.book_id = g.id and not l.${kind}_id = any(g.${kind}s)`,
      values,
    );
    await connection.query(
      `insert into ${table} (book_id, ${kind}_id, place) select book_id, link, place - 1 from (${linked}) x
       on conflict (book_id, ${kind}_id) do update set place = excluded.place where ${table}.place <> excluded.place`,
      values,
    );
  }
  await connection.query('select refresh_book_search($1::integer[])', [rows.map(({ id }) => id)]);
  await connection.query("select set_config('lectern.search_later', 'off', true)");
}

/** The record is kept whole beside its book. */
async function keepRecords(
  connection: Connection,
  rows: readonly ChosenRow[],
  done: readonly Done[],
): Promise<void> {
  const books = new Map(
    done.filter(({ done: became }) => became !== 'left').map(({ place, book_id }) => [place, book_id]),
  );
  const kept = rows.flatMap((row): [number, ChosenRow][] => {
    const book = books.get(row.place);
    return book ? [[book, row]] : [];
  });
  await connection.query(
    `insert into marc_record (book_id, control, agency, form, bytes)
     select * from unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::bytea[])
     on conflict (book_id) do update
       set control = excluded.control, agency = excluded.agency, form = excluded.form, bytes = excluded.bytes`,
    [
      kept.map(([id]) => id),
      kept.map(([, { control }]) => control),
      kept.map(([, { agency }]) => agency),
      kept.map(([, { form }]) => form),
      kept.map(([, { bytes }]) => bytes),
    ],
  );
}

/** What became of rows, and how far the import is with them. */
async function writeDone(connection: Connection, id: string, done: readonly Done[]): Promise<void> {
  await connection.query(
    `update marc_row r set done = d.done, reason = d.reason, book_id = d.book_id, version = d.version, before = d.before
     from jsonb_to_recordset($2) as d (place integer, done text, reason jsonb, book_id integer, version integer, before jsonb)
     where r.import_id = $1 and r.place = d.place`,
    [id, JSON.stringify(done)],
  );
  await connection.query('update marc_import set handled = handled + $2, touched_at = now() where id = $1', [
    id,
    done.length,
  ]);
}
