import * as m from '#words/messages.js';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import type { Connection } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import type { AuthorityName } from '#contracts/catalogue/authorities.js';
import {
  adoptVariants,
  countBooks,
  survivorMissing,
  recordMerge,
  withdrawVariants,
  type MergeContext,
  type ActiveMerge,
} from './merge-rows.js';

/** How a kind of authority is stored, for statements. */
interface Stored {
  /** The name that people read. */
  name: string;
  /** What identifies it to an import. */
  unique: readonly string[];
  /** What the one that stays takes from the others where it has nothing. */
  fillable: readonly string[];
  /** The table that links it to books; a publisher is in the book itself. */
  link?: { table: string; column: string };
}

const STORED: Readonly<Record<AuthorityName, Stored>> = {
  author: {
    name: `btrim(firstname || ' ' || lastname)`,
    unique: ['firstname', 'lastname'],
    fillable: ['nationality', 'biography'],
    link: { table: 'book_author', column: 'author_id' },
  },
  genre: {
    name: 'name',
    unique: ['name'],
    fillable: ['description'],
    link: { table: 'book_genre', column: 'genre_id' },
  },
  publisher: { name: 'name', unique: ['name'], fillable: ['adress', 'phone', 'website'] },
};

const authorityRow = z.object({ id: z.int(), name: z.string(), record: z.record(z.string(), z.unknown()) });
const idRow = z.object({ id: z.int() });
const nameRow = z.object({ name: z.string() });

/**
 * Merges authorities of one kind into one: their books get it in their place, and what it lacks it takes from them.
 * Part of the caller's transaction.
 * @throws DomainError NotFound, naming those that are not there
 */
export async function mergeAuthorities(
  connection: Connection,
  kind: AuthorityName,
  { keep, merge }: { keep: number; merge: readonly number[] },
  context: MergeContext,
): Promise<void> {
  const rows = await lockAuthorities(connection, kind, [keep, ...merge]);
  const kept = rows.get(keep);
  const merged = merge.map((id) => rows.get(id));
  const missing = [keep, ...merge].filter((id) => !rows.has(id));
  if (!kept || missing.length > 0) {
    throw new DomainError(
      'NotFound',
      m.authority_merge_missing({ kind, count: missing.length, ids: missing.join(', ') }),
    );
  }
  const present = merged.filter((row) => row !== undefined);
  const lacking = whatIsLacking(STORED[kind], kept.record, present);
  const filled = {
    ...lacking,
    ...(kind === 'author' && { variants: await adoptVariants(connection, kind, keep, namesOf(present)) }),
  };
  await recordMerge(connection, context, { kind, kept, merged: present, filled });
  const books = await moveBooks(connection, kind, { id: context.commandId, keep, merge });
  await connection.query(`delete from ${kind} where id = any($1::integer[])`, [merge]);
  await setColumns(connection, kind, keep, lacking);
  await countBooks(connection, context.commandId, books);
}

/**
 * Gives the books back to those that were merged, as far as they still have the one that stayed. Part of the caller's
 * transaction.
 * @throws DomainError UndoBlocked, saying what is in the way
 */
export async function undoAuthorityMerge(
  connection: Connection,
  kind: AuthorityName,
  merge: ActiveMerge,
): Promise<void> {
  const rows = await lockAuthorities(connection, kind, [merge.kept_id]);
  const kept = rows.get(merge.kept_id);
  if (!kept) throw await survivorMissing(connection, merge);
  await refuseTakenNames(connection, kind, merge.id);
  await restoreRecords(connection, kind, merge.id);
  await giveBooksBack(connection, kind, merge);
  if (kind === 'author') await withdrawVariants(connection, kind, merge);
  const untouched = Object.entries(merge.filled).filter(([column, value]) => kept.record[column] === value);
  await setColumns(
    connection,
    kind,
    merge.kept_id,
    Object.fromEntries(untouched.map(([column]) => [column, ''])),
  );
}

