import { openBrowser, type TestBrowser } from '../test-support/browser.js';
import type { BrowserPage } from '../test-support/browser-page.js';
import { startInstallation, type InstallationProcess } from '../test-support/installation-process.js';
import { photograph } from '../test-support/photograph.js';
import { apiCaller } from './api-caller.js';
import { catalogueFile } from './catalogue-file.js';
import { registerByApi, signIn } from './people.js';

/** What shows that a screen has come, by its route. */
type Routes = Record<string, { route: string; shows: string }>;

const FOR_GUESTS: Routes = {
  home: { route: '/', shows: 'main h1' },
  catalogue: { route: '/catalog', shows: 'section[aria-busy="false"] article' },
  login: { route: '/login', shows: 'main form' },
  register: { route: '/register', shows: 'main form' },
  'email-notification': { route: '/email-notification?username=maria', shows: 'main button' },
  'confirm-email': { route: '/confirm-email', shows: '[role="alert"]' },
  'forgot-password': { route: '/forgot-password', shows: 'main form' },
  'reset-password': { route: '/reset-password?email=maria%40example.org&token=x', shows: 'main form' },
  'payment-fail': { route: '/payment/fail', shows: '[role="alert"]' },
  'not-found': { route: '/not-found', shows: 'main h1' },
  'server-error': { route: '/server-error', shows: 'main [role="alert"]' },
};
const FOR_READERS: Routes = {
  cart: { route: '/cart', shows: 'main h1' },
  book: { route: '/book/1', shows: '[data-copies-available]' },
  profile: { route: '/profile', shows: 'tr[data-borrow-id]' },
};
const FOR_ADMINS: Routes = {
  dashboard: { route: '/admin/dashboard', shows: '[data-counter] [data-value]' },
  queue: { route: '/admin/borrows', shows: 'tr[data-borrow-id]' },
  users: { route: '/admin/users', shows: '[data-user]' },
  reports: { route: '/admin/raports', shows: 'main article' },
};

const NAMES = [
  ['Zofia', 'Wiśniewska'],
  ['Jan', 'Kowalczyk'],
  ['Hanna', 'Żebrowska'],
  ['Tomasz', 'Łęcki'],
] as const;
const PASSWORD = 'Sekret#2026';

/** Not a test: `npm run screenshots` runs it, for people to look at every screen. */
describe('the pictures of every screen', () => {
  let product: InstallationProcess;
  let browser: TestBrowser;

  beforeAll(async () => {
    [product, browser] = await Promise.all([startInstallation(), openBrowser()]);
    await product.command('embedded/commands/import.js', catalogueFile());
    await lend(product.url);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  const take = async (page: BrowserPage, routes: Routes) => {
    for (const [name, { route, shows }] of Object.entries(routes)) {
      await page.goTo(route);
      await page.has(shows);
      await photograph(page.raw, `screen-${name}`);
    }
  };
  const open = async () => (await browser.window()).page(`${product.url}/#/login`);

  it('as guests see them', async () => take(await open(), FOR_GUESTS));

  it('as readers see them', async () => {
    const page = await open();
    await signIn(page, 'reader', 'Reader123!');
    await take(page, FOR_READERS);
  });

  it('as librarians see them', async () => {
    const page = await open();
    await signIn(page, 'admin', 'Admin123!');
    await take(page, FOR_ADMINS);
  });
});

/** An hour at the desk: some borrows in each state that it can bring about. */
async function lend(url: string): Promise<void> {
  const admin = await apiCaller(url, 'admin', 'Admin123!');
  const readers = [await apiCaller(url, 'reader', 'Reader123!')];
  for (const [index, [firstname, lastname]] of NAMES.entries()) {
    const username = `reader-${index}`;
    await registerByApi(url, { username, password: PASSWORD, firstname, lastname });
    readers.push(await apiCaller(url, username, PASSWORD));
  }
  const { items } = await admin.get<{ items: { id: number }[] }>(
    'Book?SortBy=CopiesAvailable&pageNumber=1&pageSize=30',
  );
  let turn = 0;
  for (let round = 0; round < 3; round += 1) {
    for (const reader of readers) {
      const books = items.slice(turn * 2, turn * 2 + (turn % 3 === 0 ? 2 : 1)).map(({ id }) => id);
      const borrow = await reader.rent(books);
      turn += 1;
      if (turn % 5 > 1 || round === 0) await admin.issue(borrow);
      if (round === 0 && turn % 2 === 0) await admin.takeBack(borrow);
    }
  }
}
