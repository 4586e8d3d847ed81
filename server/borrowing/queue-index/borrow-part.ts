import { z } from 'zod';
import { monthBefore, type BorrowPart } from '#contracts/borrowing/borrow-part.js';
import { borrowStatusSchema, OPEN_STATUSES } from '#contracts/borrowing/borrow-status.js';
import type { BorrowListQuery } from '#contracts/borrowing/borrow-views.js';
import { addDays, localDay, startOfDay } from '#contracts/local-day.js';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { KEYS, listCondition, orderOf, type BorrowPage } from './borrow-page.js';
import { queueCondition } from './queue-search.js';

const STATUSES = borrowStatusSchema.options.join(',');
const pageRow = z.object({ ids: z.array(z.string()), total: z.int(), books: z.int() });

/** A page of a part of the queue. */
export interface PartPage extends BorrowPage {
  /** Of all borrows in the part. */
  books: number;
}

/**
 * Finds a page of a part of the queue, with the same filter, search and order as the whole has.
 * @param schema of the read model
 * @param now in milliseconds since 1970
 */
export async function pageOfPart(
  database: Database,
  schema: string,
  part: BorrowPart,
  query: BorrowListQuery,
  { now, timeZone }: { now: number; timeZone: string },
): Promise<PartPage> {
  const search = await queueCondition(database, query.SearchTerm, timeZone);
  const values: unknown[] = [...(search?.values ?? [])];
  const value = (each: unknown) => `$${values.push(each)}`;
  const conditions = [
    partCondition(part, localDay(now, timeZone), timeZone, value),
    listCondition(query.SortBy),
    ...(search ? [search.text] : []),
  ];
  const page = await queryRow(database, pageRow, {
    text: `
      with found as materialized (
        select borrow_id, ${KEYS[query.OrderBy]} as k, jsonb_array_length(books) as books
        from ${schema}.borrow where ${conditions.join(' and ')})
      select array(select borrow_id from found order by ${orderOf(query.OrderBy, query.Direction === 'Ascending')}
          limit ${value(query.pageSize)} offset ${value((query.pageNumber - 1) * query.pageSize)}) as ids,
        count(*)::integer as total, coalesce(sum(books), 0)::integer as books
      from found`,
    values,
  });
  return page ?? { ids: [], total: 0, books: 0 };
}

/**
 * What the borrows of a part have in common; each part has an index for it.
 * @param value puts a value among those of the statement, and says where it stands there
 */
function partCondition(
  part: BorrowPart,
  today: string,
  timeZone: string,
  value: (value: unknown) => string,
): string {
  const start = (day: string) => value(new Date(startOfDay(day, timeZone)));
  // The states that books with a reader can have, for the index that begins with the state.
  const isOut = `lent > 0 and status in ('Issued', 'Not_Paid', 'Paid')`;
  switch (part) {
    case 'Active':
      return `status in ('${OPEN_STATUSES.join("','")}')`;
    case 'DueToday':
      return `${isOut} and due_date >= ${start(today)} and due_date < ${start(addDays(today, 1))}`;
    case 'Overdue':
      return `${isOut} and due_date < ${start(today)}`;
    case 'LastDayToCollect':
      return `reserved > 0 and collect_by >= ${start(today)} and collect_by < ${start(addDays(today, 1))}`;
    case 'RentedLastMonth':
      return `status = any('{${STATUSES}}') and rented_at >= ${start(monthBefore(today))} and not undone`;
    case 'ToPayOut':
      // The first half has an index; paid for a book that is lost still, it is owed to nobody.
      return `paid > charged and paid > charged + coalesce(
        (select sum((each -> 'loss' ->> 'charged')::integer) from jsonb_array_elements(books) each), 0)`;
  }
}