/** In the order of their ids. Whoever writes one of them into a book waits until the transaction ends. */
async function lockAuthorities(connection: Connection, kind: AuthorityName, ids: readonly number[]) {
  const rows = await queryRows(
    connection,
    authorityRow,
    `select id, ${STORED[kind].name} as name, to_jsonb(a) as record
     from ${kind} a where id = any($1::integer[]) order by id for update`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

function namesOf(authors: readonly { name: string; record: Record<string, unknown> }[]): unknown[] {
  return authors.flatMap(({ name, record }) => [name, ...(record['other_names'] as string[])]);
}

function whatIsLacking(
  { fillable }: Stored,
  kept: Record<string, unknown>,
  merged: readonly { record: Record<string, unknown> }[],
): Record<string, string> {
  const filled: Record<string, string> = {};
  for (const column of fillable) {
    const known = merged.map(({ record }) => record[column]).find((value) => value !== '');
    if (kept[column] === '' && typeof known === 'string') filled[column] = known;
  }
  return filled;
}

async function setColumns(
  connection: Connection,
  kind: AuthorityName,
  id: number,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  const columns = STORED[kind].fillable.filter((column) => column in values);
  if (columns.length === 0) return;
  await connection.query(
    `update ${kind} set version = version + 1, ${columns.map((column, at) => `${column} = $${at + 2}`).join(', ')} where id = $1`,
    [id, ...columns.map((column) => values[column])],
  );
}

/** @returns how many books it changed */
async function moveBooks(
  connection: Connection,
  kind: AuthorityName,
  { id, keep, merge }: { id: string; keep: number; merge: readonly number[] },
): Promise<number> {
  const { link } = STORED[kind];
  const books = await lockBooks(
    connection,
    link
      ? `select book_id from ${link.table} where ${link.column} = any($1::integer[])`
      : 'select id from book where publisher_id = any($1::integer[])',
    [merge],
  );
  await connection.query("select set_config('lectern.search_later', 'on', true)");
  if (link) {
    await connection.query(
      `with gone as (
         delete from ${link.table} where ${link.column} = any($3::integer[])
         returning book_id, ${link.column} as merged_id, place)
       insert into merged_link (merge_id, merged_id, book_id, place, had_kept)
       select $1, merged_id, book_id, place,
         exists (select from ${link.table} k where k.book_id = gone.book_id and k.${link.column} = $2)
       from gone`,
      [id, keep, merge],
    );
    await connection.query(
      `insert into ${link.table} (book_id, ${link.column}, place)
       select book_id, $2::integer, min(place) from merged_link where merge_id = $1 and not had_kept group by book_id`,
      [id, keep],
    );
    await connection.query('update book set version = version + 1 where id = any($1::integer[])', [books]);
  } else {
    await connection.query(
      `insert into merged_link (merge_id, merged_id, book_id, place, had_kept)
       select $1, publisher_id, id, 0, false from book where publisher_id = any($2::integer[])`,
      [id, merge],
    );
    await connection.query(
      'update book set publisher_id = $2, version = version + 1 where id = any($1::integer[])',
      [books, keep],
    );
  }
  await writeSearchRows(connection, books);
  return books.length;
}

/** An author whom the book has by another merge as well stays in it: undoing that one takes them out. */
async function giveBooksBack(
  connection: Connection,
  kind: AuthorityName,
  { id, kept_id }: ActiveMerge,
): Promise<void> {
  const { link } = STORED[kind];
  const books = await lockBooks(
    connection,
    link
      ? `select l.book_id from merged_link l
           join ${link.table} k on k.book_id = l.book_id and k.${link.column} = $2 where l.merge_id = $1`
      : `select l.book_id from merged_link l
           join book b on b.id = l.book_id and b.publisher_id = $2 where l.merge_id = $1`,
    [id, kept_id],
  );
  await connection.query("select set_config('lectern.search_later', 'on', true)");
  if (link) {
    await connection.query(
      `insert into ${link.table} (book_id, ${link.column}, place)
       select book_id, merged_id, place from merged_link where merge_id = $1 and book_id = any($2::integer[])`,
      [id, books],
    );
    await connection.query(
      `with replaced as (
         select distinct book_id from merged_link
         where merge_id = $1 and not had_kept and book_id = any($2::integer[])
       ), elsewhere as (
         update merged_link o set had_kept = false
         from catalogue_merge m, replaced r
         where m.id = o.merge_id and m.kind = $3 and m.kept_id = $4 and m.undone_at is null and m.id <> $1
           and o.book_id = r.book_id
         returning o.book_id)
       delete from ${link.table} k using replaced r
       where k.book_id = r.book_id and k.${link.column} = $4
         and not exists (select from elsewhere e where e.book_id = r.book_id)`,
      [id, books, kind, kept_id],
    );
    await connection.query('update book set version = version + 1 where id = any($1::integer[])', [books]);
  } else {
    await connection.query(
      `update book b set publisher_id = l.merged_id, version = version + 1
       from merged_link l where l.merge_id = $1 and b.id = l.book_id and b.id = any($2::integer[])`,
      [id, books],
    );
  }
  await writeSearchRows(connection, books);
}

/** In the order of their ids, as rents lock them. */
async function lockBooks(
  connection: Connection,
  select: string,
  values: readonly unknown[],
): Promise<number[]> {
  const rows = await queryRows(
    connection,
    idRow,
    `select id from book where id in (${select}) order by id for no key update`,
    values,
  );
  return rows.map(({ id }) => id);
}

async function writeSearchRows(connection: Connection, books: readonly number[]): Promise<void> {
  await connection.query('select refresh_book_search($1::integer[])', [books]);
  await connection.query("select set_config('lectern.search_later', 'off', true)");
}

/** @throws DomainError UndoBlocked */
async function refuseTakenNames(connection: Connection, kind: AuthorityName, mergeId: string): Promise<void> {
  const { unique } = STORED[kind];
  const taken = await queryRow(
    connection,
    nameRow,
    `select r.name from merged_record r join ${kind} a
       on ${unique.map((column) => `a.${column} = r.record ->> '${column}'`).join(' and ')}
     where r.merge_id = $1 order by r.id limit 1`,
    [mergeId],
  );
  if (taken) throw nameTakenAgain(kind, taken.name);
}

/** What an undone merge needs again was added anew since. */
export function nameTakenAgain(kind: AuthorityName, name?: string): DomainError {
  return new DomainError(
    'UndoBlocked',
    name === undefined ? m.authority_one_added_again({ kind }) : m.authority_added_again({ kind, name }),
  );
}

async function restoreRecords(connection: Connection, kind: AuthorityName, mergeId: string): Promise<void> {
  const { unique, fillable } = STORED[kind];
  const columns = ['id', 'version', ...unique, ...fillable, ...(kind === 'author' ? ['other_names'] : [])];
  await connection.query(
    `insert into ${kind} (${columns.join(', ')})
     select ${columns.map((column) => `x.${column}`).join(', ')}
     from merged_record r cross join jsonb_populate_record(null::${kind}, r.record) x
     where r.merge_id = $1 order by x.id`,
    [mergeId],
  );
}
