import { z } from 'zod';

/*
 * An answer says of each of its lists how long it is at most: `.max()` in the schema, and the same number in the statement or the
 * rule that keeps it. Of a record whose names are not fixed, `.meta({ maxProperties })` says it. A test finds an answer that does
 * not.
 */

/** The largest page that a call answers. */
export const MAX_PAGE_SIZE = 100;

/** `pageNumber` and `pageSize` of a query string; pages count from 1. */
export function pageQuery(defaultPageSize: number) {
  return {
    pageNumber: z.coerce.number().int().min(1).max(1_000_000).default(1),
    pageSize: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(defaultPageSize),
  };
}

/** A page of a list, and how many items the whole list has (specification, section 3, "Paged result"). */
export interface Paged<Item> {
  items: Item[];
  totalCount: number;
}

/** The schema of a page of such items. */
export function pagedSchema<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item).max(MAX_PAGE_SIZE), totalCount: z.int().min(0) });
}
