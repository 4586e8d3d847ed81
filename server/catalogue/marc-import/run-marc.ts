import { z } from 'zod';
import { MARC_WINNERS } from '#contracts/catalogue/marc-import.js';
import type { ImportState } from '#contracts/imports.js';
import type { Connection, Database } from '#platform/database/database.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import type { WorkOptions } from '../../imports/staged-imports.js';
import { nameOf, writeAuthors, writeBooks, writeNames, type NewBook } from '../book-writer.js';
import { EventPending, MAX_COPIES } from '../copies/copy-numbers.js';
import type { CopyContext } from '../copies/copy-writer.js';
import { bookOfMarc, type MarcBook } from '../marc/book-fields.js';
import { readKept } from '../marc/read-marc.js';
import { MERGED_RECORDS } from '../merged-books.js';
import { changeHoldings, withFreeLabels, type ChangedCopy } from './holdings.js';
import { differencesOf, holdingChanges, merged, readStoredBooks, type StoredBook } from './marc-books.js';
import { MARC_IMPORTS } from './marc-imports.js';
import type { Reason } from './marc-reasons.js';

/** Rows of one transaction. */
const BATCH = 250;

const orderRow = z.object({ wins: z.array(z.enum(MARC_WINNERS)), copies: z.int(), actor: z.string() });
type Order = z.output<typeof orderRow>;

const chosenRow = z.object({
  place: z.int(),
  outcome: z.enum(['new', 'changed']),
  number: z.string(),
  book_id: z.int().nullable(),
  form: z.enum(['iso2709', 'marcxml']),
  bytes: z.instanceof(Buffer),
  /** The place of a row that has added or changed the same book before. */
  earlier: z.int().nullable(),
});

interface Entry {
  row: z.output<typeof chosenRow>;
  book: MarcBook;
  there: StoredBook | undefined;
  /** Which of its labels are not taken. */
  told: Reason | null;
}

/** What became of a row. */
export interface Done {
  place: number;
  done: 'added' | 'changed' | 'left' | 'undone';
  reason: Reason | null;
  book_id: number | null;
  copies?: readonly ChangedCopy[];
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
  const isDone = await inBatches(database, id, 'running', runBatch, options);
  if (isDone) await MARC_IMPORTS.move(database, id, ['running'], 'done');
  return isDone;
}

/** Works through an import, as long as it is in this state. @returns whether it came to the end */
export function inBatches(
  database: Database,
  id: string,
  state: ImportState,
  work: (connection: Connection, id: string, order: Order) => Promise<readonly Done[]>,
  options: WorkOptions,
): Promise<boolean> {
  return MARC_IMPORTS.inBatches(
    database,
    id,
    state,
    async (connection) => {
      // Who works by a command has no account.
      const order = await queryRow(
        connection,
        orderRow,
        `select i.wins, i.copies, coalesce((select pseudonym from account where id = i.started_by), i.id) as actor
         from marc_import i where i.id = $1`,
        [id],
      );
      const done = order ? await work(connection, id, order) : [];
      if (done.length > 0) await writeDone(connection, id, done);
      return done.length;
    },
    options,
  );
}

/** What became of rows. A record that is imported is kept whole beside its book. */
async function writeDone(connection: Connection, id: string, done: readonly Done[]) {
  const values = [id, JSON.stringify(done)];
  await connection.query(
    `update marc_row r set done = d.done, reason = d.reason, book_id = d.book_id,
       version = (select version from book where id = d.book_id),
       before = case d.done when 'changed' then r.before || jsonb_build_object('copies', d.copies) end
     from jsonb_to_recordset($2) as d (place integer, done text, reason jsonb, book_id integer, copies jsonb)
     where r.import_id = $1 and r.place = d.place`,
    values,
  );
  // That of a book that was merged into this one is not the one that this one has.
  await connection.query(
    `insert into marc_record as k (book_id, control, agency, form, bytes)
     select r.book_id, r.control, r.agency, r.form, r.bytes
     from marc_row r join jsonb_to_recordset($2) as d (place integer, done text) using (place)
     where r.import_id = $1 and d.done in ('added', 'changed')
     on conflict (book_id) do update set
       (control, agency, form, bytes) = row(excluded.control, excluded.agency, excluded.form, excluded.bytes)
     where (k.control, k.agency) is not distinct from (excluded.control, excluded.agency) or not exists (
       select from ${MERGED_RECORDS} m
       where m.book_id = k.book_id and m.control = excluded.control and m.agency = excluded.agency)`,
    values,
  );
}

