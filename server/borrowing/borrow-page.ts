import type { QueryConfig } from 'pg';
import { z } from 'zod';
import { borrowStatusSchema } from '#contracts/borrowing/borrow-status.js';
import type { BorrowListQuery, BorrowOrder } from '#contracts/borrowing/borrow-views.js';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { queueCondition, type Condition } from './queue-search.js';

/** The borrows of one page of the queue in their order, and how many the whole list has. */
export interface BorrowPage {
  ids: string[];
  total: number;
}

const KEYS: Record<BorrowOrder, string> = {
  RentDate: 'rented_at',
  BorrowDate: 'issued_at',
  DueDate: 'due_date',
  ReturnDate: 'returned_at',
};
const STATUSES = borrowStatusSchema.options;

const totalRow = z.object({ total: z.int() });
const pageRow = z.object({ ids: z.array(z.string()), total: z.int() });

/**
 * Finds a page of the queue.
 * @param schema of the read model
 * @param timeZone by which a searched day begins
 */
export async function pageOfBorrows(
  database: Database,
  schema: string,
  query: BorrowListQuery,
  timeZone: string,
): Promise<BorrowPage> {
  const window = { offset: (query.pageNumber - 1) * query.pageSize, limit: query.pageSize };
  const search = await queueCondition(database, query.SearchTerm, timeZone);
  if (search) {
    const page = await queryRow(database, pageRow, searched(schema, query, search, window));
    return page ?? { ids: [], total: 0 };
  }
  // The projection counts.
  const counted = await queryRow(database, totalRow, {
    name: `borrows-total-${schema}`,
    text: `select coalesce(sum(borrows), 0)::integer as total from ${schema}.borrow_count where $1 in ('All', status)`,
    values: [query.SortBy],
  });
  const total = counted?.total ?? 0;
  if (window.offset >= total) return { ids: [], total };
  const page = await queryRow(database, pageRow, listed(schema, query, window, total));
  return { ids: page?.ids ?? [], total };
}

interface Window {
  offset: number;
  limit: number;
}

/**
 * A missing date counts as zero (specification, section 4): before every other when ascending. Borrows with the same date
 * are in the order of their ids, which each index has too.
 */
function orderOf(order: BorrowOrder, ascending: boolean): string {
  if (order === 'RentDate') return ascending ? 'k, borrow_id desc' : 'k desc, borrow_id';
  return ascending ? 'k nulls first, borrow_id' : 'k desc nulls last, borrow_id desc';
}

/** Walks the index of the order, from the nearer end: the last page takes no longer than the first. */
function listed(schema: string, query: BorrowListQuery, window: Window, total: number): QueryConfig {
  const { SortBy, OrderBy } = query;
  const ascending = query.Direction === 'Ascending';
  const last = Math.min(window.offset + window.limit, total);
  const fromEnd = window.offset > total - last;
  const rows = (condition: string) =>
    `select borrow_id, ${KEYS[OrderBy]} as k from ${schema}.borrow ${condition}`;
  const order = orderOf(OrderBy, ascending !== fromEnd);
  // But for the time of rent the indexes are one for each status. Of each no more is read than the page may need: left to
  // itself, PostgreSQL sorts them all.
  const all = STATUSES.map(
    (status) => `(${rows(`where status = '${status}'`)} order by ${order} limit $1::integer + $2::integer)`,
  ).join(' union all ');
  const filtered = OrderBy === 'RentDate' ? rows('') : all;
  const chosen = SortBy === 'All' ? filtered : rows(`where status = '${SortBy}'`);
  return {
    text: `select array(select borrow_id from (
        select borrow_id, k from (${chosen}) chosen
        order by ${order} limit $1::integer offset $2::integer) page
      order by ${orderOf(OrderBy, ascending)}) as ids, 0 as total`,
    values: [last - window.offset, fromEnd ? total - last : window.offset],
  };
}

/** Finds all first, once, to count them and to put them in order. */
function searched(
  schema: string,
  { SortBy, OrderBy, Direction }: BorrowListQuery,
  { text, values }: Condition,
  { offset, limit }: Window,
): QueryConfig {
  const at = values.length;
  return {
    text: `
      with found as materialized (
        select borrow_id, ${KEYS[OrderBy]} as k from ${schema}.borrow
        where ($${at + 1} = 'All' or status = $${at + 1}) and ${text})
      select array(select borrow_id from found order by ${orderOf(OrderBy, Direction === 'Ascending')}
          limit $${at + 2} offset $${at + 3}) as ids,
        (select count(*)::integer from found) as total`,
    values: [...values, SortBy, limit, offset],
  };
}
