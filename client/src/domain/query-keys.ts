import type { listSessions } from '#contracts/accounts/account-calls.js';
import type { readOwnCard, readReaderPanel } from '#contracts/accounts/reader-card.js';
import type { listReaders, readRoleChanges } from '#contracts/accounts/readers.js';
import type * as calls from '#contracts/borrowing/borrow-calls.js';
import type { Call } from '#contracts/call.js';
import type { findAuditedReaders, readOwnHistory } from '#contracts/audit/audit-calls.js';
import type { BookListQuery } from '#contracts/catalogue/book-views.js';
import type { readFollowers } from '#contracts/dashboard/followers.js';
import type { readQueues } from '#contracts/dashboard/queues.js';
import type { readStats } from '#contracts/dashboard/stats.js';
import type { readLastEvents, readToday } from '#contracts/dashboard/today.js';
import type { readTitles } from '#contracts/insight/insight.js';
import type { listReports } from '#contracts/reports/report.js';
import type { readHoldQueue } from '#contracts/holds/hold-views.js';
import type { readRules } from '#contracts/rules/rule-views.js';
import type { listStockTakings } from '#contracts/stock-taking/stock-taking.js';

/** The key of what is below a path: see `keyOf`, which would bring the call itself to each page. */
const under = <C extends Call>(path: C['path']): readonly string[] => path.split('/');

/** Names of what is cached: the screens ask under them, and live messages find it by them. */
export const queryKeys = {
  books: ['books'] as const,
  bookPages: ['books', 'page'] as const,
  bookPage: (query: BookListQuery) => ['books', 'page', query] as const,
  bookFacets: (query: object) => ['books', 'facets', query] as const,
  cover: (bookId: number) => ['books', 'cover', bookId] as const,
  book: (id: number) => ['books', 'one', id] as const,
  /** What the home page shows. */
  shelves: ['books', 'shelves'] as const,
  /** Beside `book`, as the copies are. */
  relatedBooks: (bookId: number) => ['books', 'related', bookId] as const,
  bookSeries: (bookId: number) => ['books', 'series', bookId] as const,
  whereabouts: (bookId: number) => ['books', 'whereabouts', bookId] as const,
  /** Beside `book`, whose cache live messages change by itself. */
  copies: (bookId: number) => ['books', 'copies', bookId] as const,
  copy: (code: string) => ['books', 'copy', code] as const,
  borrows: under<typeof calls.listBorrows>('Borrow'),
  /** Every page of it. */
  queue: [...under<typeof calls.listBorrows>('Borrow'), {}],
  borrow: (borrowId: string) => [...under<typeof calls.readBorrow>('Borrow/details'), { borrowId }],
  history: (readerId: string) => [...under<typeof readOwnHistory>('Borrow/history'), readerId],
  histories: under<typeof readOwnHistory>('Borrow/history'),
  stats: [...under<typeof readStats>('Dashboard/stats'), {}],
  today: under<typeof readToday>('Dashboard/today'),
  lastEvents: under<typeof readLastEvents>('Dashboard/last-events'),
  reports: [...under<typeof listReports>('Dashboard/reports'), {}],
  followers: under<typeof readFollowers>('Dashboard/followers'),
  rules: under<typeof readRules>('Rules'),
  jobQueues: under<typeof readQueues>('Dashboard/queues'),
  authorities: (kind: string) => [kind] as const,
  authorityList: (kind: string, term: string) => [kind, 'list', term] as const,
  authorityPage: (kind: string, query: object) => [kind, 'page', query] as const,
  /** What may be there twice, what was merged, and what is not the same. */
  duplicates: ['duplicates'] as const,
  duplicatePage: (kind: string, after: string) => ['duplicates', 'page', kind, after] as const,
  candidates: (kind: string, ids: readonly number[]) => ['duplicates', 'candidates', kind, ids] as const,
  merges: (page: number) => ['duplicates', 'merges', page] as const,
  distinctPairs: (page: number) => ['duplicates', 'apart', page] as const,
  searchReport: (page: number) => ['dashboard', 'searches', page] as const,
  /** What is known of readers, and of oneself. */
  readers: under<typeof listReaders>('User'),
  readerPages: [...under<typeof listReaders>('User'), {}],
  roleChanges: under<typeof readRoleChanges>('User/role-changes'),
  audit: under<typeof findAuditedReaders>('Audit/readers').slice(0, 1),
  sessions: under<typeof listSessions>('Account/sessions'),
  /** How readers stand: their own, and what librarians see of them. */
  standings: under<typeof readOwnCard>('Reader/mine').slice(0, 1),
  readerPanels: under<typeof readReaderPanel>('Reader/panel'),
  lists: ['lists'] as const,
  everyOwnLists: ['lists', 'own'] as const,
  /** With the book of which each says whether it is there. */
  ownLists: (bookId: number | undefined) => ['lists', 'own', bookId ?? null] as const,
  ownListPage: (id: string, page: number) => ['lists', 'own page', id, page] as const,
  sharedList: (token: string, page: number) => ['lists', 'shared', token, page] as const,
  libraryLists: ['lists', 'library'] as const,
  listsOnHome: ['lists', 'home'] as const,
  libraryListPage: (id: string, page: number) => ['lists', 'library page', id, page] as const,
  holds: under<typeof readHoldQueue>('Hold'),
  stockTakings: under<typeof listStockTakings>('StockTaking'),
  stockTaking: (id: string) => [...under<typeof listStockTakings>('StockTaking'), id],
  insight: under<typeof readTitles>('Insight/titles').slice(0, 1),
  genre: (id: number) => ['Genre', 'one', id] as const,
  /** What rules would have done. */
  latestSimulation: ['trials', 'latest'] as const,
  simulation: (id: string) => ['trials', 'one', id] as const,
  simulationReaders: (id: string) => ['trials', 'readers', id] as const,
};
