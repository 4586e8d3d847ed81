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
import { borrowView } from '../../../test-support/views.js';
import { keyOf } from '../../lib/api/send.js';
import { queryKeys } from '../query-keys.js';
import { recentMessages, knownBorrows } from './recent-messages.js';
import { historyRows, type HistoryPage } from './history-rows.js';
import { liveCaches } from './live-caches.js';
import { queuePage, type QueuePage } from './queue-page.js';

const READER = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

const borrow = (over: Partial<BorrowView> = {}) =>
  borrowView({
    id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    user: { id: READER, fullname: 'Anna Nowak' },
    availableActions: ['issue'],
    ...over,
  });

const stats: DashboardStats = {
  totalBooks: 1,
  booksBorrowedLastMonth: 2,
  booksAddedLastMonth: 3,
  totalUsers: 4,
  activeBorrows: 5,
  expiredRents: 6,
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

  it('changes the row in the queue and in the reader’s own history', () => {
    client.setQueryData(key, queuePage({ items: [borrow()], totalCount: 1 }, query, 0));
    client.setQueryData(historyOf(READER, 2), { items: [borrow()], totalCount: 3 });
    liveCaches(client).borrow(borrow({ status: 'Issued', position: '101' }));
    expect(client.getQueryData<QueuePage>(key)?.items[0]?.status).toBe('Issued');
    expect(client.getQueryData<HistoryPage>(historyOf(READER, 2))?.items[0]?.status).toBe('Issued');
    expect(client.getQueryState(historyOf(READER, 2))?.isInvalidated).toBe(false);
  });

  it('takes the positions of another log for what they are, once it starts over', () => {
    const caches = liveCaches(client);
    caches.borrow(borrow({ position: '9000000' }));
    caches.counters('9000000', stats);
    caches.startOver();
    client.setQueryData(key, queuePage({ items: [borrow({ position: '40' })], totalCount: 1 }, query, 0));
    caches.borrow(borrow({ status: 'Issued', position: '41' }));
    caches.counters('41', { ...stats, totalUsers: 9 });
    expect(client.getQueryData<QueuePage>(key)?.items[0]?.status).toBe('Issued');
    expect(client.getQueryData<DashboardStats>(queryKeys.stats)?.totalUsers).toBe(9);
  });

  it('puts a new borrow at the top of its reader’s history, and of nobody else’s', () => {
    const older = {
      items: [borrow({ id: 'b1', rentDate: '2026-11-02T10:00:00Z' }), borrow({ id: 'b2' })],
      totalCount: 9,
    };
    client.setQueryData(historyOf(READER), older);
    client.setQueryData(historyOf('somebody else'), older);
    liveCaches(client).borrow(borrow());
    const page = client.getQueryData<HistoryPage>(historyOf(READER));
    expect(page?.items.map(({ id }) => id)).toEqual([borrow().id, 'b1']);
    expect(page?.totalCount).toBe(10);
    expect(client.getQueryData(historyOf('somebody else'))).toEqual(older);
  });

  it('asks again for a page of a history whose rows a message may have moved', () => {
    client.setQueryData(historyOf(READER, 2), { items: [borrow({ id: 'b1' })], totalCount: 3 });
    client.setQueryData(historyOf('somebody else', 2), { items: [], totalCount: 3 });
    liveCaches(client).borrow(borrow());
    expect(client.getQueryState(historyOf(READER, 2))?.isInvalidated).toBe(true);
    expect(client.getQueryState(historyOf('somebody else', 2))?.isInvalidated).toBe(false);
  });

  it('asks again for holds of titles that a message names, and for all of a reader whom it is about', () => {
    const hold = (bookId: number) => [{ bookId }];
    client.setQueryData(keyOf(readHolds), hold(1));
    client.setQueryData(keyOf(readHolds, { query: { userId: 'somebody else' } }), hold(2));
    client.setQueryData(keyOf(readHoldQueue, { query: { bookId: 1 } }), []);
    client.setQueryData(keyOf(readHoldQueue, { query: { bookId: 2 } }), []);
    client.setQueryData(keyOf(readHoldShelf), []);
    client.setQueryData(queryKeys.book(1), { holds: 3 });
    const caches = liveCaches(client);
    const isOld = (queryKey: readonly unknown[]) => client.getQueryState(queryKey)?.isInvalidated;
    caches.holds({ position: '20', books: [{ bookId: 1, holds: 4 }], mine: false });
    caches.holds({ position: '19', books: [{ bookId: 1, holds: 9 }], mine: false });
    expect(client.getQueryData(queryKeys.book(1))).toEqual({ holds: 4 });
    expect(
      [keyOf(readHolds), keyOf(readHoldQueue, { query: { bookId: 1 } }), keyOf(readHoldShelf)].map(isOld),
    ).toEqual([true, true, true]);
    expect(
      [
        keyOf(readHolds, { query: { userId: 'somebody else' } }),
        keyOf(readHoldQueue, { query: { bookId: 2 } }),
      ].map(isOld),
    ).toEqual([false, false]);
    caches.holds({ position: '21', books: [], mine: true });
    expect(isOld(keyOf(readHolds, { query: { userId: 'somebody else' } }))).toBe(true);
  });

  it('does not make caches of lists that nobody asked for', () => {
    liveCaches(client).borrow(borrow());
    expect(client.getQueryCache().findAll({ queryKey: queryKeys.histories })).toHaveLength(0);
  });

  it('ignores messages that come late', () => {
    client.setQueryData(key, queuePage({ items: [borrow({ position: '50' })], totalCount: 1 }, query, 0));
    const caches = liveCaches(client);
    caches.borrow(borrow({ status: 'Returned', position: '103' }));
    caches.borrow(borrow({ status: 'Issued', position: '102' }));
    expect(client.getQueryData<QueuePage>(key)?.items[0]?.status).toBe('Returned');
    caches.counters('10', stats);
    caches.counters('9', { ...stats, activeBorrows: 99 });
    expect(client.getQueryData(queryKeys.stats)).toEqual(stats);
    caches.counters('10', { ...stats, totalUsers: 5 });
    expect(client.getQueryData<DashboardStats>(queryKeys.stats)?.totalUsers).toBe(5);
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
    expect(historyRows(none, historyQuery, 'somebody else', askedAt).items).toHaveLength(0);
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
    expect(client.getQueryState(queryKeys.stats)?.isInvalidated).toBe(true);
    expect(client.getQueryState(key)?.isInvalidated).toBe(false);
    liveCaches(client).refetch();
    expect(client.getQueryState(key)?.isInvalidated).toBe(true);
  });

  it('asks again for readers and for one’s own profile: another changes what kind of reader somebody is', () => {
    const shown = [
      [...queryKeys.readers, 'profile', {}],
      queryKeys.readerPages,
      [...queryKeys.standings, 'mine', {}],
    ];
    for (const queryKey of shown) client.setQueryData(queryKey, {});
    liveCaches(client).refetch();
    expect(shown.map((queryKey) => client.getQueryState(queryKey)?.isInvalidated)).toEqual([
      true,
      true,
      true,
    ]);
  });
});
