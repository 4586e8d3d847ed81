import { QueryClient } from '@tanstack/react-query';
import {
  borrowListQuerySchema,
  historyPageQuerySchema,
  type BorrowView,
} from '#contracts/borrowing/borrow-views.js';
import type { DashboardStats } from '#contracts/dashboard/stats.js';
import { readOwnHistory } from '#contracts/audit/audit-calls.js';
import { listBorrows } from '#contracts/borrowing/borrow-calls.js';
import { readHoldQueue, readHolds, readHoldShelf } from '#contracts/holds/hold-views.js';
import { ID, borrowView } from '../../../test-support/views.js';
import { keyOf } from '../../lib/api/send.js';
import { queryKeys } from '../query-keys.js';
import { recentMessages, knownBorrows } from './recent-messages.js';
import { historyRows, type HistoryPage } from './history-rows.js';
import { liveCaches } from './live-caches.js';
import { queuePage, type QueuePage } from './queue-page.js';

const READER = ID;
const SOMEBODY = 'somebody else';

const borrow = (over: Partial<BorrowView> = {}) => borrowView({ availableActions: ['issue'], ...over });

const stats: DashboardStats = {
  ...{ totalBooks: 1, booksBorrowedLastMonth: 2, booksAddedLastMonth: 3 },
  ...{ totalUsers: 4, activeBorrows: 5, expiredRents: 6 },
};

const query = borrowListQuerySchema.parse({});
const key = keyOf(listBorrows, { query });
const historyQuery = historyPageQuerySchema.parse({ pageSize: 2 });
const historyOf = (readerId: string, page = 1) =>
  keyOf(readOwnHistory, { query: { ...historyQuery, pageNumber: page } }, readerId);

