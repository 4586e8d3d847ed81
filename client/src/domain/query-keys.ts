import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { listSessions } from '#contracts/accounts/account-calls.js';
import type { readOwnCard, readReaderPanel } from '#contracts/accounts/reader-card.js';
import type { listReaders, readRoleChanges } from '#contracts/accounts/readers.js';
import type * as calls from '#contracts/borrowing/borrow-calls.js';
import type { Call } from '#contracts/call.js';
import type { findAuditedReaders, readOwnHistory } from '#contracts/audit/audit-calls.js';
import type { listBooks } from '#contracts/catalogue/book-views.js';
import type { findDuplicates } from '#contracts/catalogue/duplicate.js';
import type { listReaderImports } from '#contracts/accounts/reader-import.js';
import type { listMarcImports } from '#contracts/catalogue/marc-import.js';
import type { listMerges } from '#contracts/catalogue/merge.js';
import type { readFollowers } from '#contracts/dashboard/followers.js';
import type { readQueues } from '#contracts/dashboard/queues.js';
import type { readStats } from '#contracts/dashboard/stats.js';
import type { readLastEvents, readToday } from '#contracts/dashboard/today.js';
import type { readTitles } from '#contracts/insight/insight.js';
import type { listReports } from '#contracts/reports/report.js';
import type { readHoldQueue } from '#contracts/holds/hold-views.js';
import type { listLibraryLists } from '#contracts/lists/library-lists.js';
import type { readOwnLists } from '#contracts/lists/reading-lists.js';
import type { readRules } from '#contracts/rules/rule-views.js';
import type { listDevices } from '#contracts/self-service/devices.js';
import type { listStockTakings } from '#contracts/stock-taking/stock-taking.js';
import type { listWebhooks } from '#contracts/webhooks/webhooks.js';

/** The key of what is below a path: see `keyOf`, which would bring the call itself to each page. */
const under = <C extends Call>(path: C['path']): readonly string[] => path.split('/');

/** Names of what is cached: the screens ask under them, and live messages find it by them. */
export const queryKeys = {
  /** All that is public of the catalogue, and the copies of its books. */
  books: under<typeof listBooks>('Book'),
  /** Whatever is searched for, and every page of it. */
  bookPages: [...under<typeof listBooks>('Book'), {}],
  /** Without what is beside it: its series, its copies. */
  book: (id: number) => ['Book', id, {}] as const,
  copies: (bookId: number) => ['Book', bookId, 'copies'] as const,
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
  /** What may be there twice, and what is not the same. */
  duplicates: under<typeof findDuplicates>('Duplicate'),
  /** Imports of records, with their rows. */
  marcImports: under<typeof listMarcImports>('MarcImport'),
  /** Imports of readers, with their rows. */
  readerImports: under<typeof listReaderImports>('ReaderImport'),
  merges: under<typeof listMerges>('Merge'),
  /** What is known of readers, and of oneself. */
  readers: under<typeof listReaders>('User'),
  readerPages: [...under<typeof listReaders>('User'), {}],
  roleChanges: under<typeof readRoleChanges>('User/role-changes'),
  audit: under<typeof findAuditedReaders>('Audit/readers').slice(0, 1),
  sessions: under<typeof listSessions>('Account/sessions'),
  /** How readers stand: their own, and what librarians see of them. */
  standings: under<typeof readOwnCard>('Reader/mine').slice(0, 1),
  readerPanels: under<typeof readReaderPanel>('Reader/panel'),
  ownLists: under<typeof readOwnLists>('List/mine').slice(0, 1),
  libraryLists: under<typeof listLibraryLists>('ReadingList'),
  holds: under<typeof readHoldQueue>('Hold'),
  stockTakings: under<typeof listStockTakings>('StockTaking'),
  stockTaking: (id: string) => [...under<typeof listStockTakings>('StockTaking'), id],
  devices: under<typeof listDevices>('Device'),
  webhooks: under<typeof listWebhooks>('Webhook'),
  insight: under<typeof readTitles>('Insight/titles').slice(0, 1),
  /** What rules would have done. */
  latestSimulation: ['trials', 'latest'] as const,
  simulation: (id: string) => ['trials', 'one', id] as const,
  simulationReaders: (id: string) => ['trials', 'readers', id] as const,
};

/** Has all that is cached under these keys asked for again, where it is shown at once. */
export function invalidate(client: QueryClient, ...keys: readonly QueryKey[]): void {
  for (const queryKey of keys) void client.invalidateQueries({ queryKey });
}
