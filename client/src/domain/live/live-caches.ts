import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { BorrowDetails } from '#contracts/borrowing/borrow-details.js';
import type { BorrowListQuery, BorrowView, HistoryPageQuery } from '#contracts/borrowing/borrow-views.js';
import type { Book, BookListItem } from '#contracts/catalogue/book-views.js';
import type { DashboardStats } from '#contracts/dashboard/stats.js';
import type { HoldView } from '#contracts/holds/hold-views.js';
import type { ServerToClient } from '#contracts/live/live-messages.js';
import type { Paged } from '#contracts/paging.js';
import { isAtWork, type StagedImport } from '#contracts/imports.js';
import type { ReportView } from '#contracts/reports/report.js';
import { queryKeys } from '../query-keys.js';
import { recentMessages, knownBorrows, isLater } from './recent-messages.js';
import { inHistory, type HistoryPage } from './history-rows.js';
import { applyBorrow, MARK_MS, unmark, type QueuePage } from './queue-page.js';

/** Applies live messages to the query cache. A message older than the cached state changes nothing. */
export interface LiveCaches {
  borrow: (borrow: BorrowView) => void;
  counters: (position: string, stats: DashboardStats) => void;
  copies: (position: string, books: readonly { bookId: number; copiesAvailable: number }[]) => void;
  holds: (message: Parameters<ServerToClient['holds']>[0]) => void;
  report: (message: Parameters<ServerToClient['report']>[0]) => void;
  importProgress: (message: Parameters<ServerToClient['importProgress']>[0]) => void;
  /** Forgets every position, and refetches: another log took the place of the one that they speak of. */
  startOver: () => void;
  /** Refetches every list that live messages update; given a time, only those requested before it. */
  refetch: (askedBefore?: number) => void;
}

/** Whether a list of holds may have changed with those on some titles: a queue of another title, or a reader's of others, has not. */
function isAboutTitles(queryKey: QueryKey, data: unknown, titles: ReadonlyMap<number, number>): boolean {
  const { bookId: of } = queryKey.at(-1) as { bookId?: number };
  if (of !== undefined) return titles.has(of);
  if (queryKey[1] !== 'mine' || data === undefined) return true;
  return (data as HoldView[]).some(({ bookId }) => titles.has(bookId));
}

/** What a change of any borrow may change, and no message has in it: asked for again, once in a while at most. */
const ASKED_AGAIN = [queryKeys.today, queryKeys.lastEvents, queryKeys.standings, queryKeys.holds] as const;
/** What librarians see of holds beside their lists. */
const WITH_HOLDS = [queryKeys.today, queryKeys.readerPanels] as const;
const ASKED_EVERY_MS = 1_000;

