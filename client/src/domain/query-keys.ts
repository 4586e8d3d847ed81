import type { BorrowListQuery, HistoryPageQuery } from '#contracts/borrowing/borrow-views.js';
import type { CheckPasswordBody } from '#contracts/accounts/account-requests.js';
import type { ReaderListQuery } from '#contracts/accounts/account-views.js';
import type { AuditReadersQuery } from '#contracts/audit/audit-events.js';
import type { BookListQuery } from '#contracts/catalogue/book-views.js';

/** Names of what is cached: the screens ask under them, and live messages find it by them. */
export const queryKeys = {
  books: ['books'] as const,
  bookPages: ['books', 'page'] as const,
  bookPage: (query: BookListQuery) => ['books', 'page', query] as const,
  cover: (bookId: number) => ['books', 'cover', bookId] as const,
  book: (id: number) => ['books', 'one', id] as const,
  /** What the home page shows. */
  shelves: ['books', 'shelves'] as const,
  /** Beside `book`, as the copies are. */
  relatedBooks: (bookId: number) => ['books', 'related', bookId] as const,
  bookSeries: (bookId: number) => ['books', 'series', bookId] as const,
  /** Beside `book`, whose cache live messages change by itself. */
  copies: (bookId: number) => ['books', 'copies', bookId] as const,
  copy: (code: string) => ['books', 'copy', code] as const,
  borrows: ['borrows'] as const,
  queue: ['borrows', 'queue'] as const,
  queuePage: (query: BorrowListQuery) => ['borrows', 'queue', query] as const,
  borrow: (id: string) => ['borrows', 'one', id] as const,
  history: (readerId: string) => ['borrows', 'history', readerId] as const,
  historyPage: (readerId: string, query: HistoryPageQuery) =>
    ['borrows', 'history', readerId, query] as const,
  histories: ['borrows', 'history'] as const,
  stats: ['dashboard', 'stats'] as const,
  today: ['dashboard', 'today'] as const,
  lastEvents: ['dashboard', 'last-events'] as const,
  reports: ['dashboard', 'reports'] as const,
  followers: ['dashboard', 'followers'] as const,
  house: ['dashboard', 'house'] as const,
  rules: ['rules'] as const,
  rulesOverview: ['rules', 'all'] as const,
  openingHours: ['rules', 'hours'] as const,
  rulesDrafts: ['rules', 'drafts'] as const,
  rulesDraft: (id: string) => ['rules', 'draft', id] as const,
  jobQueues: ['dashboard', 'job-queues'] as const,
  authorities: (kind: string) => [kind] as const,
  authorityList: (kind: string) => [kind, 'all'] as const,
  authorityPage: (kind: string, query: object) => [kind, 'page', query] as const,
  readers: ['readers'] as const,
  readerPage: (query: ReaderListQuery) => ['readers', 'page', query] as const,
  roleChanges: (readerId: string) => ['readers', 'role-changes', readerId] as const,
  audit: ['audit'] as const,
  auditReaders: (query: AuditReadersQuery) => ['audit', 'readers', query] as const,
  auditTimeline: (readerId: string) => ['audit', 'timeline', readerId] as const,
  auditEvent: (readerId: string, revision: number) => ['audit', 'event', readerId, revision] as const,
  auditState: (readerId: string, revision: number, page: number) =>
    ['audit', 'state', readerId, revision, page] as const,
  auditBorrow: (borrowId: string, revision: number) => ['audit', 'borrow', borrowId, revision] as const,
  accessLog: (readerId: string | null, page: number) => ['audit', 'looks', readerId, page] as const,
  auditFee: (borrowId: string) => ['audit', 'fee', borrowId] as const,
  fee: (borrowId: string) => ['borrows', 'fee', borrowId] as const,
  paymentTerms: ['payment', 'terms'] as const,
  deskFee: (borrowId: string) => ['payment', 'desk', borrowId] as const,
  sessions: ['sessions'] as const,
  passwordCheck: (asked: CheckPasswordBody) => ['password-check', asked] as const,
  secondFactors: ['second-factors'] as const,
  /** How readers stand: their own, and what librarians see of them. */
  standings: ['standings'] as const,
  ownCard: (readerId: string) => ['standings', 'own', readerId] as const,
  readerPanels: ['standings', 'panel'] as const,
  readerPanel: (readerId: string) => ['standings', 'panel', readerId] as const,
  lists: ['lists'] as const,
  everyOwnLists: ['lists', 'own'] as const,
  /** With the book of which each says whether it is there. */
  ownLists: (bookId: number | undefined) => ['lists', 'own', bookId ?? null] as const,
  ownListPage: (id: string, page: number) => ['lists', 'own page', id, page] as const,
  sharedList: (token: string, page: number) => ['lists', 'shared', token, page] as const,
  libraryLists: ['lists', 'library'] as const,
  listsOnHome: ['lists', 'home'] as const,
  libraryListPage: (id: string, page: number) => ['lists', 'library page', id, page] as const,
  holds: ['holds'] as const,
  /** The holds of one reader: his own, or as a librarian sees them. */
  holdsOf: (readerId: string) => ['holds', 'of', readerId] as const,
  holdProspect: (bookId: number) => ['holds', 'prospect', bookId] as const,
  holdQueue: (bookId: number) => ['holds', 'queue', bookId] as const,
  holdShelf: ['holds', 'shelf'] as const,
  lapsedHolds: ['holds', 'lapsed'] as const,
  stockTakings: ['stock-takings'] as const,
  stockTakingPage: (page: number) => ['stock-takings', 'page', page] as const,
  stockTaking: (id: string) => ['stock-takings', 'one', id] as const,
  stockFindings: (id: string, kind: string, page: number) =>
    ['stock-takings', 'one', id, 'findings', kind, page] as const,
  stockResolutions: (id: string, page: number) => ['stock-takings', 'one', id, 'resolutions', page] as const,
  insight: (of: string, query: object) => ['audit', 'insight', of, query] as const,
  happenings: (query: object) => ['audit', 'insight', 'events', query] as const,
  genre: (id: number) => ['Genre', 'one', id] as const,
  /** What rules would have done. */
  latestTrial: ['trials', 'latest'] as const,
  trial: (id: string) => ['trials', 'one', id] as const,
  trialReaders: (id: string) => ['trials', 'readers', id] as const,
  profiles: ['profile'] as const,
  profile: (readerId: string) => ['profile', readerId] as const,
};
