import type { BorrowView, HistoryPageQuery } from '#contracts/borrowing/borrow-views.js';
import type { Paged } from '#contracts/paging.js';
import { recentMessages, knownBorrows, isLater } from './recent-messages.js';

/** A page of a reader's own history, as it is cached. */
export type HistoryPage = Paged<BorrowView>;

/**
 * A page of a reader's history after a message: the row in its place, or a new one at the top.
 * @returns nothing where only the server knows what the page is now
 */
export function inHistory(
  page: HistoryPage,
  query: HistoryPageQuery,
  borrow: BorrowView,
): HistoryPage | undefined {
  const row = page.items.find((each) => each.id === borrow.id);
  if (row) {
    if (!isLater(borrow.position, row.position)) return page;
    return { ...page, items: page.items.map((each) => (each.id === borrow.id ? borrow : each)) };
  }
  if (!isNewest(page, query, borrow)) return undefined;
  return { items: [borrow, ...page.items].slice(0, query.pageSize), totalCount: page.totalCount + 1 };
}

/** Whether a borrow is newer than all that are shown at the top of the whole history. */
function isNewest({ items }: HistoryPage, query: HistoryPageQuery, borrow: BorrowView): boolean {
  const isTop = query.pageNumber === 1 && query.OrderBy === 'RentDate' && query.Direction === 'Descending';
  const newest = items[0]?.rentDate;
  return isTop && query.SearchTerm === '' && (newest === undefined || borrow.rentDate > newest);
}

/** Makes a page of a reader's history of the server's answer, and applies the messages that came since the request. */
export function historyRows(
  answer: HistoryPage,
  query: HistoryPageQuery,
  readerId: string,
  askedAt: number,
): HistoryPage {
  return recentMessages
    .since(askedAt)
    .filter(({ borrow }) => borrow.user.id === readerId)
    .reduce((before: HistoryPage, { borrow }) => inHistory(before, query, borrow) ?? before, {
      ...answer,
      items: answer.items.map(knownBorrows.latest),
    });
}