export function liveCaches(client: QueryClient): LiveCaches {
  let askTimer: number | undefined;
  const wanted = new Set<QueryKey>();
  const askAgainSoon = (queryKeys: readonly QueryKey[]) => {
    for (const queryKey of queryKeys) wanted.add(queryKey);
    askTimer ??= window.setTimeout(() => {
      askTimer = undefined;
      for (const queryKey of wanted) void client.invalidateQueries({ queryKey });
      wanted.clear();
    }, ASKED_EVERY_MS);
  };
  let countersAt = '0';
  const copiesAt = new Map<number, string>();
  const holdsAt = new Map<number, string>();

  function eachQueuePage(change: (page: QueuePage, query: BorrowListQuery) => QueuePage): void {
    for (const { queryKey } of client.getQueryCache().findAll({ queryKey: queryKeys.queue })) {
      const query = queryKey.at(-1) as BorrowListQuery;
      const page = client.getQueryData<QueuePage>(queryKey);
      const changed = page && change(page, query);
      // Keeps the time of the request: a message about one row does not refresh the others.
      if (changed && changed !== page) {
        client.setQueryData(queryKey, changed, {
          updatedAt: client.getQueryState(queryKey)?.dataUpdatedAt ?? 0,
        });
      }
    }
  }

  function eachHistoryPage(borrow: BorrowView): void {
    for (const { queryKey } of client
      .getQueryCache()
      .findAll({ queryKey: queryKeys.history(borrow.user.id) })) {
      const page = client.getQueryData<HistoryPage>(queryKey);
      if (!page) continue;
      const changed = inHistory(page, queryKey.at(-1) as HistoryPageQuery, borrow);
      if (changed) client.setQueryData(queryKey, changed);
      else void client.invalidateQueries({ queryKey, exact: true });
    }
  }

  return {
    borrow(borrow) {
      const before = knownBorrows.get(borrow.id);
      if (before && !isLater(borrow.position, before.position)) return;
      knownBorrows.latest(borrow);
      askAgainSoon(ASKED_AGAIN);
      recentMessages.add({ borrow, before: before?.status, at: Date.now() });
      eachQueuePage((page, query) => applyBorrow(page, query, borrow, before?.status, Date.now()));
      setTimeout(() => eachQueuePage((page) => unmark(page, Date.now())), MARK_MS);
      client.setQueryData<BorrowDetails>(
        queryKeys.borrow(borrow.id),
        (details) => details && { ...details, borrow },
      );
      // What happened is asked for: the message tells only what came of it.
      void client.invalidateQueries({ queryKey: queryKeys.borrow(borrow.id) });
      eachHistoryPage(borrow);
    },

    counters(position, stats) {
      // At the same position a newer one counts too: books and readers come and go without an event.
      if (isLater(countersAt, position)) return;
      countersAt = position;
      client.setQueryData(queryKeys.stats, stats);
    },

    copies(position, books) {
      const fresh = new Map<number, number>();
      for (const { bookId, copiesAvailable } of books) {
        if (!isLater(position, copiesAt.get(bookId) ?? '-1')) continue;
        copiesAt.set(bookId, position);
        fresh.set(bookId, copiesAvailable);
      }
      const withCopies = <Item extends BookListItem>(book: Item): Item => {
        const copiesAvailable = fresh.get(book.id);
        return copiesAvailable === undefined || copiesAvailable === book.copiesAvailable
          ? book
          : { ...book, copiesAvailable };
      };
      client.setQueriesData<Paged<BookListItem>>({ queryKey: queryKeys.bookPages }, (page) => {
        if (!page?.items.some((item) => fresh.has(item.id))) return page;
        return { ...page, items: page.items.map(withCopies) };
      });
      for (const bookId of fresh.keys()) {
        client.setQueryData<Book>(queryKeys.book(bookId), (book) => book && withCopies(book));
        void client.invalidateQueries({ queryKey: queryKeys.copies(bookId) });
      }
    },

    holds({ position, books, mine }) {
      const fresh = new Map<number, number>();
      for (const { bookId, holds } of books) {
        if (!isLater(position, holdsAt.get(bookId) ?? '-1')) continue;
        holdsAt.set(bookId, position);
        fresh.set(bookId, holds);
      }
      for (const [bookId, holds] of fresh)
        client.setQueryData<Book>(queryKeys.book(bookId), (book) => book && { ...book, holds });
      // Places and estimates are not in the message.
      void client.invalidateQueries({
        queryKey: queryKeys.holds,
        predicate: ({ queryKey, state }) => mine || isAboutTitles(queryKey, state.data, fresh),
      });
      askAgainSoon(WITH_HOLDS);
    },

    report({ reportId, state, progress }) {
      let known = false;
      const withProgress = (report: ReportView): ReportView => {
        if (report.id !== reportId) return report;
        known = true;
        return { ...report, state, progress };
      };
      client.setQueryData<ReportView[]>(queryKeys.reports, (reports) => reports?.map(withProgress), {
        updatedAt: client.getQueryState(queryKeys.reports)?.dataUpdatedAt ?? 0,
      });
      // The message lacks the person who requested the report and, once it has ended, its pages, size or error.
      const over = state === 'ready' || state === 'failed';
      if (over || !known) {
        void client.invalidateQueries({ queryKey: queryKeys.reports }, { cancelRefetch: over });
      }
    },

    importProgress({ of, importId, state, handled, total }) {
      const imports = of === 'records' ? queryKeys.marcImports : queryKeys.readerImports;
      const key = [...imports, importId, {}];
      const isKnown = client.getQueryData<StagedImport>(key)?.state === state;
      const withProgress = (each: StagedImport): StagedImport =>
        each.id === importId ? { ...each, state, handled, total, isLeft: false } : each;
      client.setQueryData<StagedImport>(key, (each) => each && withProgress(each));
      client.setQueryData<StagedImport[]>([...imports, {}], (all) => all?.map(withProgress));
      // Its counts and rows are not in the message: they are asked for where it begins or ends.
      if (!isKnown || !isAtWork({ state })) void client.invalidateQueries({ queryKey: imports });
    },

    startOver() {
      countersAt = '0';
      copiesAt.clear();
      holdsAt.clear();
      knownBorrows.forget();
      recentMessages.forget();
      client.removeQueries({ type: 'inactive' });
      this.refetch();
    },

    refetch(askedBefore = Infinity) {
      for (const queryKey of [
        queryKeys.borrows,
        queryKeys.stats,
        queryKeys.books,
        queryKeys.reports,
        queryKeys.marcImports,
        queryKeys.readerImports,
        queryKeys.rules,
        queryKeys.readers,
        ...ASKED_AGAIN,
      ]) {
        void client.invalidateQueries({
          queryKey,
          predicate: ({ state }) => state.fetchStatus === 'fetching' || state.dataUpdatedAt < askedBefore,
        });
      }
    },
  };
}
