import type { BrowserPage } from '../test-support/browser-page.js';
import { scan, turnTo } from './scanner.js';

/** A screen of the site: its route, and what shows that it has come. */
export interface Screen {
  name: string;
  route: string;
  shows: string;
  /** What a person does there before the screen is as it is meant. */
  then?: (page: BrowserPage) => Promise<void>;
}

/** Leads a page to the screen, from elsewhere: nothing is left open from the one before. */
export async function openScreen(page: BrowserPage, screen: Screen): Promise<void> {
  await page.raw.bringToFront();
  await page.goTo('/forgot-password');
  await page.has('input[type="email"]');
  // What the screen shows, the one before it may show too, for as long as the new one is loading.
  await page.raw.evaluate(`document.querySelector('main h1').dataset.before = ''`);
  await page.goTo(screen.route);
  if (screen.route !== '/forgot-password')
    await page.until(async () => (await page.raw.$('[data-before]')) === null, 'the screen before has gone');
  await page.has(screen.shows);
  await screen.then?.(page);
}

const clicking = (selector: string, shows: string) => async (page: BrowserPage) => {
  await page.clickOn(selector);
  await page.has(shows);
};
const AUTHORS = { route: '/admin/authors', shows: 'table[aria-busy="false"] tbody button' };

export type Visitor = 'guest' | 'reader' | 'admin' | 'auditor';

