import * as m from '#words/messages.js';
import { z } from 'zod';
import { MERGE_KINDS, type Merge, type MergeKind } from '#contracts/catalogue/merge.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Connection, Queryable } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { keyReused } from '../../idempotency/refused-commands.js';

/** Who asked for a merge or its undoing, when, and as which command. */
export interface MergeContext {
  commandId: string;
  commandDigest: string;
  accountId: string;
  at: Date;
}

/** What is written down of a merge before anything is changed. */
export interface MergeRecord {
  kind: MergeKind;
  kept: { id: number; name: string };
  merged: readonly { id: number; name: string; record: unknown }[];
  filled: Readonly<Record<string, unknown>>;
}

const named = z.object({ id: z.int(), name: z.string() });
const viewRow = z
  .object({
    id: z.uuid(),
    kind: z.enum(MERGE_KINDS),
    kept_id: z.int(),
    kept_name: z.string(),
    merged: z.array(named),
    books: z.int(),
    merged_by: z.string().nullable(),
    merged_at: z.date(),
    undone_by: z.string().nullable(),
    undone_at: z.date().nullable(),
  })
  .transform(({ id, kind, merged, books, ...row }): Merge => ({
    ...{ id, kind, merged, books },
    kept: { id: row.kept_id, name: row.kept_name },
    mergedBy: row.merged_by,
    mergedAt: row.merged_at.toISOString(),
    undoneBy: row.undone_by,
    undoneAt: row.undone_at?.toISOString() ?? null,
  }));

const VIEW = `
  select m.id, m.kind, m.kept_id, m.kept_name, m.books, m.merged_at, m.undone_at,
    (select json_agg(json_build_object('id', r.id, 'name', r.name) order by r.id)
      from merged_record r where r.merge_id = m.id) as merged,
    by.fullname as merged_by, undoer.fullname as undone_by
  from catalogue_merge m
  left join account by on by.id = m.merged_by left join account undoer on undoer.id = m.undone_by`;

/** The latest first. */
export function mergesOf(database: Queryable, limit: number, offset: number): Promise<Merge[]> {
  return queryRows(database, viewRow, `${VIEW} order by m.merged_at desc, m.id limit $1 offset $2`, [
    limit,
    offset,
  ]);
}

/** @throws DomainError NotFound */
export async function mergeOf(database: Queryable, id: string): Promise<Merge> {
  const merge = await queryRow(database, viewRow, `${VIEW} where m.id = $1`, [id]);
  if (!merge) throw mergeNotFound();
  return merge;
}

/**
 * @returns the merge of an earlier attempt at the same request, if there was one
 * @throws DomainError IdempotencyKeyReused
 */
export async function earlierMerge(
  connection: Connection,
  { commandId, commandDigest }: MergeContext,
): Promise<Merge | undefined> {
  // A second attempt waits until the first has ended.
  await connection.query('select lock_command($1)', [commandId]);
  const row = await queryRow(
    connection,
    z.object({ digest: z.string() }),
    'select digest from catalogue_merge where id = $1',
    [commandId],
  );
  if (!row) return undefined;
  if (row.digest !== commandDigest) throw keyReused();
  return mergeOf(connection, commandId);
}

/** Writes a merge down; how many books it changed is added by `countBooks`. */
export async function recordMerge(
  connection: Connection,
  { commandId, commandDigest, accountId, at }: MergeContext,
  { kind, kept, merged, filled }: MergeRecord,
): Promise<void> {
  await connection.query(
    `insert into catalogue_merge (id, digest, kind, kept_id, kept_name, filled, books, merged_by, merged_at)
     values ($1, $2, $3, $4, $5, $6, 0, $7, $8)`,
    [commandId, commandDigest, kind, kept.id, kept.name, JSON.stringify(filled), accountId, at],
  );
  await connection.query(
    `insert into merged_record (merge_id, id, name, record)
     select $1, r.id, r.name, r.record from jsonb_to_recordset($2) as r (id integer, name text, record jsonb)`,
    [commandId, JSON.stringify(merged)],
  );
}

export async function countBooks(connection: Connection, mergeId: string, books: number): Promise<void> {
  await connection.query('update catalogue_merge set books = $2 where id = $1', [mergeId, books]);
}

const standingRow = z.object({
  kind: z.enum(MERGE_KINDS),
  kept_id: z.int(),
  kept_name: z.string(),
  filled: z.record(z.string(), z.unknown()),
  undone_at: z.date().nullable(),
  undo_command: z.uuid().nullable(),
});
export type ActiveMerge = z.output<typeof standingRow> & { id: string };