async function runBatch(connection: Connection, id: string, order: Order): Promise<Done[]> {
  const rows = await queryRows(
    connection,
    chosenRow,
    `select r.place, r.outcome, r.number, r.book_id, r.form, r.bytes, (
       select min(e.place) from marc_row e
       where e.import_id = $1 and e.book_id = r.book_id and e.done in ('added', 'changed')) as earlier
     from marc_row r where r.import_id = $1 and r.chosen and r.done is null and r.outcome in ('new', 'changed')
     order by r.place limit ${BATCH}`,
    [id],
  );
  const stored = await lockBooks(
    connection,
    rows.flatMap(({ book_id }) => book_id ?? []),
  );
  const entries = await withFreeLabels(
    connection,
    rows.map((row) => ({ row, book: bookOfMarc(readKept(row)), there: stored.get(row.book_id ?? 0) })),
  );
  const of = (outcome: Entry['row']['outcome']) => entries.filter(({ row }) => row.outcome === outcome);
  const added = await addBooks(connection, of('new'), order);
  return [...added, ...(await changeBooks(connection, id, of('changed'), order))];
}

/** As an edit of them locks them. */
async function lockBooks(connection: Connection, ids: readonly number[]): Promise<Map<number, StoredBook>> {
  if (ids.length === 0) return new Map();
  await connection.query('select from book where id = any($1::integer[]) order by id for no key update', [
    ids,
  ]);
  const books = await readStoredBooks(connection, 'b.id = any($1::integer[])', [ids]);
  return new Map(books.map((book) => [book.id, book]));
}

async function addBooks(connection: Connection, entries: readonly Entry[], order: Order): Promise<Done[]> {
  const { ids } = await writeBooks(
    connection,
    entries.map(({ row, book }): NewBook => ({
      ...book,
      ...seriesOf(book),
      isbn: row.number,
      copies: Math.min(book.copies.length, MAX_COPIES) || order.copies,
      shelfMarks: book.copies.map(({ mark }) => mark),
      labels: book.copies.map(({ label }) => label),
    })),
  );
  return entries.map(({ row: { place, number }, told }) => {
    const book = ids.get(number);
    return book === undefined
      ? { place, book_id: null, done: 'left', reason: { code: 'number-taken', where: number } }
      : { place, book_id: book, done: 'added', reason: told };
  });
}

const seriesOf = ({ series }: MarcBook) => ({ series: series?.name ?? null, volume: series?.volume ?? null });

async function changeBooks(
  connection: Connection,
  id: string,
  entries: readonly Entry[],
  order: Order,
): Promise<Done[]> {
  if (entries.length === 0) return [];
  await keepBefore(
    connection,
    id,
    entries.map(({ row }) => row.place),
  );
  const touched = new Map<number, number>();
  const changes: { id: number; book: MarcBook }[] = [];
  const done: Done[] = [];
  for (const { row, book, there, told } of entries) {
    const { place, book_id } = row;
    const left = (code: Reason['code'], where = '') =>
      void done.push({ place, book_id, done: 'left', reason: { code, where } });
    // A book is changed once, so that undoing knows what it was.
    const earlier = row.earlier ?? touched.get(book_id ?? 0);
    if (!there) left('gone');
    else if (earlier !== undefined) left('same-as', String(earlier));
    else {
      const copies = await changeCopies(connection, id, place, there, book, order);
      if (!copies) {
        left('copies-pending');
        continue;
      }
      touched.set(there.id, place);
      const after = merged(there.book, book, order.wins);
      if (Object.keys(differencesOf(there.book, after)).length > 0)
        changes.push({ id: there.id, book: after });
      done.push({ place, book_id, done: 'changed', reason: told, copies });
    }
  }
  await writeChanges(connection, changes);
  return done;
}

