import * as m from '#words/messages.js';
import { z } from 'zod';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Connection } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import type { CopyChanges } from '../copies/copy-changes.js';
import { copyRowOf } from '../copies/copy-rows.js';
import type { CopyContext } from '../copies/copy-writer.js';
import { lockBooks } from './book-merge.js';
import { survivorMissing, withdrawVariants, type ActiveMerge } from './merge-rows.js';

const mergedRow = z.object({
  id: z.int(),
  name: z.string(),
  moved: z.array(z.object({ from: z.int(), to: z.int() })),
});
const takenRow = z.object({ isbn: z.string(), title: z.string() });
const columnRow = z.object({ name: z.string() });

/**
 * Gives back the books that were merged, with their copies, lists and covers, and what the log says of them. Part of the
 * caller's transaction.
 * @returns the numbers of the copies that the one that stayed has no more
 * @throws EventPending; DomainError UndoBlocked, saying what is in the way
 */
export async function undoBookMerge(
  connection: Connection,
  copies: CopyChanges,
  merge: ActiveMerge,
  context: CopyContext,
  at: string,
): Promise<number[]> {
  const { id, kept_id: keep } = merge;
  if (!(await lockBooks(connection, [keep])).has(keep)) throw await survivorMissing(connection, merge);
  const merged = await queryRows(
    connection,
    mergedRow,
    `select id, name, record -> 'moved' as moved from merged_record where merge_id = $1 order by id`,
    [id],
  );
  await refuseTakenNumbers(connection, id);
  const withdrawn: number[] = [];
  for (const { name, moved } of merged) {
    for (const { to } of moved) {
      await takeFromShelf(connection, copies, { bookId: keep, copy: to }, name, context, at);
      withdrawn.push(to);
    }
  }
  await connection.query('update copy set label = null where book_id = $1 and copy = any($2::integer[])', [
    keep,
    withdrawn,
  ]);
  await restoreBooks(connection, id);
  await restoreLists(connection, merge);
  await giveBackFilled(connection, merge);
  await restoreIdentities(connection, merge);
  return withdrawn;
}

/** A copy that came with a book goes back with it: it has to be there. */
async function takeFromShelf(
  connection: Connection,
  copies: CopyChanges,
  copy: { bookId: number; copy: number },
  name: string,
  context: CopyContext,
  at: string,
): Promise<void> {
  const code = copyCode(copy);
  const row = await copyRowOf(connection, copy);
  if (row && row.condition !== 'present') {
    throw inTheWay(m.catalogue_undo_copy_marked({ code, name, condition: row.condition }));
  }
  try {
    await copies.decide(connection, copy, { type: 'WithdrawCopy', by: context.actor, at }, context);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw inTheWay(m.catalogue_undo_copy_out({ code, name }));
  }
}

const inTheWay = (why: string) => new DomainError('UndoBlocked', why);

/** @throws DomainError UndoBlocked */
async function refuseTakenNumbers(connection: Connection, mergeId: string): Promise<void> {
  const taken = await queryRow(
    connection,
    takenRow,
    `select b.isbn, b.title from merged_record r join book b on b.isbn = r.record -> 'book' ->> 'isbn'
     where r.merge_id = $1 order by r.id limit 1`,
    [mergeId],
  );
  if (taken) {
    throw inTheWay(m.catalogue_undo_isbn_taken(taken));
  }
}

/** The parts of a book that are kept with it, in the order in which they can be written. */
const PARTS = [
  ['copies', 'copy'],
  ['reading', 'book_reading'],
  ['covers', 'book_cover'],
  ['records', 'marc_record'],
] as const;

/** By the columns that a table has now: one that it got since has its usual value. */
async function restoreBooks(connection: Connection, mergeId: string): Promise<void> {
  await connection.query("select set_config('lectern.search_later', 'on', true)");
  const book = await columnsOf(connection, 'book');
  // What stood on the shelf comes back; what was withdrawn has rows of its own, and is not among these.
  await connection.query(
    `insert into book (${book.join(', ')})
     select ${book.map((column) => (column === 'copies_available' ? 'x.copies_total' : `x.${column}`)).join(', ')}
     from merged_record r cross join jsonb_populate_record(null::book, r.record -> 'book') x
     where r.merge_id = $1 order by x.id`,
    [mergeId],
  );
  for (const [part, table] of PARTS) {
    const columns = await columnsOf(connection, table);
    await connection.query(
      `insert into ${table} (${columns.join(', ')})
       select ${columns.map((column) => `x.${column}`).join(', ')}
       from merged_record r cross join jsonb_populate_recordset(null::${table}, r.record -> '${part}') x
       where r.merge_id = $1`,
      [mergeId],
    );
  }
  for (const [part, table, kind] of [
    ['authors', 'book_author', 'author'],
    ['genres', 'book_genre', 'genre'],
  ] as const) {
    // An author that was merged themselves since is read as the one that they are now.
    await connection.query(
      `insert into ${table} (book_id, ${kind}_id, place)
       select x.book_id, coalesce(own.id, now.kept_id), min(x.place)
       from merged_record r cross join jsonb_populate_recordset(null::${table}, r.record -> '${part}') x
       left join ${kind} own on own.id = x.${kind}_id
       left join lateral (
         select m.kept_id from catalogue_merge m join merged_record o on o.merge_id = m.id
         where own.id is null and m.kind = '${kind}' and m.undone_at is null and o.id = x.${kind}_id
           and exists (select from ${kind} k where k.id = m.kept_id) limit 1) now on true
       where r.merge_id = $1 and coalesce(own.id, now.kept_id) is not null group by 1, 2`,
      [mergeId],
    );
  }
  await connection.query(
    'select refresh_book_search(array(select id from merged_record where merge_id = $1))',
    [mergeId],
  );
  await connection.query("select set_config('lectern.search_later', 'off', true)");
}

