import type { BrowserPage } from '../test-support/browser/browser-page.js';
import { beginOf, said } from './said.js';
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
const ROWS = 'table[aria-busy="false"] tbody button';
const screen = (name: string, route: string, shows: string, then?: Screen['then']): Screen => ({
  ...{ name, route, shows },
  ...(then && { then }),
});

export type Visitor = 'guest' | 'reader' | 'admin' | 'auditor';

/** Every screen (specification, section 2), by who looks at it. Screens with an id need what `at-the-desk.ts` leaves. */
export const SCREENS: Record<Visitor, readonly Screen[]> = {
  guest: [
    screen('home', '/', 'section[aria-busy="false"] li a'),
    screen('catalogue', '/catalog', 'section[aria-busy="false"] article'),
    screen('catalogue-page-2', '/catalog?page=2', 'section[aria-busy="false"] article'),
    screen('catalogue-narrowed', '/catalog?year=1990s&available=1', 'aside fieldset', async (page) => {
      await page.has(`ul[aria-label="${said('Chosen filters')}"] button`);
      await page.has('section[aria-busy="false"] article');
    }),
    screen('catalogue-empty', '/catalog?q=xyzzyplugh', 'main h2'),
    screen('book', '/book/1', '#book-copies'),
    screen(
      'book-cite',
      '/book/2',
      'button[aria-haspopup="dialog"]',
      clicking('button[aria-haspopup="dialog"]', '[data-citation]'),
    ),
    screen('shelf', '/', 'main a[href^="#/shelf/"]', clicking('main a[href^="#/shelf/"]', '[data-shown]')),
    screen('shared-list-ended', `/list/${'x'.repeat(43)}`, 'main h1'),
    screen('login', '/login', 'main form'),
    screen('register', '/register', 'main form'),
    screen('email-notification', '/email-notification?username=maria', 'main button'),
    screen('confirm-email', '/confirm-email', '[role="alert"]'),
    screen('forgot-password', '/forgot-password', 'main form'),
    screen('reset-password', '/reset-password?email=maria%40example.org&token=x', 'main form'),
    screen('payment-fail', '/payment/fail', '[role="alert"]'),
    screen('payment-success', '/payment/success', 'main h1'),
    screen('kiosk-unbound', '/kiosk', 'main form input'),
    screen('not-found', '/not-found', 'main h1'),
    screen('server-error', '/server-error', 'main [role="alert"]'),
  ],
  reader: [
    screen('security', '/profile/security', 'section[aria-busy="false"] li p'),
    screen(
      'security-pin',
      '/profile/security',
      'section[aria-labelledby="pin"] button',
      clicking('section[aria-labelledby="pin"] button', '[role="dialog"] input[name="pin"]'),
    ),
    screen('cart', '/cart', 'main h1'),
    screen('cart-filled', '/book/3', '[data-copies-available]', async (page) => {
      await page.click('button', said('Rent this book'));
      await page.has('header a[href="#/cart"]');
      await page.goTo('/cart');
      await page.has('main tbody tr');
    }),
    screen('profile', '/profile', 'tr[data-borrow-id]'),
    screen('lists', '/lists', '[data-list]'),
    screen('list', '/lists', '[data-list="Summer"] a', clicking('[data-list="Summer"] a', '[data-listed]')),
    screen('list-share', '/lists', '[data-list="Summer"] a', async (page) => {
      await clicking('[data-list="Summer"] a', '[data-listed]')(page);
      await page.click('button', said('Share'));
      await page.has('[role="dialog"] button');
    }),
    screen(
      'book-save-to-list',
      '/book/4',
      '[data-save-to-list]',
      clicking('[data-save-to-list]', '[role="menuitemcheckbox"]'),
    ),
    screen(
      'profile-hold-day',
      '/profile',
      '[data-hold]',
      clicking('[data-hold-action="needed-until"]', '[role="dialog"] input'),
    ),
    screen(
      'book-reserved',
      '/profile',
      '[data-hold] a',
      clicking('[data-hold] a', `[aria-label="${said('Your reservation')}"]`),
    ),
    screen(
      'profile-edit',
      '/profile',
      `section[aria-label="${said('Your details')}"][aria-busy="false"]`,
      clicking(`section[aria-label="${said('Your details')}"] button`, '[role="dialog"] select'),
    ),
  ],
  admin: [
    screen('set-up', '/set-up', 'main form'),
    screen('set-up-hours', '/set-up/hours', 'main form'),
    screen('set-up-books', '/set-up/books', 'main button'),
    screen('dashboard', '/admin/dashboard', '[data-counter] [data-value]'),
    screen(
      'dashboard-table',
      '/admin/dashboard',
      '[data-counter] [data-value]',
      clicking(
        'section[aria-labelledby="month"] button',
        `[aria-label="${said('Rents and returns by day')}"] td`,
      ),
    ),
    screen('queue', '/admin/borrows', 'tr[data-borrow-id]'),
    screen(
      'queue-selected',
      '/admin/borrows?status=Rented',
      'tr[data-borrow-id]',
      clicking('tr[data-borrow-id] input', `[role="group"][aria-label="${said('Selected borrows')}"] button`),
    ),
    screen(
      'queue-borrow',
      '/admin/borrows',
      'tr[data-borrow-id]',
      clicking('tr[data-status="Issued"] a', '[data-drawer] [data-event]'),
    ),
    screen('queue-other-copy', '/admin/borrows', 'tr[data-borrow-id]', async (page) => {
      await clicking('tr[data-status="Issued"] a', '[data-drawer] [data-event]')(page);
      await clicking(
        `[data-drawer] button[aria-label^="${beginOf('This is another copy')}"]`,
        '[role="dialog"] input[data-takes-scans]',
      )(page);
    }),
    screen('queue-lost', '/admin/borrows', 'tr[data-borrow-id]', async (page) => {
      await clicking('tr[data-status="Issued"] a', '[data-drawer] [data-event]')(page);
      await clicking('[data-drawer] [data-step="mark-lost"]', '[role="dialog"] strong')(page);
    }),
    screen('queue-palette', '/admin/borrows', 'tr[data-borrow-id]', async (page) => {
      await page.clickOn('button:has(kbd):not([data-toast-band] *)');
      await page.has('[data-palette] input');
      await page.raw.keyboard.type('reader');
      await page.has('[data-palette] [role="group"]:nth-child(2) [role="option"]');
    }),
    screen('queue-part', '/admin/borrows?only=Active', 'tr[data-borrow-id]'),
    screen('reader', '/admin/users?q=kaczmarek', '[data-user="reader"]', async (page) => {
      await page.clickOn('[data-user="reader"] h3 button');
      await clicking('[data-user="reader"] dl + div a', '[data-reader-panel="reader"]')(page);
    }),
    screen('reader-message', '/admin/users?q=reader-1', '[data-user="reader-1"]', async (page) => {
      await page.clickOn('[data-user="reader-1"] h3 button');
      await clicking('[data-user="reader-1"] dl + div a', '[data-reader-panel="reader-1"]')(page);
      await page.click('button', said('Leave a message or block'));
      await page.has('[role="dialog"] textarea');
    }),
    screen('users', '/admin/users', '[data-user]'),
    screen('reader-imports', '/admin/users/imports', '[data-import]'),
    screen(
      'reader-import',
      '/admin/users/imports',
      '[data-import] a',
      clicking('[data-import] a', '[data-row]'),
    ),
    screen(
      'users-open',
      '/admin/users',
      '[data-user]',
      clicking('[data-user="reader"] h3 button', '[data-user="reader"] dl'),
    ),
    screen('users-edit', '/admin/users?q=reader-0', '[data-user="reader-0"]', async (page) => {
      await page.clickOn('[data-user="reader-0"] h3 button');
      await page.clickOn('[data-user="reader-0"] dl + div button');
      await page.has('[role="dialog"] section[aria-busy="false"]');
    }),
    screen('books', '/admin/books', '[data-book-id]'),
    screen('books-open', '/admin/books?sort=Title', '[data-book-id]', async (page) => {
      await page.clickOn('[data-book-id] h3 button');
      await page.has('[data-book-id] dl');
      await page.clickOn('[data-book-id] input[type="checkbox"]');
      await page.has(`[role="group"][aria-label="${said('Selected books')}"]`);
    }),
    screen('books-delete', '/admin/books?sort=ISBN', '[data-book-id]', async (page) => {
      await page.clickOn('[data-book-id] h3 button');
      await clicking(
        `[data-book-id] button[aria-label^="${beginOf('Delete')}"]`,
        '[role="alertdialog"]',
      )(page);
    }),
    screen('book-add', '/admin/books/save', 'main form'),
    screen(
      'book-add-refused',
      '/admin/books/save',
      'main form',
      clicking('main form button[type="submit"]', '[aria-invalid="true"]'),
    ),
    screen('book-edit', '/admin/books/save/1', 'main form'),
    screen('authors', '/admin/authors', ROWS),
    screen('authors-add', '/admin/authors', ROWS, clicking('main header button', '[role="dialog"] textarea')),
    screen(
      'authors-edit',
      '/admin/authors',
      ROWS,
      clicking(`tbody button[aria-label^="${beginOf('Edit')}"]`, '[role="dialog"] textarea'),
    ),
    screen('authors-merge', '/admin/authors', ROWS, async (page) => {
      await page.clickOn('tbody tr:nth-child(1) input[type="checkbox"]');
      await page.clickOn('tbody tr:nth-child(2) input[type="checkbox"]');
      await page.clickOn(`[aria-label="${said('Selected authors')}"] button`);
      await page.has('[role="dialog"] input[type="radio"]');
    }),
    screen('genres', '/admin/genres', ROWS),
    screen('publishers', '/admin/publishers', ROWS),
    screen('reports', '/admin/raports', 'main article'),
    screen('searches', '/admin/raports/searches', 'main h2'),
    screen(
      'duplicates',
      '/admin/duplicates',
      `[aria-label="${said('Proposed authors')}"][aria-busy="false"]`,
    ),
    screen('merges', '/admin/duplicates?part=merges', 'main h2'),
    screen('desk', '/admin/desk', '[data-mode] input'),
    screen('desk-lent', '/admin/desk', '[data-mode] input', async (page) => {
      await scan(page, 'reader-1', '9999999-1-1');
      await page.has('[data-unfinished="0"] [data-result="refused"]');
      await page.has('[data-reader] meter');
    }),
    screen('desk-taking-back', '/admin/desk', '[data-mode] input', async (page) => {
      await turnTo(page, 'take-back');
      await scan(page, 'reader-2');
      await page.has('[data-unfinished="0"] [data-result]:not([data-result="none"])');
    }),
    screen('holds', '/admin/holds', '[data-shelf-hold]'),
    screen('holds-queues', '/admin/holds?list=queues', '[data-title-queue]'),
    screen('holds-lapsed', '/admin/holds?list=lapsed', 'main h2'),
    screen('hold-queue', '/admin/users?q=kaczmarek', '[data-user="reader"]', async (page) => {
      await page.clickOn('[data-user="reader"] h3 button');
      await clicking('[data-user="reader"] dl + div a', '[data-holds-of] [data-hold]')(page);
      await clicking('[data-holds-of] [data-hold] a', '[data-queued]')(page);
    }),
    screen('hold-move', '/admin/users?q=kaczmarek', '[data-user="reader"]', async (page) => {
      await page.clickOn('[data-user="reader"] h3 button');
      await clicking('[data-user="reader"] dl + div a', '[data-holds-of] [data-hold]')(page);
      await clicking('[data-holds-of] [data-hold] a', '[data-queued]')(page);
      await clicking(`button[aria-label^="${beginOf('Down')}"]`, '[role="dialog"] form')(page);
    }),
    screen('till', '/admin/till', 'main h2'),
    screen('imports', '/admin/imports', '[data-import]'),
    screen('book-sources', '/admin/imports/sources', '[data-item]'),
    screen(
      'book-source',
      '/admin/imports/sources',
      '[data-item]',
      clicking('main header button', '[role="dialog"] form'),
    ),
    screen('import', '/admin/imports', '[data-import] a', clicking('[data-import] a', '[data-row]')),
    screen('stock-takings', '/admin/stock-taking', '[data-stock-taking]'),
    screen('stock-taking-start', '/admin/stock-taking', '[data-stock-taking]', async (page) => {
      await clicking('main header button', '[role="dialog"] form')(page);
      await page.clickOn('[role="dialog"] input[value="shelves"]');
      await page.has('[role="dialog"] input[name="shelves.until"]');
    }),
    screen('stock-taking-scan', '/admin/stock-taking', '[data-stock-taking]', async (page) => {
      await clicking('[data-stock-taking] a', `section[aria-label="${said('Scanning')}"] input`)(page);
      await page.raw.keyboard.type('9788308049969');
      await page.raw.keyboard.press('Enter');
      await page.has('[data-scan]');
    }),
    screen('stock-taking-missing', '/admin/stock-taking', '[data-stock-taking]', async (page) => {
      await clicking('[data-stock-taking] a', '[data-part="missing"]')(page);
      await clicking('[data-part="missing"]', 'tr[data-finding]')(page);
    }),
    screen('what-if', '/admin/rules/what-if', 'form details[open] input'),
    screen('insight', '/admin/insight', '[data-insight="titles"] [data-figure]'),
    screen('insight-genres', '/admin/insight?part=genres', '[data-figure]'),
    screen('insight-idle', '/admin/insight?part=idle', '[data-insight="idle"] h2'),
    screen('insight-wanted', '/admin/insight?part=wanted', '[data-wanted]'),
    screen('insight-hours', '/admin/insight?part=hours', '[data-insight="hours"] figure'),
    screen(
      'insight-hours-table',
      '/admin/insight?part=hours',
      '[data-insight="hours"] figure',
      clicking('[data-insight="hours"] [aria-pressed]', '[data-insight="hours"] tbody a'),
    ),
    screen('rules', '/admin/rules', '[data-draft]'),
    screen('rules-draft', '/admin/rules', '[data-draft]', clicking('[data-draft] a', '[data-exception]')),
    screen('reading-lists', '/admin/lists', '[data-library-list]'),
    screen(
      'reading-list',
      '/admin/lists',
      '[data-library-list] a',
      clicking('[data-library-list] a', '[data-listed]'),
    ),
    screen('library', '/admin/library', 'textarea[name="imprint"]'),
    screen('letters', '/admin/library/letters', 'main form li a'),
    screen('sign-on', '/admin/library/sign-on', 'main header button'),
    screen(
      'sign-on-add',
      '/admin/library/sign-on',
      'main header button',
      clicking('main header button', '[role="dialog"] input[name="issuer"]'),
    ),
    screen('letter', '/admin/library/letters/books-rented', '[data-letter="shown"]'),
    screen('house', '/admin/house', 'li[data-part]'),
    screen('permission-sets', '/admin/users/sets', 'li[data-set]'),
    screen(
      'permission-set-add',
      '/admin/users/sets',
      'main header button',
      clicking('main header button', '[role="dialog"] fieldset'),
    ),
    screen('webhooks', '/admin/webhooks', 'main header button'),
    screen(
      'webhook-add',
      '/admin/webhooks',
      'main header button',
      clicking('main header button', '[role="dialog"] fieldset'),
    ),
    screen('devices', '/admin/devices', 'main header button'),
    screen(
      'device-add',
      '/admin/devices',
      'main header button',
      clicking('main header button', '[role="dialog"] select'),
    ),
    screen('queues', '/admin/jobs', 'tr[data-queue]'),
  ],
  auditor: [
    screen('audit-rules', '/audit/rules', '[data-draft]'),
    screen('audit-what-if', '/audit/rules/what-if', 'form details[open] input'),
    screen('audit', '/audit', '[data-reader="reader"]'),
    screen(
      'audit-replay',
      '/audit?q=kaczmarek',
      '[data-reader="reader"]',
      clicking('[data-reader="reader"]', '[data-revision] [data-borrow-id]'),
    ),
    screen(
      'insight-events',
      '/audit/insight',
      '[data-figure]',
      clicking('[data-figure]', '[data-events] tbody button'),
    ),
  ],
};
