import type { QueryConfig } from 'pg';
import { z } from 'zod';
import { borrowStatusSchema } from '#contracts/borrowing/borrow-status.js';
import type {
  BorrowFilter,
  BorrowListQuery,
  BorrowOrder,
  HistoryPageQuery,
} from '#contracts/borrowing/borrow-views.js';
import { searchedDays } from '#contracts/borrowing/searched-days.js';
import { foldText } from '#contracts/fold-text.js';
import { startOfDay } from '#contracts/local-day.js';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import type { InMemoryQueue } from './in-memory-queue.js';
import { containing, plainWords, queueCondition, searchedWords, type Condition } from './queue-search.js';

/** The borrows of one page of the queue in their order, and how many the whole list has. */
export interface BorrowPage {
  ids: string[];
  total: number;
}

export const KEYS: Record<BorrowOrder, string> = {
  RentDate: 'rented_at',
  BorrowDate: 'issued_at',
  DueDate: 'due_date',
  ReturnDate: 'returned_at',
};
const STATUSES = borrowStatusSchema.options;

/** Further from both ends than this, walking an index takes longer than looking at all borrows in memory. */
const DEEP = 20_000;

/** What was collected in part, and waits for the rest: the list "Rented" has it beside its own status. */
const COLLECTED_IN_PART = `reserved > 0 and status <> 'Rented'`;

/** That a borrow is in a list: see `isListedAs`. */
export function listCondition(filter: BorrowFilter): string {
  if (filter === 'All') return 'true';
  if (filter === 'Expired') return `status = 'Expired' and not undone`;
  return filter === 'Rented' ? `(status = 'Rented' or (${COLLECTED_IN_PART}))` : `status = '${filter}'`;
}

const totalRow = z.object({ total: z.int() });
const pageRow = z.object({ ids: z.array(z.string()), total: z.int() });

/**
 * Finds a page of the queue.
 * @param schema of the read model
 * @param timeZone by which a searched day begins
 * @param memory asked first for what the indexes are slow at: the words of a search, and pages far from both ends
 */
export async function pageOfBorrows(
  database: Database,
  schema: string,
  query: BorrowListQuery,
  timeZone: string,
  memory?: InMemoryQueue,
): Promise<BorrowPage> {
  const window = { offset: (query.pageNumber - 1) * query.pageSize, limit: query.pageSize };
  const search = await queueCondition(database, query.SearchTerm, timeZone);
  const words = plainWords(query.SearchTerm);
  if (search) {
    const known = words.length > 0 ? await memory?.page(schema, words, query) : undefined;
    if (known) return known;
    const page = await queryRow(database, pageRow, searched(schema, query, search, window));
    return page ?? { ids: [], total: 0 };
  }
  // The projection counts.
  const counted = await queryRow(database, totalRow, {
    name: `borrows-total-${schema}`,
    text: `select coalesce(sum(borrows), 0)::integer + case $1
          when 'Rented' then (select count(*) from ${schema}.borrow where ${COLLECTED_IN_PART})
          when 'Expired' then -(select count(*) from ${schema}.borrow where undone)
          else 0 end::integer as total
      from ${schema}.borrow_count where $1 in ('All', status)`,
    values: [query.SortBy],
  });
  const total = counted?.total ?? 0;
  if (window.offset >= total) return { ids: [], total };
  if (Math.min(window.offset, total - window.offset) > DEEP) {
    const known = await memory?.page(schema, [], query);
    if (known) return known;
  }
  const page = await queryRow(database, pageRow, listed(schema, query, window, total));
  const ids = page?.ids ?? [];
  // Others may have come since they were counted.
  return { ids, total: Math.max(total, window.offset + ids.length) };
}

/**
 * Finds a page of a reader's history.
 * @param readerId the reader's pseudonym
 */
export async function pageOfHistory(
  database: Database,
  schema: string,
  readerId: string,
  { SearchTerm, OrderBy, Direction, pageNumber, pageSize }: HistoryPageQuery,
  timeZone: string,
): Promise<BorrowPage> {
  const search = conditionOfOwn(SearchTerm, timeZone);
  const page = await queryRow(database, pageRow, {
    // Without a search, the page and the count are each read from an index.
    text: `
      with found as ${search.text === '' ? 'not materialized' : 'materialized'} (
        select borrow_id, ${KEYS[OrderBy]} as k from ${schema}.borrow where reader_id = $1 ${search.text})
      select array(select borrow_id from found order by ${orderOf(OrderBy, Direction === 'Ascending')}
          limit $2 offset $3) as ids,
        (select count(*)::integer from found) as total`,
    values: [readerId, pageSize, (pageNumber - 1) * pageSize, ...search.values],
  });
  return page ?? { ids: [], total: 0 };
}

/** What a reader looks for among their own borrows, as `and …` from the fourth value on. */
function conditionOfOwn(searchTerm: string, timeZone: string): Condition {
  const days = searchedDays(searchTerm);
  if (days) {
    return {
      text: 'and rented_at >= $4 and rented_at < $5',
      values: [days.from, days.until].map((day) => new Date(startOfDay(day, timeZone))),
    };
  }
  const words = searchedWords(searchTerm);
  return {
    text: words.map((_, at) => `and titles like $${at + 4}`).join(' '),
    values: words.map((word) => containing(foldText(word))),
  };
}

interface Window {
  offset: number;
  limit: number;
}

/**
 * A missing date counts as zero (specification, section 4): before every other when ascending. Borrows with the same date
 * are in the order of their ids, which each index has too.
 */
export function orderOf(order: BorrowOrder, ascending: boolean): string {
  if (order === 'RentDate') return ascending ? 'k, borrow_id desc' : 'k desc, borrow_id';
  return ascending ? 'k nulls first, borrow_id' : 'k desc nulls last, borrow_id desc';
}

/**
 * Walks the index of the order, from the nearer end: the last page takes no longer than the first. From the beginning a page
 * is filled, however many were counted: what came since must not push the last of it out.
 */
function listed(schema: string, query: BorrowListQuery, window: Window, total: number): QueryConfig {
  const { SortBy, OrderBy } = query;
  const ascending = query.Direction === 'Ascending';
  const last = Math.min(window.offset + window.limit, total);
  const fromEnd = window.offset > total - last;
  const rows = (condition: string) =>
    `select borrow_id, ${KEYS[OrderBy]} as k from ${schema}.borrow ${condition}`;
  const order = orderOf(OrderBy, ascending !== fromEnd);
  // The indexes are one for each status. Of each no more is read than the page may need: left to itself, PostgreSQL sorts
  // them all.
  const conditions =
    SortBy === 'Rented'
      ? [`status = 'Rented'`, COLLECTED_IN_PART]
      : SortBy === 'All'
        ? STATUSES.map((status) => `status = '${status}'`)
        : [listCondition(SortBy)];
  const chosen = conditions
    .map((condition) => `(${rows(`where ${condition}`)} order by ${order} limit $1::integer + $2::integer)`)
    .join(' union all ');
  return {
    text: `select array(select borrow_id from (
        select borrow_id, k from (${chosen}) chosen
        order by ${order} limit $1::integer offset $2::integer) page
      order by ${orderOf(OrderBy, ascending)}) as ids, 0 as total`,
    values: fromEnd ? [last - window.offset, total - last] : [window.limit, window.offset],
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
        where ${listCondition(SortBy)} and ${text})
      select array(select borrow_id from found order by ${orderOf(OrderBy, Direction === 'Ascending')}
          limit $${at + 1} offset $${at + 2}) as ids,
        (select count(*)::integer from found) as total`,
    values: [...values, limit, offset],
  };
}
