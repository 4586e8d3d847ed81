import { z } from 'zod';

/** The largest page that a call answers. */
const MAX_PAGE_SIZE = 100;

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
  return z.object({ items: z.array(item), totalCount: z.int().min(0) });
}