/**
 * Locks a merge to undo it.
 * @returns nothing where this very command has undone it already
 * @throws DomainError NotFound; NothingToUndo where another one has
 */
export async function lockToUndo(
  connection: Connection,
  id: string,
  { commandId }: MergeContext,
): Promise<ActiveMerge | undefined> {
  const row = await queryRow(
    connection,
    standingRow,
    `select kind, kept_id, kept_name, filled, undone_at, undo_command
     from catalogue_merge where id = $1 for update`,
    [id],
  );
  if (!row) throw mergeNotFound();
  if (row.undone_at === null) return { ...row, id };
  if (row.undo_command === commandId) return undefined;
  throw new DomainError('NothingToUndo', m.catalogue_merge_undone_already());
}

/** The book that stayed, where books were merged. */
export async function bookOfMerge(database: Queryable, id: string): Promise<number | undefined> {
  const row = await queryRow(
    database,
    z.object({ kept_id: z.int() }),
    `select kept_id from catalogue_merge where id = $1 and kind = 'book'`,
    [id],
  );
  return row?.kept_id;
}

export async function recordUndo(
  connection: Connection,
  id: string,
  { commandId, accountId, at }: MergeContext,
): Promise<void> {
  await connection.query(
    'update catalogue_merge set undone_by = $2, undone_at = $3, undo_command = $4 where id = $1',
    [id, accountId, at, commandId],
  );
}

/** How a kind of thing keeps what it is called beside its name. */
const VARIANTS = {
  author: { table: 'author', column: 'other_names', names: `array[k.firstname || ' ' || k.lastname]` },
  book: { table: 'book', column: 'other_titles', names: 'array[k.title, k.original_title]' },
} as const;
const variantsRow = z.object({ added: z.array(z.string()) });

/**
 * What those that went were called, the one that stays is called as well: readers go on searching for it.
 * @returns what it was not called before
 */
export async function adoptVariants(
  connection: Connection,
  kind: keyof typeof VARIANTS,
  keep: number,
  names: readonly unknown[],
): Promise<string[]> {
  const { table, column, names: own } = VARIANTS[kind];
  const row = await queryRow(
    connection,
    variantsRow,
    `update ${table} k set ${column} = other_names(k.${column} || $2::text[], ${own})
     from ${table} before where k.id = $1 and before.id = k.id
     returning array(select unnest(k.${column}) except all select unnest(before.${column})) as added`,
    [keep, names],
  );
  return row?.added ?? [];
}

/** Takes back what a merge added, unless another one that stands did as well. */
export async function withdrawVariants(
  connection: Connection,
  kind: keyof typeof VARIANTS,
  { id, kept_id, filled }: ActiveMerge,
): Promise<void> {
  const { table, column } = VARIANTS[kind];
  await connection.query(
    `update ${table} k set ${column} = array(
       select name from unnest(k.${column}) with ordinality v (name, place)
       where not (name = any($3::text[])) or exists (
         select from catalogue_merge m join merged_record r on r.merge_id = m.id
         where m.kind = $4 and m.kept_id = k.id and m.undone_at is null and m.id <> $2
           and (r.name = name or coalesce(r.record -> 'book', r.record) -> '${column}' ? name))
       order by place)
     where id = $1`,
    [kept_id, id, filled['variants'] ?? [], kind],
  );
}

const laterRow = z.object({ kept_name: z.string() });

/**
 * Why the one that stayed is not there any more.
 * @returns DomainError UndoBlocked
 */
export async function survivorMissing(
  connection: Connection,
  { id, kind, kept_id, kept_name }: ActiveMerge,
): Promise<DomainError> {
  const later = await queryRow(
    connection,
    laterRow,
    `select m.kept_name from catalogue_merge m join merged_record r on r.merge_id = m.id
     where m.kind = $1 and r.id = $2 and m.undone_at is null and m.id <> $3`,
    [kind, kept_id, id],
  );
  return new DomainError(
    'UndoBlocked',
    later
      ? m.catalogue_merged_again({ name: kept_name, later: later.kept_name })
      : m.catalogue_merge_survivor_deleted({ kind, name: kept_name }),
  );
}

function mergeNotFound(): DomainError {
  return new DomainError('NotFound', m.catalogue_merge_not_found());
}
