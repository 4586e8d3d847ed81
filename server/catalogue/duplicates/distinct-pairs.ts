import * as m from '#words/messages.js';
import { z } from 'zod';
import type { DistinctPair } from '#contracts/catalogue/duplicate.js';
import { MERGE_KINDS, type MergeKind } from '#contracts/catalogue/merge.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Paged } from '#contracts/paging.js';
import type { Queryable } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';

/** Pairs that somebody found not to be the same. */

const pairRow = z.object({ one: z.int(), other: z.int() });
const viewRow = z
  .object({
    kind: z.enum(MERGE_KINDS),
    one: z.int(),
    other: z.int(),
    one_name: z.string(),
    other_name: z.string(),
    said_by: z.string().nullable(),
    said_at: z.date(),
  })
  .transform((row): DistinctPair => ({
    kind: row.kind,
    one: { id: row.one, name: row.one_name },
    other: { id: row.other, name: row.other_name },
    saidBy: row.said_by,
    saidAt: row.said_at.toISOString(),
  }));

/** Every pair of these. @returns how many were not known */
export async function markDistinct(
  database: Queryable,
  kind: MergeKind,
  ids: readonly number[],
  accountId: string,
  at: Date,
): Promise<number> {
  const { rowCount } = await database.query(
    `insert into not_the_same (kind, one, other, said_by, said_at)
     select $1, a, b, $3, $4 from unnest($2::integer[]) a join unnest($2::integer[]) b on a < b
     order by a, b on conflict do nothing`,
    [kind, ids, accountId, at],
  );
  return rowCount ?? 0;
}

/** @throws DomainError NotFound */
export async function allowProposal(
  database: Queryable,
  kind: MergeKind,
  one: number,
  other: number,
): Promise<void> {
  const { rowCount } = await database.query(
    'delete from not_the_same where kind = $1 and one = $2 and other = $3',
    [kind, Math.min(one, other), Math.max(one, other)],
  );
  if (rowCount === 0) throw new DomainError('NotFound', m.catalogue_not_marked_distinct());
}

/** The pairs among these. */
export function pairsAmong(
  database: Queryable,
  kind: MergeKind,
  ids: readonly number[],
): Promise<z.output<typeof pairRow>[]> {
  return queryRows(
    database,
    pairRow,
    `select one, other from not_the_same
     where kind = $1 and one = any($2::integer[]) and other = any($2::integer[])`,
    [kind, ids],
  );
}

const NAMED = `
  select n.kind, n.one, n.other, n.said_by, n.said_at, o.name as one_name, p.name as other_name
  from not_the_same n
  join named o on o.kind = n.kind and o.id = n.one join named p on p.kind = n.kind and p.id = n.other`;

/** Records that are still there, by kind and number. */
const NAMES = `
  named as (
    select 'author' as kind, id, btrim(firstname || ' ' || lastname) as name from author
    union all select 'genre', id, name from genre
    union all select 'publisher', id, name from publisher
    union all select 'book', id, title from book)`;

/** The latest first, as long as both are there. */
export async function pagePairs(
  database: Queryable,
  limit: number,
  offset: number,
): Promise<Paged<DistinctPair>> {
  const [items, counted] = await Promise.all([
    queryRows(
      database,
      viewRow,
      `with ${NAMES}, pair as (${NAMED})
       select pair.kind, one, other, one_name, other_name, a.fullname as said_by, said_at
       from pair left join account a on a.id = pair.said_by
       order by said_at desc, pair.kind, one, other limit $1 offset $2`,
      [limit, offset],
    ),
    queryRow(
      database,
      z.object({ count: z.int() }),
      `with ${NAMES} select count(*)::integer as count from (${NAMED}) pair`,
    ),
  ]);
  return { items, totalCount: counted?.count ?? 0 };
}