describe('live messages and what is cached', () => {
  let client: QueryClient;
  beforeEach(() => {
    knownBorrows.forget();
    recentMessages.forget();
    client = new QueryClient();
  });
  afterEach(() => client.clear());
  const isOld = (queryKey: readonly unknown[]) => client.getQueryState(queryKey)?.isInvalidated;
  const showQueue = (...items: BorrowView[]) =>
    client.setQueryData(key, queuePage({ items, totalCount: items.length }, query, 0));
  const firstStatus = (queryKey: readonly unknown[] = key) =>
    client.getQueryData<HistoryPage | QueuePage>(queryKey)?.items[0]?.status;
  const shownStats = () => client.getQueryData<DashboardStats>(queryKeys.stats);

  it('changes the row in the queue and in the reader’s own history', () => {
    showQueue(borrow());
    client.setQueryData(historyOf(READER, 2), { items: [borrow()], totalCount: 3 });
    liveCaches(client).borrow(borrow({ status: 'Issued', position: '101' }));
    expect(firstStatus()).toBe('Issued');
    expect(firstStatus(historyOf(READER, 2))).toBe('Issued');
    expect(isOld(historyOf(READER, 2))).toBe(false);
  });

  it('takes the positions of another log for what they are, once it starts over', () => {
    const caches = liveCaches(client);
    caches.borrow(borrow({ position: '9000000' }));
    caches.counters('9000000', stats);
    caches.startOver();
    showQueue(borrow({ position: '40' }));
    caches.borrow(borrow({ status: 'Issued', position: '41' }));
    caches.counters('41', { ...stats, totalUsers: 9 });
    expect(firstStatus()).toBe('Issued');
    expect(shownStats()?.totalUsers).toBe(9);
  });

  it('puts a new borrow at the top of its reader’s history, and of nobody else’s', () => {
    const older = {
      items: [borrow({ id: 'b1', rentDate: '2026-11-02T10:00:00Z' }), borrow({ id: 'b2' })],
      totalCount: 9,
    };
    client.setQueryData(historyOf(READER), older);
    client.setQueryData(historyOf(SOMEBODY), older);
    liveCaches(client).borrow(borrow());
    const page = client.getQueryData<HistoryPage>(historyOf(READER));
    expect(page?.items.map(({ id }) => id)).toEqual([borrow().id, 'b1']);
    expect(page?.totalCount).toBe(10);
    expect(client.getQueryData(historyOf(SOMEBODY))).toEqual(older);
  });

  it('asks again for a page of a history whose rows a message may have moved', () => {
    client.setQueryData(historyOf(READER, 2), { items: [borrow({ id: 'b1' })], totalCount: 3 });
    client.setQueryData(historyOf(SOMEBODY, 2), { items: [], totalCount: 3 });
    liveCaches(client).borrow(borrow());
    expect(isOld(historyOf(READER, 2))).toBe(true);
    expect(isOld(historyOf(SOMEBODY, 2))).toBe(false);
  });

  it('asks again for holds of titles that a message names, and for all of a reader whom it is about', () => {
    const ofTitle = (bookId: number) => keyOf(readHoldQueue, { query: { bookId } });
    const [mine, theirs] = [keyOf(readHolds), keyOf(readHolds, { query: { userId: SOMEBODY } })];
    client.setQueryData(mine, [{ bookId: 1 }]);
    client.setQueryData(theirs, [{ bookId: 2 }]);
    for (const queryKey of [ofTitle(1), ofTitle(2), keyOf(readHoldShelf)]) client.setQueryData(queryKey, []);
    client.setQueryData(queryKeys.book(1), { holds: 3 });
    const caches = liveCaches(client);
    caches.holds({ position: '20', books: [{ bookId: 1, holds: 4 }], mine: false });
    caches.holds({ position: '19', books: [{ bookId: 1, holds: 9 }], mine: false });
    expect(client.getQueryData(queryKeys.book(1))).toEqual({ holds: 4 });
    expect([mine, ofTitle(1), keyOf(readHoldShelf)].map(isOld)).toEqual([true, true, true]);
    expect([theirs, ofTitle(2)].map(isOld)).toEqual([false, false]);
    caches.holds({ position: '21', books: [], mine: true });
    expect(isOld(theirs)).toBe(true);
  });

  it('does not make caches of lists that nobody asked for', () => {
    liveCaches(client).borrow(borrow());
    expect(client.getQueryCache().findAll({ queryKey: queryKeys.histories })).toHaveLength(0);
  });

  it('ignores messages that come late', () => {
    showQueue(borrow({ position: '50' }));
    const caches = liveCaches(client);
    caches.borrow(borrow({ status: 'Returned', position: '103' }));
    caches.borrow(borrow({ status: 'Issued', position: '102' }));
    expect(firstStatus()).toBe('Returned');
    caches.counters('10', stats);
    caches.counters('9', { ...stats, activeBorrows: 99 });
    expect(shownStats()).toEqual(stats);
    caches.counters('10', { ...stats, totalUsers: 5 });
    expect(shownStats()?.totalUsers).toBe(5);
  });

  it('keeps what a message said when an older answer comes after it', () => {
    const caches = liveCaches(client);
    caches.borrow(borrow({ status: 'Issued', position: '101' }));
    const page = queuePage({ items: [borrow()], totalCount: 1 }, query, 0);
    expect(page.items[0]?.status).toBe('Issued');
  });

  it('keeps a new borrow that an answer on its way could not know of', () => {
    const askedAt = Date.now();
    liveCaches(client).borrow(borrow());
    expect(queuePage({ items: [], totalCount: 0 }, query, askedAt).arrivals).toHaveLength(1);
    expect(queuePage({ items: [borrow()], totalCount: 1 }, query, askedAt).arrivals).toHaveLength(0);
    expect(queuePage({ items: [], totalCount: 0 }, query, Date.now() + 1).arrivals).toHaveLength(0);
    const none = { items: [], totalCount: 0 };
    expect(historyRows(none, historyQuery, READER, askedAt).items).toHaveLength(1);
    expect(historyRows(none, historyQuery, SOMEBODY, askedAt).items).toHaveLength(0);
  });

  it('changes the copies of a book on its page and in lists', () => {
    const book = { id: 1, title: 'Dune', copiesAvailable: 3 };
    client.setQueryData(queryKeys.book(1), book);
    client.setQueryData([...queryKeys.bookPages, {}], {
      items: [book, { id: 2, copiesAvailable: 1 }],
      totalCount: 2,
    });
    const caches = liveCaches(client);
    caches.copies('5', [{ bookId: 1, copiesAvailable: 2 }]);
    caches.copies('4', [{ bookId: 1, copiesAvailable: 9 }]);
    expect(client.getQueryData(queryKeys.book(1))).toMatchObject({ copiesAvailable: 2 });
    expect(client.getQueryData([...queryKeys.bookPages, {}])).toMatchObject({
      items: [{ copiesAvailable: 2 }, { copiesAvailable: 1 }],
    });
  });

  it('asks again only for what was asked for before a time', () => {
    client.setQueryData(queryKeys.stats, stats, { updatedAt: 1000 });
    client.setQueryData(key, queuePage({ items: [], totalCount: 0 }, query, 0), { updatedAt: 3000 });
    liveCaches(client).refetch(2000);
    expect(isOld(queryKeys.stats)).toBe(true);
    expect(isOld(key)).toBe(false);
    liveCaches(client).refetch();
    expect(isOld(key)).toBe(true);
  });

  it('asks again for readers and for one’s own profile: another changes what kind of reader somebody is', () => {
    const { readers, readerPages, standings } = queryKeys;
    const shown = [[...readers, 'profile', {}], readerPages, [...standings, 'mine', {}]];
    for (const queryKey of shown) client.setQueryData(queryKey, {});
    liveCaches(client).refetch();
    expect(shown.map(isOld)).toEqual([true, true, true]);
  });
});