async function columnsOf(connection: Connection, table: string): Promise<string[]> {
  const rows = await queryRows(
    connection,
    columnRow,
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** Where the book that stayed was taken off a list since, the others do not come back to it. */
async function restoreLists(connection: Connection, { id, kept_id, filled }: ActiveMerge): Promise<void> {
  await connection.query(
    `insert into reading_list_book (list_id, book_id, place, added_at)
     select x.list_id, x.book_id, x.place, x.added_at
     from merged_record r cross join jsonb_populate_recordset(null::reading_list_book, r.record -> 'lists') x
     join reading_list_book k on k.list_id = x.list_id and k.book_id = $2
     where r.merge_id = $1`,
    [id, kept_id],
  );
  await connection.query('delete from reading_list_book where book_id = $1 and list_id = any($2::uuid[])', [
    kept_id,
    filled['lists'] ?? [],
  ]);
}

/** Takes back what the one that stayed was given, where nobody changed it since. */
async function giveBackFilled(connection: Connection, merge: ActiveMerge): Promise<void> {
  const { id, kept_id, filled } = merge;
  await withdrawVariants(connection, 'book', merge);
  await connection.query(
    `update book k set version = version + 1,
       original_title = case when k.original_title = $2::jsonb ->> 'original_title' then null else k.original_title end,
       description = case when k.description = $2::jsonb ->> 'description' then '' else k.description end,
       publisher_id = case when k.publisher_id::text = $2::jsonb ->> 'publisher_id' then null else k.publisher_id end,
       published = case when k.published = $2::jsonb ->> 'published' then null else k.published end,
       price = case when k.price = ($2::jsonb ->> 'price')::numeric then null else k.price end,
       language = case when k.language = $2::jsonb ->> 'language' then null else k.language end,
       volume = case when k.series = $2::jsonb ->> 'series' then null else k.volume end,
       series = case when k.series = $2::jsonb ->> 'series' then null else k.series end
     where k.id = $1`,
    [kept_id, JSON.stringify(filled)],
  );
  for (const [name, table, column] of [
    ['authors', 'book_author', 'author_id'],
    ['genres', 'book_genre', 'genre_id'],
  ] as const) {
    if (filled[name] !== true) continue;
    await connection.query(
      `delete from ${table} k using merged_record r
         cross join jsonb_populate_recordset(null::${table}, r.record -> '${name}') x
       where r.merge_id = $2 and k.book_id = $1 and k.${column} = x.${column}`,
      [kept_id, id],
    );
  }
  if (filled['ratings'] === true) {
    await connection.query('update book_reading set ratings = null where book_id = $1', [kept_id]);
  }
  if (filled['record'] === true) {
    await connection.query(
      `delete from marc_record k using merged_record r
         cross join jsonb_populate_recordset(null::marc_record, r.record -> 'records') x
       where r.merge_id = $2 and k.book_id = $1 and k.bytes = x.bytes`,
      [kept_id, id],
    );
  }
  if (filled['cover'] === true) {
    const { rowCount } = await connection.query(
      `delete from book_cover k using merged_record r cross join jsonb_array_elements(r.record -> 'covers') x
       where r.merge_id = $2 and k.book_id = $1 and k.hash = x ->> 'hash'`,
      [kept_id, id],
    );
    if (rowCount !== 0) await connection.query('update book set photo_url = null where id = $1', [kept_id]);
  }
}

/** What the log says of each is its own again, and of those that had been merged into it before. */
async function restoreIdentities(connection: Connection, { id }: ActiveMerge): Promise<void> {
  await connection.query(
    `with recursive back as (
       select r.id, r.id as own from merged_record r where r.merge_id = $1
       union
       select o.id, back.own from back
       join catalogue_merge m on m.kind = 'book' and m.undone_at is null and m.kept_id = back.id and m.id <> $1
       join merged_record o on o.merge_id = m.id
     ), moved as (
       update merged_book b set kept_id = back.own from back where b.id = back.id and back.id <> back.own)
     delete from merged_book where id in (select own from back)`,
    [id],
  );
}
