import { isPartOf } from '#contracts/borrowing/borrow-part.js';
import type { BorrowStatus } from '#contracts/borrowing/borrow-status.js';
import { isListedAs, type BorrowListQuery, type BorrowView } from '#contracts/borrowing/borrow-views.js';
import { queueSearch } from '#contracts/borrowing/queue-search.js';
import type { DaySpan } from '#contracts/borrowing/searched-days.js';
import { foldText } from '#contracts/fold-text.js';
import type { Paged } from '#contracts/paging.js';
import { isoDay } from '../../lib/dates.js';
import { recentMessages, knownBorrows, isLater } from './recent-messages.js';

/** A page of the librarian's queue, as it is cached and kept up to date. */
export interface QueuePage extends Paged<BorrowView> {
  /** The books of all borrows in the list, where it is one that counts books. */
  totalBooks?: number | undefined;
  /** New borrows that wait to be let in, the newest first. */
  arrivals: BorrowView[];
  /** When a row was last changed by a message: marked for a moment. */
  marks: Record<string, number>;
}

/** How long a changed row stays marked. */
export const MARK_MS = 2000;

/**
 * Makes a page of the server's answer to a query. Messages that have come since the request still apply, and new
 * borrows that the answer could not include wait as arrivals.
 * @param askedAt the time of the request
 */
export function queuePage(
  answer: Pick<QueuePage, 'items' | 'totalCount' | 'totalBooks'>,
  query: BorrowListQuery,
  askedAt: number,
): QueuePage {
  const page: QueuePage = {
    ...answer,
    items: answer.items.map(knownBorrows.latest),
    arrivals: [],
    marks: {},
  };
  return recentMessages
    .since(askedAt)
    .reduce(
      (before, message) => applyBorrow(before, query, message.borrow, message.before, message.at),
      page,
    );
}

/** Whether new rows belong at the top of this page. */
export function isTopOfNewest(query: BorrowListQuery): boolean {
  return query.pageNumber === 1 && query.OrderBy === 'RentDate' && query.Direction === 'Descending';
}

/**
 * The page after a message. A row that is there changes in its place, even when it no longer fits the filter: it
 * leaves with the next refetch. A borrow that newly belongs to the list waits among the arrivals.
 * @returns the same page if the message is old or changes nothing here
 */
export function applyBorrow(
  page: QueuePage,
  query: BorrowListQuery,
  borrow: BorrowView,
  before: BorrowStatus | undefined,
  now: number,
): QueuePage {
  const row = page.items.find((item) => item.id === borrow.id);
  if (row) {
    if (!isLater(borrow.position, row.position)) return page;
    return {
      ...page,
      items: page.items.map((item) => (item.id === borrow.id ? borrow : item)),
      marks: { ...page.marks, [borrow.id]: now },
    };
  }
  const waiting = page.arrivals.find((arrival) => arrival.id === borrow.id);
  if (waiting) {
    if (!isLater(borrow.position, waiting.position)) return page;
    const others = page.arrivals.filter((arrival) => arrival.id !== borrow.id);
    const arrivals = fits(query, borrow) ? byRentDate([borrow, ...others]) : others;
    return { ...page, arrivals };
  }
  if (!isArrival(page, query, borrow, before)) return page;
  return { ...page, arrivals: byRentDate([borrow, ...page.arrivals]) };
}

/** Lets the arrivals in at the top, marked; the page keeps its size. */
export function admitArrivals(page: QueuePage, query: BorrowListQuery, now: number): QueuePage {
  if (page.arrivals.length === 0) return page;
  const marks = Object.fromEntries(page.arrivals.map((arrival) => [arrival.id, now]));
  return {
    ...page,
    items: byRentDate([...page.arrivals, ...page.items]).slice(0, query.pageSize),
    totalCount: page.totalCount + page.arrivals.length,
    ...(page.totalBooks !== undefined && { totalBooks: page.totalBooks + booksOf(page.arrivals) }),
    arrivals: [],
    marks: { ...page.marks, ...marks },
  };
}

const booksOf = (borrows: readonly BorrowView[]) =>
  borrows.reduce((sum, { borrowedBooks }) => sum + borrowedBooks.length, 0);

/** Removes marks that have been shown long enough. */
export function unmark(page: QueuePage, now: number): QueuePage {
  const kept = Object.entries(page.marks).filter(([, at]) => now - at < MARK_MS);
  return kept.length === Object.keys(page.marks).length ? page : { ...page, marks: Object.fromEntries(kept) };
}

/** Whether a borrow matches the list's filter and search. */
export function fits(query: BorrowListQuery, borrow: BorrowView): boolean {
  const { Only: part, SortBy } = query;
  return (
    isListedAs(SortBy, borrow) &&
    (part === undefined || isPartOf(part, borrow, isoDay, isoDay(Date.now()))) &&
    matches(query.SearchTerm, borrow)
  );
}

/**
 * The search of the queue, as the server does it, as far as a borrow tells: it knows neither ISBN nor the reader's user
 * name, so what is found by them alone comes with the next refetch.
 */
function matches(term: string, borrow: BorrowView): boolean {
  const search = queueSearch(term);
  if (search.kind === 'isbn') return false;
  if (search.kind === 'days') {
    const { days } = search;
    return [borrow.rentDate, borrow.issueDate].some((time) => time !== null && isWithin(days, time));
  }
  const texts = [borrow.user.fullname, ...borrow.borrowedBooks.map((book) => book.title)].map(foldText);
  return search.words.every(
    ({ folded, ids, copy }) =>
      texts.some((text) => text.includes(folded)) ||
      (ids && borrow.id >= ids.from && borrow.id <= ids.until) ||
      (copy && borrow.borrowedBooks.some(({ bookId }) => bookId === copy.bookId)),
  );
}

function isWithin({ from, until }: DaySpan, time: string): boolean {
  const day = isoDay(time);
  return day >= from && day < until;
}

/**
 * Whether a borrow that is not on the page is new to the list, and not merely a row of another page that changed.
 * It is new when it has just been rented or has just come into the filtered status.
 */
function isArrival(
  page: QueuePage,
  query: BorrowListQuery,
  borrow: BorrowView,
  before: BorrowStatus | undefined,
): boolean {
  if (!fits(query, borrow)) return false;
  const newest = page.items[0]?.rentDate;
  if (isTopOfNewest(query) && (newest === undefined || borrow.rentDate > newest)) return true;
  // What is left of a rent was in the list before.
  if (query.SortBy !== 'All' && query.SortBy !== borrow.status) return false;
  if (before !== undefined) return query.SortBy !== 'All' && before !== borrow.status;
  // It has just been rented, or waits again since its issue was undone.
  if (query.SortBy === 'All') return borrow.status === 'Rented';
  return CAME_INTO[borrow.status](borrow);
}

const always = () => true;

/** Whether the first message about a borrow tells of its coming into its status, and not of a change within it. */
const CAME_INTO: Record<BorrowStatus, (borrow: BorrowView) => boolean> = {
  Rented: always,
  // A renewed borrow stays issued, as one does of which a part came back.
  Issued: ({ renewals, books }) =>
    renewals === 0 &&
    books.every(({ state }) => state !== 'returned' && state !== 'lost' && state !== 'damaged'),
  Not_Paid: always,
  Paid: always,
  Returned: always,
  Expired: always,
};

function byRentDate(borrows: BorrowView[]): BorrowView[] {
  return [...borrows].sort(
    (one, other) => Number(other.rentDate > one.rentDate) - Number(other.rentDate < one.rentDate),
  );
}
