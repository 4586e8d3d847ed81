import type { SignedInUser } from '#contracts/accounts/account-views.js';
import { listReaderImports } from '#contracts/accounts/reader-import.js';
import { addSet } from '#contracts/accounts/permission-sets.js';
import { readReaderPanel } from '#contracts/accounts/reader-card.js';
import { registerAtDesk, setRoles } from '#contracts/accounts/readers.js';
import { listLooks } from '#contracts/audit/audit-calls.js';
import { listBorrows } from '#contracts/borrowing/borrow-calls.js';
import type { Call } from '#contracts/call.js';
import { AUTHOR_CALLS, GENRE_CALLS, PUBLISHER_CALLS } from '#contracts/catalogue/authorities.js';
import { addBook } from '#contracts/catalogue/book-save.js';
import { findDuplicates } from '#contracts/catalogue/duplicate.js';
import { listMarcImports } from '#contracts/catalogue/marc-import.js';
import { readSearchReport } from '#contracts/catalogue/search-report.js';
import { listCopies } from '#contracts/copies/copy-views.js';
import { readQueues } from '#contracts/dashboard/queues.js';
import { readHouse } from '#contracts/dashboard/system-status.js';
import { readToday } from '#contracts/dashboard/today.js';
import { identifyScan } from '#contracts/desk/scan.js';
import { readHoldShelf } from '#contracts/holds/hold-views.js';
import { readTitles } from '#contracts/insight/insight.js';
import { readLibrary } from '#contracts/library/library-facts.js';
import { addLibraryList } from '#contracts/lists/library-lists.js';
import { readProviders } from '#contracts/accounts/sign-on.js';
import { readTill } from '#contracts/payments/till.js';
import { listReports } from '#contracts/reports/report.js';
import { changeRules, readRules } from '#contracts/rules/rule-views.js';
import { listDevices } from '#contracts/self-service/devices.js';
import { listStockTakings } from '#contracts/stock-taking/stock-taking.js';
import { listWebhooks } from '#contracts/webhooks/webhooks.js';
import { isAdmin, isOfStaff, mayMake } from '../lib/session.js';

/**
 * What each page of staff, and those below it, are for: whoever may make one of the calls may enter. In the order in which
 * somebody's first one is where their day begins.
 */
const PAGES: Readonly<Record<string, readonly Call[]>> = {
  desk: [identifyScan],
  books: [addBook, listCopies],
  'books/save': [addBook, listCopies],
  audit: [listLooks],
  dashboard: [readToday],
  borrows: [listBorrows],
  holds: [readHoldShelf],
  till: [readTill],
  authors: [AUTHOR_CALLS.add],
  genres: [GENRE_CALLS.add],
  publishers: [PUBLISHER_CALLS.add],
  imports: [listMarcImports],
  duplicates: [findDuplicates],
  lists: [addLibraryList],
  'stock-taking': [listStockTakings],
  users: [registerAtDesk, setRoles],
  'users/imports': [listReaderImports],
  'users/sets': [addSet],
  readers: [readReaderPanel],
  'audit/readers': [listLooks],
  'raports/searches': [readSearchReport],
  raports: [listReports],
  insight: [readTitles],
  'rules/edit': [changeRules],
  rules: [readRules],
  'library/sign-on': [readProviders],
  library: [readLibrary],
  devices: [listDevices],
  house: [readHouse],
  webhooks: [listWebhooks],
  jobs: [readQueues],
};

/** The calls of the page at an address, or of the nearest one above it. */
function callsOf(pathname: string): readonly Call[] | undefined {
  const [, area = '', ...parts] = pathname.replace(/\?.*/, '').split('/');
  while (parts.length > 0) {
    const calls = PAGES[[area, ...parts].join('/')] ?? PAGES[parts.join('/')];
    if (calls) return calls;
    parts.pop();
  }
  return PAGES[area];
}

/** Whether somebody may see what is at an address of staff; where nothing is, whoever works here is told so. */
export function mayEnter(pathname: string, user: SignedInUser | null): boolean {
  const calls = callsOf(pathname);
  return calls ? mayMake(user, ...calls) : isOfStaff(user);
}

const addressOf = (page: string) => (page === 'audit' ? '/audit' : `/admin/${page}`);

/** Where the day of somebody begins. */
export function landingOf(user: SignedInUser | null): string {
  if (isAdmin(user)) return '/admin/dashboard';
  return (
    Object.keys(PAGES)
      .map(addressOf)
      .find((path) => mayEnter(path, user)) ?? '/profile'
  );
}