/** Every screen (specification, section 2), by who looks at it. Screens with an id need what `at-the-desk.ts` leaves. */
export const SCREENS: Record<Visitor, readonly Screen[]> = {
  guest: [
    { name: 'home', route: '/', shows: 'section[aria-busy="false"] li a' },
    { name: 'catalogue', route: '/catalog', shows: 'section[aria-busy="false"] article' },
    {
      name: 'catalogue-page-2',
      route: '/catalog?page=2',
      shows: 'section[aria-busy="false"] article',
    },
    {
      name: 'catalogue-narrowed',
      route: '/catalog?year=1990s&available=1',
      shows: 'aside fieldset',
      then: async (page) => {
        await page.has('ul[aria-label="Chosen filters"] button');
        await page.has('section[aria-busy="false"] article');
      },
    },
    { name: 'catalogue-empty', route: '/catalog?q=xyzzyplugh', shows: 'main h2' },
    { name: 'book', route: '/book/1', shows: '#book-copies' },
    {
      name: 'book-cite',
      route: '/book/2',
      shows: 'button[aria-haspopup="dialog"]',
      then: clicking('button[aria-haspopup="dialog"]', '[data-citation]'),
    },
    {
      name: 'shelf',
      route: '/',
      shows: 'main a[href^="#/shelf/"]',
      then: clicking('main a[href^="#/shelf/"]', '[data-shown]'),
    },
    { name: 'shared-list-ended', route: `/list/${'x'.repeat(43)}`, shows: 'main h1' },
    { name: 'login', route: '/login', shows: 'main form' },
    { name: 'register', route: '/register', shows: 'main form' },
    { name: 'email-notification', route: '/email-notification?username=maria', shows: 'main button' },
    { name: 'confirm-email', route: '/confirm-email', shows: '[role="alert"]' },
    { name: 'forgot-password', route: '/forgot-password', shows: 'main form' },
    {
      name: 'reset-password',
      route: '/reset-password?email=maria%40example.org&token=x',
      shows: 'main form',
    },
    { name: 'payment-fail', route: '/payment/fail', shows: '[role="alert"]' },
    { name: 'payment-success', route: '/payment/success', shows: 'main h1' },
    { name: 'not-found', route: '/not-found', shows: 'main h1' },
    { name: 'server-error', route: '/server-error', shows: 'main [role="alert"]' },
  ],
  reader: [
    { name: 'security', route: '/profile/security', shows: 'section[aria-busy="false"] li p' },
    { name: 'cart', route: '/cart', shows: 'main h1' },
    {
      name: 'cart-filled',
      route: '/book/3',
      shows: '[data-copies-available]',
      then: async (page) => {
        await page.click('button', 'Rent this book');
        await page.has('header a[href="#/cart"]');
        await page.goTo('/cart');
        await page.has('main tbody tr');
      },
    },
    { name: 'profile', route: '/profile', shows: 'tr[data-borrow-id]' },
    { name: 'lists', route: '/lists', shows: '[data-list]' },
    {
      name: 'list',
      route: '/lists',
      shows: '[data-list="Summer"] a',
      then: clicking('[data-list="Summer"] a', '[data-listed]'),
    },
    {
      name: 'list-share',
      route: '/lists',
      shows: '[data-list="Summer"] a',
      then: async (page) => {
        await clicking('[data-list="Summer"] a', '[data-listed]')(page);
        await page.click('button', 'Share');
        await page.has('[role="dialog"] button');
      },
    },
    {
      name: 'book-save-to-list',
      route: '/book/4',
      shows: '[data-save-to-list]',
      then: clicking('[data-save-to-list]', '[role="menuitemcheckbox"]'),
    },
    {
      name: 'profile-hold-day',
      route: '/profile',
      shows: '[data-hold]',
      then: clicking('[data-hold-action="needed-until"]', '[role="dialog"] input[type="date"]'),
    },
    {
      name: 'book-reserved',
      route: '/profile',
      shows: '[data-hold] a',
      then: clicking('[data-hold] a', '[aria-label="Your reservation"]'),
    },
    {
      name: 'profile-edit',
      route: '/profile',
      shows: 'section[aria-label="Your details"][aria-busy="false"]',
      then: clicking('section[aria-label="Your details"] button', '[role="dialog"] select'),
    },
  ],
  admin: [
    { name: 'dashboard', route: '/admin/dashboard', shows: '[data-counter] [data-value]' },
    {
      name: 'dashboard-table',
      route: '/admin/dashboard',
      shows: '[data-counter] [data-value]',
      then: clicking('section[aria-labelledby="month"] button', '[aria-label="Rents and returns by day"] td'),
    },
    { name: 'queue', route: '/admin/borrows', shows: 'tr[data-borrow-id]' },
    {
      name: 'queue-selected',
      route: '/admin/borrows?status=Rented',
      shows: 'tr[data-borrow-id]',
      then: clicking('tr[data-borrow-id] input', '[role="group"][aria-label="Selected borrows"] button'),
    },
    {
      name: 'queue-borrow',
      route: '/admin/borrows',
      shows: 'tr[data-borrow-id]',
      then: clicking('tr[data-status="Issued"] a', '[data-drawer] [data-event]'),
    },
    {
      name: 'queue-other-copy',
      route: '/admin/borrows',
      shows: 'tr[data-borrow-id]',
      then: async (page) => {
        await clicking('tr[data-status="Issued"] a', '[data-drawer] [data-event]')(page);
        await clicking(
          '[data-drawer] button[aria-label^="This is another copy"]',
          '[role="dialog"] input[data-takes-scans]',
        )(page);
      },
    },
    {
      name: 'queue-lost',
      route: '/admin/borrows',
      shows: 'tr[data-borrow-id]',
      then: async (page) => {
        await clicking('tr[data-status="Issued"] a', '[data-drawer] [data-event]')(page);
        await clicking('[data-drawer] [data-step="mark-lost"]', '[role="dialog"] strong')(page);
      },
    },
    {
      name: 'queue-palette',
      route: '/admin/borrows',
      shows: 'tr[data-borrow-id]',
      then: async (page) => {
        await page.clickOn('button:has(kbd):not([data-toast-band] *)');
        await page.has('[data-palette] input');
        await page.raw.keyboard.type('reader');
        await page.has('[data-palette] [role="group"]:nth-child(2) [role="option"]');
      },
    },
    { name: 'queue-part', route: '/admin/borrows?only=Active', shows: 'tr[data-borrow-id]' },
    {
      name: 'reader',
      route: '/admin/users?q=kaczmarek',
      shows: '[data-user="reader"]',
      then: async (page) => {
        await page.clickOn('[data-user="reader"] h3 button');
        await clicking('[data-user="reader"] dl + div a', '[data-reader-panel="reader"]')(page);
      },
    },
    {
      name: 'reader-message',
      route: '/admin/users?q=reader-1',
      shows: '[data-user="reader-1"]',
      then: async (page) => {
        await page.clickOn('[data-user="reader-1"] h3 button');
        await clicking('[data-user="reader-1"] dl + div a', '[data-reader-panel="reader-1"]')(page);
        await page.click('button', 'Leave a message or block');
        await page.has('[role="dialog"] textarea');
      },
    },
    { name: 'users', route: '/admin/users', shows: '[data-user]' },
    {
      name: 'users-open',
      route: '/admin/users',
      shows: '[data-user]',
      then: clicking('[data-user="reader"] h3 button', '[data-user="reader"] dl'),
    },
    {
      name: 'users-edit',
      route: '/admin/users?q=reader-0',
      shows: '[data-user="reader-0"]',
      then: async (page) => {
        await page.clickOn('[data-user="reader-0"] h3 button');
        await page.clickOn('[data-user="reader-0"] dl + div button');
        await page.has('[role="dialog"] section[aria-busy="false"]');
      },
    },
    { name: 'books', route: '/admin/books', shows: '[data-book-id]' },
    {
      name: 'books-open',
      route: '/admin/books?sort=Title',
      shows: '[data-book-id]',
      then: async (page) => {
        await page.clickOn('[data-book-id] h3 button');
        await page.has('[data-book-id] dl');
        await page.clickOn('[data-book-id] input[type="checkbox"]');
        await page.has('[role="group"][aria-label="Selected books"]');
      },
    },
    {
      name: 'books-delete',
      route: '/admin/books?sort=ISBN',
      shows: '[data-book-id]',
      then: async (page) => {
        await page.clickOn('[data-book-id] h3 button');
        await clicking('[data-book-id] button[aria-label^="Delete"]', '[role="alertdialog"]')(page);
      },
    },
    { name: 'book-add', route: '/admin/books/save', shows: 'main form' },
    {
      name: 'book-add-refused',
      route: '/admin/books/save',
      shows: 'main form',
      then: clicking('main form button[type="submit"]', '[aria-invalid="true"]'),
    },
    { name: 'book-edit', route: '/admin/books/save/1', shows: 'main form' },
    { name: 'authors', ...AUTHORS },
    {
      name: 'authors-add',
      ...AUTHORS,
      then: clicking('main header button', '[role="dialog"] textarea'),
    },
    {
      name: 'authors-edit',
      ...AUTHORS,
      then: clicking('tbody button[aria-label^="Edit"]', '[role="dialog"] textarea'),
    },
    {
      name: 'authors-merge',
      ...AUTHORS,
      then: async (page) => {
        await page.clickOn('tbody tr:nth-child(1) input[type="checkbox"]');
        await page.clickOn('tbody tr:nth-child(2) input[type="checkbox"]');
        await page.clickOn('[aria-label="Selected authors"] button');
        await page.has('[role="dialog"] input[type="radio"]');
      },
    },
    { name: 'genres', route: '/admin/genres', shows: 'table[aria-busy="false"] tbody button' },
    { name: 'publishers', route: '/admin/publishers', shows: 'table[aria-busy="false"] tbody button' },
    { name: 'reports', route: '/admin/raports', shows: 'main article' },
    { name: 'searches', route: '/admin/raports/searches', shows: 'main h2' },
    {
      name: 'duplicates',
      route: '/admin/duplicates',
      shows: '[aria-label="Proposed authors"][aria-busy="false"]',
    },
    { name: 'merges', route: '/admin/duplicates?part=merges', shows: 'main h2' },
    { name: 'desk', route: '/admin/desk', shows: '[data-mode] input' },
    {
      name: 'desk-lent',
      route: '/admin/desk',
      shows: '[data-mode] input',
      then: async (page) => {
        await scan(page, 'reader-1', '9999999-1-1');
        await page.has('[data-unfinished="0"] [data-result="refused"]');
        await page.has('[data-reader] meter');
      },
    },
    {
      name: 'desk-taking-back',
      route: '/admin/desk',
      shows: '[data-mode] input',
      then: async (page) => {
        await turnTo(page, 'take-back');
        await scan(page, 'reader-2');
        await page.has('[data-unfinished="0"] [data-result="plain"]');
      },
    },
    { name: 'holds', route: '/admin/holds', shows: '[data-shelf-hold]' },
    { name: 'holds-lapsed', route: '/admin/holds?list=lapsed', shows: 'main h2' },
    {
      name: 'hold-queue',
      route: '/admin/users?q=kaczmarek',
      shows: '[data-user="reader"]',
      then: async (page) => {
        await page.clickOn('[data-user="reader"] h3 button');
        await clicking('[data-user="reader"] dl + div a', '[data-holds-of] [data-hold]')(page);
        await clicking('[data-holds-of] [data-hold] a', '[data-queued]')(page);
      },
    },
    {
      name: 'hold-move',
      route: '/admin/users?q=kaczmarek',
      shows: '[data-user="reader"]',
      then: async (page) => {
        await page.clickOn('[data-user="reader"] h3 button');
        await clicking('[data-user="reader"] dl + div a', '[data-holds-of] [data-hold]')(page);
        await clicking('[data-holds-of] [data-hold] a', '[data-queued]')(page);
        await clicking('button[aria-label^="Down"]', '[role="dialog"] form')(page);
      },
    },
    { name: 'stock-takings', route: '/admin/stock-taking', shows: '[data-stock-taking]' },
    {
      name: 'stock-taking-start',
      route: '/admin/stock-taking',
      shows: '[data-stock-taking]',
      then: async (page) => {
        await clicking('main header button', '[role="dialog"] form')(page);
        await page.clickOn('[role="dialog"] input[value="shelves"]');
        await page.has('[role="dialog"] input[name="shelves.until"]');
      },
    },
    {
      name: 'stock-taking-scan',
      route: '/admin/stock-taking',
      shows: '[data-stock-taking]',
      then: async (page) => {
        await clicking('[data-stock-taking] a', 'section[aria-label="Scanning"] input:focus')(page);
        await page.raw.keyboard.type('9788308049969');
        await page.raw.keyboard.press('Enter');
        await page.has('[data-scan]');
      },
    },
    {
      name: 'stock-taking-missing',
      route: '/admin/stock-taking',
      shows: '[data-stock-taking]',
      then: async (page) => {
        await clicking('[data-stock-taking] a', '[data-part="missing"]')(page);
        await clicking('[data-part="missing"]', 'tr[data-finding]')(page);
      },
    },
    {
      name: 'what-if',
      route: '/admin/rules/what-if',
      shows: 'form details[open] input',
    },
    { name: 'insight', route: '/admin/insight', shows: '[data-insight="titles"] [data-figure]' },
    { name: 'insight-genres', route: '/admin/insight?part=genres', shows: '[data-figure]' },
    { name: 'insight-idle', route: '/admin/insight?part=idle', shows: '[data-insight="idle"] h2' },
    { name: 'insight-wanted', route: '/admin/insight?part=wanted', shows: '[data-wanted]' },
    { name: 'insight-hours', route: '/admin/insight?part=hours', shows: '[data-insight="hours"] figure' },
    {
      name: 'insight-hours-table',
      route: '/admin/insight?part=hours',
      shows: '[data-insight="hours"] figure',
      then: clicking('[data-insight="hours"] [aria-pressed]', '[data-insight="hours"] tbody a'),
    },
    { name: 'rules', route: '/admin/rules', shows: '[data-draft]' },
    {
      name: 'rules-draft',
      route: '/admin/rules',
      shows: '[data-draft]',
      then: clicking('[data-draft] a', '[data-exception]'),
    },
    { name: 'reading-lists', route: '/admin/lists', shows: '[data-library-list]' },
    {
      name: 'reading-list',
      route: '/admin/lists',
      shows: '[data-library-list] a',
      then: clicking('[data-library-list] a', '[data-listed]'),
    },
    { name: 'house', route: '/admin/house', shows: 'li[data-part]' },
    { name: 'queues', route: '/admin/jobs', shows: 'tr[data-queue]' },
  ],
  auditor: [
    { name: 'audit-rules', route: '/audit/rules', shows: '[data-draft]' },
    { name: 'audit-what-if', route: '/audit/rules/what-if', shows: 'form details[open] input' },
    { name: 'audit', route: '/audit', shows: '[data-reader="reader"]' },
    {
      name: 'audit-replay',
      route: '/audit?q=kaczmarek',
      shows: '[data-reader="reader"]',
      then: clicking('[data-reader="reader"]', '[data-revision] [data-borrow-id]'),
    },
    {
      name: 'insight-events',
      route: '/audit/insight',
      shows: '[data-figure]',
      then: clicking('[data-figure]', '[data-events] tbody button'),
    },
  ],
};