/** @returns undefined, with nothing done, where the last event of such a copy is not in the log yet */
async function changeCopies(
  connection: Connection,
  id: string,
  place: number,
  there: StoredBook,
  { copies }: MarcBook,
  { wins, actor }: Order,
): Promise<ChangedCopy[] | undefined> {
  const { given, moved } = holdingChanges(there.book.copies, copies);
  const changes = [...given, ...(wins.includes('shelfMarks') ? moved : [])];
  try {
    return await changeHoldings(connection, there.id, changes, contextOf(id, place, actor, 'ImportCopies'));
  } catch (error) {
    if (error instanceof EventPending) return undefined;
    throw error;
  }
}

/** A row changes copies as one command, and changes them back as another. */
export function contextOf(id: string, place: number, actor: string, type: string): CopyContext {
  return {
    actor,
    correlationId: id,
    ...commandIdentity(`${type} ${id} ${place}`, actor, type, { id, place }),
  };
}

/** All that a change may change, as it is now. */
async function keepBefore(connection: Connection, id: string, places: readonly number[]): Promise<void> {
  await connection.query(
    `update marc_row r set before = to_jsonb(b) || jsonb_build_object(
       'authors', array(select author_id from book_author where book_id = b.id order by place),
       'genres', array(select genre_id from book_genre where book_id = b.id order by place),
       'record', (select to_jsonb(k) from marc_record k where k.book_id = b.id))
     from book b where r.import_id = $1 and r.place = any($2::integer[]) and b.id = r.book_id`,
    [id, places],
  );
}

async function writeChanges(
  connection: Connection,
  changes: readonly { id: number; book: MarcBook }[],
): Promise<void> {
  if (changes.length === 0) return;
  const books = changes.map(({ book }) => book);
  await connection.query("select set_config('lectern.search_later', 'on', true)");
  await writeNames(connection, books);
  const authors = await writeAuthors(connection, books);
  const rows = changes.map(({ id, book }) => ({
    ...book,
    ...seriesOf(book),
    id,
    authors: [...new Set(book.authors.flatMap((author) => authors.get(nameOf(author)) ?? []))],
  }));
  await replaceBooks(
    connection,
    rows,
    `select g.id, g.title, (other_names(array[g."originalTitle"], array[g.title]))[1] as original_title,
       other_names(g."otherTitles", array[g.title, g."originalTitle"]) as other_titles, g.description, p.id as publisher_id,
       g.series, g.volume, g.language, g.published, g.price, g.authors, array(
         select x.id from unnest(g.genres) with ordinality n (name, place) join genre x on x.name = n.name order by n.place) as genres
     from jsonb_to_recordset($1) as g (id integer, title text, "originalTitle" text, "otherTitles" text[], description text,
       publisher text, series text, volume text, language text, published text, price integer, genres text[], authors integer[])
     left join publisher p on p.name = g.publisher`,
  );
}

/** What of a book is its record's. */
const COLUMNS = [
  ...['title', 'original_title', 'other_titles', 'description', 'publisher_id', 'series', 'volume'],
  ...['language', 'published', 'price'],
];

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
    `update book b set version = b.version + 1, ${COLUMNS.map((column) => `${column} = g.${column}`).join(', ')}
     from (${given}) g where b.id = g.id`,
    values,
  );
  for (const kind of ['author', 'genre'] as const) {
    const table = `book_${kind}`;
    await connection.query(
      `delete from ${table} l using (${given}) g where l.book_id = g.id and not l.${kind}_id = any(g.${kind}s)`,
      values,
    );
    await connection.query(
      `insert into ${table} (book_id, ${kind}_id, place)
       select g.id, x.id, min(l.place) - 1 from (${given}) g
       cross join unnest(g.${kind}s) with ordinality l (id, place) join ${kind} x on x.id = l.id group by g.id, x.id
       on conflict (book_id, ${kind}_id) do update set place = excluded.place where ${table}.place <> excluded.place`,
      values,
    );
  }
  await connection.query('select refresh_book_search($1::integer[])', [rows.map(({ id }) => id)]);
  await connection.query("select set_config('lectern.search_later', 'off', true)");
}
