import type { BookSort } from '#contracts/catalogue/book-views.js';

/** The orders that there are; the contract names one of them twice. */
export type Sort = Exclude<BookSort, 'CopiesAvailable'>;

/** Which part of an ordered list is wanted. */
export interface PageWindow {
  offset: number;
  limit: number;
}

/** The books of one page, in their order, and how many the whole list has. */
export interface FoundPage {
  ids: readonly number[];
  total: number;
}
