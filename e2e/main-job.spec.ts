import type { BrowserWindow } from '../test-support/browser/browser.js';
import type { BrowserPage } from '../test-support/browser/browser-page.js';
import { startInstallation } from '../test-support/installation/installation-process.js';
import { setOffline } from '../test-support/browser/network.js';
import { shared } from '../test-support/shared.js';
import { apiCaller } from './api-caller.js';
import { catalogueFile } from './catalogue-file.js';
import { confirmationLink, register, signIn, type NewReader } from './people.js';
import { siteOf } from './site-under-test.js';

const READER: NewReader = {
  username: 'maria',
  password: 'Sekret#2026',
  firstname: 'Maria',
  lastname: 'Dąbrowska',
};
const COUNTERS = ['totalBooks', 'totalUsers', 'activeBorrows', 'booksBorrowedLastMonth'] as const;
type Counters = Record<(typeof COUNTERS)[number], number>;

describe('the main job in two real windows', () => {
  let librarian: BrowserWindow;
  let dashboard: BrowserPage;
  let queue: BrowserPage;
  let reader: BrowserPage;
  let before: Counters;
  let borrowId: string;

  const counter = async (name: keyof Counters) =>
    Number(await dashboard.text(`[data-counter="${name}"] [data-value]`));
  const counters = async () =>
    Object.fromEntries(
      await Promise.all(COUNTERS.map(async (name) => [name, await counter(name)])),
    ) as Counters;
  const counts = (name: keyof Counters, value: number) =>
    dashboard.until(async () => (await counter(name)) === value, `${name} counts ${value}`);
  const live = (page: BrowserPage, state: string) => page.has(`[data-live="${state}"]`);

  // A whole installation: the command line finds it by its data folder, as a librarian's would.
  const { product, browser } = siteOf(shared(() => startInstallation()));

  it('loads the catalogue from a file while the product runs', async () => {
    const said = await product.command('cli/import.js', catalogueFile());
    const added = Number(/([\d,]+) added/.exec(said)?.[1]?.replaceAll(',', ''));
    librarian = await browser.window();
    dashboard = await librarian.page(`${product.url}/#/admin/dashboard`);
    await dashboard.sees('You cannot enter this area');
    await signIn(dashboard, 'admin', 'Admin123!');
    await live(dashboard, 'live');
    await dashboard.has('[data-counter="totalUsers"] [data-value]');
    before = await counters();
    expect(added).toBeGreaterThan(0);
    expect(before.totalBooks).toBeGreaterThanOrEqual(added);

    queue = await librarian.page(`${product.url}/#/admin/borrows`);
    await live(queue, 'live');
    await Promise.all([dashboard.mark(), queue.mark()]);
  });

  // spec 1.1, 2.20, 2.23
  it('takes a reader from registration to a rented book', async () => {
    const window = await browser.window();
    reader = await window.page(product.url);
    await reader.mark();
    await register(reader, READER);
    // The link opens the site anew, as a click in a letter does.
    await reader.raw.goto(await confirmationLink(product.url, READER));
    await reader.raw.reload();
    await reader.mark();
    await reader.sees('Email confirmed');
    await reader.click('link', 'Sign in');
    await signIn(reader, READER.username, READER.password);
    await reader.sees('Welcome back, Maria');

    await reader.goTo('/catalog');
    await reader.fill('Search books', 'hobbit');
    await reader.sees('for “hobbit”');
    await reader.has('section[aria-label="Books"][aria-busy="false"] article');
    await reader.clickOn('article a');
    await reader.has('[data-copies-available]');
    await reader.click('button', 'Rent this book');
    await reader.click('link', 'Cart, 1 book');
    await reader.sees('Your cart');
    await reader.click('button', 'Rent');
    await reader.sees('Books rented');
    await reader.isAt('/catalog');
    // What, where and until when stay.
    await reader.has('[data-rented] li');
    expect(await reader.text('#just-rented')).toMatch(
      /^Collect your book at the desk by \w+, \d{4}-\d\d-\d\d$/,
    );
  });

  // spec 2.30, 2.39
  it('shows the borrow to the librarian without a reload', async () => {
    await queue.has('tr[data-borrow-id][data-status="Rented"]');
    borrowId = (await queue.raw.$eval('tr[data-borrow-id]', (row) => row.dataset['borrowId'])) ?? '';
    expect(await queue.text(`[data-borrow-id="${borrowId}"]`)).toContain('Maria Dąbrowska');
    await counts('activeBorrows', before.activeBorrows + 1);
    await counts('booksBorrowedLastMonth', before.booksBorrowedLastMonth + 1);
    await counts('totalUsers', before.totalUsers + 1);
  });

  // spec 1.2, 1.5, 2.25, 4.13, 8.17
  it('carries each step at the desk to the reader’s open profile', async () => {
    const status = (word: string) => `[data-borrow-id="${borrowId}"][data-status="${word}"]`;
    await reader.goTo('/profile');
    await reader.has(status('Rented'));
    for (const [action, next] of [
      ['Issue', 'Issued'],
      ['Return', 'Returned'],
    ] as const) {
      await queue.until(
        async () =>
          (await queue.text(`${status(next === 'Issued' ? 'Rented' : 'Issued')} button`)) === action,
        `the row offers ${action}`,
      );
      // What has just taken the place of another step is held back for a moment.
      await queue.clickOn(`[data-borrow-id="${borrowId}"] button:not([data-held])`);
      await queue.has(status(next));
      await queue.sees(`Books ${next.toLowerCase()}`);
      await reader.has(status(next));
    }
    await counts('activeBorrows', before.activeBorrows);
  });

  it('never loaded a document anew, and nothing went wrong in any of them', async () => {
    for (const page of [dashboard, queue, reader]) {
      expect(await page.isStillMarked()).toBe(true);
      expect(page.troubles).toEqual([]);
    }
  });

  describe('a lost link', () => {
    let books: number[];

    const maria = shared(() => apiCaller(product.url, READER.username, READER.password));
    const admin = shared(() => apiCaller(product.url, 'admin', 'Admin123!'));
    beforeAll(async () => {
      const list = await maria.get<{ items: { id: number; copiesAvailable: number }[] }>(
        'Book?SortBy=CopiesAvailable&pageNumber=1&pageSize=12',
      );
      books = list.items.filter((book) => book.copiesAvailable > 1).map((book) => book.id);
    });

    it('is owned up to, and what was missed is caught up with when it is back', async () => {
      const waiting = await maria.rent(books.slice(0, 2));
      // The pointer is still in the list, so what is new waits behind its bar.
      await queue.click('button', '1 new');
      await queue.has(`[data-borrow-id="${waiting}"][data-status="Rented"]`);

      await setOffline(queue.raw, true);
      await queue.until(
        async () => (await queue.text('[data-live]'))?.includes('Live') === false,
        'not Live',
      );
      await admin.issue(waiting);
      const missed = await maria.rent(books.slice(2, 3));
      expect(await queue.text(`[data-borrow-id="${missed}"]`)).toBeUndefined();

      await setOffline(queue.raw, false);
      await live(queue, 'live');
      await queue.has(`[data-borrow-id="${waiting}"][data-status="Issued"]`);
      await queue.click('button', '1 new');
      await queue.has(`[data-borrow-id="${missed}"][data-status="Rented"]`);
      expect(await queue.isStillMarked()).toBe(true);
      expect(queue.troubles.filter((trouble) => !trouble.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
    });

    it('is over as well where the connection outlived it', async () => {
      // For this host name the socket does not close at once when the browser says it is offline.
      const local = await librarian.page('about:blank');
      await local.raw.goto(`${product.url.replace('127.0.0.1', 'localhost')}/#/login`);
      await signIn(local, 'admin', 'Admin123!');
      await local.goTo('/admin/borrows');
      await live(local, 'live');
      await local.raw.evaluate("window.dispatchEvent(new Event('offline'))");
      await live(local, 'offline');
      await local.raw.evaluate("window.dispatchEvent(new Event('online'))");
      await live(local, 'live');
    });
  });
});
