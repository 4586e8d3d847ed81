import { foldText } from '#contracts/fold-text.js';
import type { BrowserPage } from '../../test-support/browser/browser-page.js';
import { accessibilityFaults } from '../../test-support/browser/axe.js';
import { requestsOf, setOffline } from '../../test-support/browser/network.js';
import { shared } from '../../test-support/shared.js';
import { PASSWORDS, signIn } from '../people.js';
import { siteUnderTest } from '../site-under-test.js';
import { answering, problem } from './calls.js';
import { canPress, field } from './field.js';
import { toast, toasts } from './toast.js';

describe('finding one’s way', () => {
  const { product, browser } = siteUnderTest();
  const window = shared(() => browser.window());
  const page = shared(() => window.page(product.url));
  beforeAll(async () => {
    await page.has('main h1');
  });

  const links = () =>
    page.raw.$$eval('header a, header button', (all) =>
      all.map((each) => (each.getAttribute('aria-label') ?? each.textContent ?? '').trim()).filter(Boolean),
    );
  const stored = (key: string) => page.raw.evaluate(`localStorage.getItem(${JSON.stringify(key)})`);
  const theme = () => page.raw.evaluate('document.documentElement.dataset.theme');

  describe('as a guest', () => {
    // spec 2.4
    it('shows the title, and the links that a guest has', async () => {
      expect(await page.raw.title()).toContain('Lectern');
      expect(await links()).toEqual([
        'Lectern',
        'Home',
        'Catalogue',
        expect.stringMatching(/^Switch to/),
        'Register',
        'Sign in',
      ]);
    });

    it('says on the home page what the library is, offers, and asks of its readers', async () => {
      await page.has('footer details[open]');
      const text = (await page.text('body')) ?? '';
      for (const words of [
        'Fiction',
        'non-fiction',
        'educational resources',
        'About the collection',
        'Book borrowing',
        'Physical books and e-books',
        'Events and workshops',
        'Reading spaces',
        'Sign up',
        'registered',
        'late fees and penalties',
        'tracked',
        'lost or damaged',
        'library administrator',
        '14 days',
        'monopolise',
        'quiet reading',
      ]) {
        expect(text.toLowerCase()).toContain(words.toLowerCase());
      }
    });

    it('leads to the home page by its name, and says of an address that is none of its own that it is none', async () => {
      await page.goTo('/home');
      await page.sees('About the collection');
      for (const route of ['/bookz/12', '/admin2/x', '/book', '/cart/1', '/profile/x']) {
        await page.goTo(route);
        await page.reads('h1', 'This is not on our shelves');
        expect(await page.route()).toBe(route);
        await page.goTo('/catalog');
        await page.has('article');
      }
    });

    // spec 1.9, 2.9, 3.12, 4.3
    it('flips the theme, keeps it, and shows a sun by night and a moon by day', async () => {
      const before = await theme();
      await page.clickOn('header button[aria-label^="Switch to"]');
      const after = before === 'dark' ? 'light' : 'dark';
      expect(await theme()).toBe(after);
      expect(await stored('darkMode')).toBe(String(after === 'dark'));
      const icon = await page.raw.$eval('header button[aria-label^="Switch to"] svg', (svg) =>
        svg.getAttribute('class'),
      );
      expect(icon).toContain(after === 'dark' ? 'sun' : 'moon');
      await page.raw.reload();
      await page.has('main h1');
      expect(await theme()).toBe(after);
      await page.clickOn('header button[aria-label^="Switch to"]');
      expect(await stored('darkMode')).toBe(String(after !== 'dark'));
    });

    it('is shown the way to the sign-in page from a page of one’s own, and comes back to it', async () => {
      await page.goTo('/profile');
      await page.isAt('/login');
      await signIn(page, 'reader', PASSWORDS.reader);
      await page.isAt('/profile');
      await page.sees('Welcome back, Reader');
    });
  });

  describe('as a reader', () => {
    // spec 2.5, 2.6, 3.1, 9.13
    it('keeps the signed-in user under “user”, over a reload', async () => {
      const user = JSON.parse(String(await stored('user'))) as Record<string, unknown>;
      expect(user).toMatchObject({ username: 'reader', roles: ['Reader'] });
      expect(String(user['token']).split('.')).toHaveLength(3);
      await page.raw.reload();
      await page.sees('Welcome back, Reader');
      expect(await links()).toEqual(
        expect.arrayContaining(['Home', 'Catalogue', expect.stringContaining('Welcome Reader')]),
      );
      expect(await links()).not.toContain('Admin');
      expect(await links()).not.toContain('Sign in');
    });

    it('goes from a book on to others, and back to the catalogue where it was left', async () => {
      const scrolled = () => page.raw.evaluate('window.scrollY') as Promise<number>;
      await page.goTo('/catalog?sort=Title&page=2');
      await page.has('section[aria-busy="false"] article');
      await page.raw.evaluate('window.scrollTo(0, 300)');
      const left = await scrolled();
      expect(left).toBeGreaterThan(0);
      // As the keys follow a link: the pointer would scroll to it.
      await page.raw.evaluate(`document.querySelector('section article a').click()`);
      await page.has('[data-copies-available]');
      expect(await scrolled()).toBe(0);
      await page.raw.click('main a[href^="#/catalog"]');
      await page.isAt('/catalog?sort=Title&page=2');
      await page.until(async () => (await scrolled()) === left, 'the place in the list');

      await page.goTo('/');
      // The catalogue, which is shown until then, has such links too.
      await page.sees('New in the library');
      const shelf = 'section[aria-busy="false"]';
      await page.has(`${shelf} li + li a`);
      await page.raw.focus(`${shelf} li a`);
      await page.raw.keyboard.press('ArrowRight');
      await page.raw.keyboard.press('Enter');
      await page.isAt('/book/');
      await page.has('main h1 + * a[href*="author="]');
      await page.raw.click('main a[href^="#/catalog"]');
      await page.isAt('/catalog?sort=Title&page=2');
    });

    // spec 2.7, 4.5
    it('counts the books in the cart, and says of one that is in it that it is', async () => {
      await page.goTo('/book/2');
      await page.has('[data-copies-available]');
      expect((await links()).some((name) => name.startsWith('Cart'))).toBe(false);
      await page.click('button', 'Rent this book');
      await page.has('header a[aria-label="Cart, 1 book"]');
      await page.sees('It is in your cart.');
      await page.goTo('/book/3');
      await page.has('[data-copies-available]');
      await page.click('button', 'Rent this book');
      await page.has('header a[aria-label="Cart, 2 books"]');
    });

    // spec 2.20
    it('keeps search, sort and page in the address, for a reload and for Back', async () => {
      await page.goTo('/catalog');
      await page.has('section[aria-busy="false"] article');
      await page.fill('Search books', 'the');
      await page.until(async () => (await page.route()).includes('the'), 'the search is in the address');
      await page.raw.select('main select', 'Title');
      await page.until(async () => (await page.route()).includes('Title'), 'the sort is in the address');
      await page.has('section[aria-busy="false"] article');
      const first = await page.route();
      const before = await page.text('article h2');
      await page.click('button', 'Page 2');
      await page.until(async () => (await page.route()).includes('page=2'), 'the page is in the address');
      const second = await page.until(async () => {
        const title = await page.text('section[aria-busy="false"] article h2');
        return title !== before && title;
      }, 'page 2');
      await page.raw.reload();
      await page.until(async () => (await page.text('article h2')) === second, 'page 2 after the reload');
      await page.raw.goBack();
      await page.until(async () => (await page.route()) === first, 'Back leads to page 1');
      expect(await page.raw.$eval('input[type="search"]', (input) => input.value)).toBe('the');
      await page.has('section[aria-busy="false"] article');
      // The cover, not the title: the link of a card lies over all of it.
      await (await page.find('article > :first-child')).click();
      await page.isAt('/book/');
      await page.goTo('/catalog');
      await page.has('section[aria-busy="false"] article');
      const lastname = ((await page.text('article h2 + p')) ?? '').split(', ')[0]?.split(' ').at(-1) ?? '';
      await page.fill('Search books', `${lastname}x`);
      await page.sees(`Nothing is found with “${foldText(lastname)}x”`);
    });

    it('saves books to a list, puts them in order, and shows it to a stranger until the link is ended', async () => {
      for (const book of [3, 4]) {
        await page.goTo(`/book/${book}`);
        await page.clickOn(`[data-save-to-list="none"][data-of="${book}"]`);
        // The second of the two that everybody has.
        await page.clickOn('[role="menuitemcheckbox"]:nth-child(2)');
        await page.has(`[data-save-to-list="saved"][data-of="${book}"]`);
        await page.raw.keyboard.press('Escape');
        await page.until(
          async () => (await page.raw.$('[role="menuitemcheckbox"]')) === null,
          'the menu is gone',
        );
      }
      await page.clickOn('header button[aria-haspopup="menu"]');
      await page.click('menuitem', 'My lists');
      await page.isAt('/lists');
      await page.clickOn('[data-list="favourites"] a');
      const listed = (of: BrowserPage, attribute: string) =>
        of.raw.$$eval(
          `[${attribute}]`,
          (all, name) => all.map((each) => Number(each.getAttribute(name))),
          attribute,
        );
      const inOrder = (...books: number[]) =>
        page.until(
          async () => JSON.stringify(await listed(page, 'data-listed')) === JSON.stringify(books),
          `the books ${books.join(', ')} in this order`,
        );
      await inOrder(3, 4);
      const made = await requestsOf(page.raw);
      const isKept = (times: number) =>
        page.until(
          async () =>
            made.filter(({ method, status }) => method === 'PUT' && status === 200).length === times,
          `the order is kept ${times} times`,
        );
      await page.raw.focus('[data-listed="3"] [data-move="down"]');
      await page.raw.keyboard.press('Enter');
      await inOrder(4, 3);
      await isKept(1);
      await page.raw.reload();
      await inOrder(4, 3);
      // And by the mouse.
      const grip = await page.raw.$('[data-listed="3"] [draggable]');
      const place = await page.raw.$('[data-listed="4"]');
      if (grip) await place?.drop(grip);
      await inOrder(3, 4);
      await isKept(2);

      await page.click('button', 'Share');
      await page.click('button', 'Make a link');
      await page.has('[aria-label="Link to the list"]');
      const link = await page.raw.$eval(
        '[aria-label="Link to the list"]',
        (field) => (field as HTMLInputElement).value,
      );
      const stranger = await (await browser.window()).page(`${product.url}/#/forgot-password`);
      const asked = await requestsOf(stranger.raw);
      await stranger.goTo(new URL(link).hash.slice(1));
      await stranger.has('[data-shown="4"]');
      expect(await listed(stranger, 'data-shown')).toEqual([3, 4]);
      await page.raw.bringToFront();
      await page.click('button', 'End the link');
      await page.sees('The link has ended');
      await stranger.raw.bringToFront();
      await stranger.raw.reload();
      await stranger.sees('This link does not work');
      const token = link.split('/').at(-1) ?? '';
      expect(asked.filter(({ url }) => url.split('#')[0]?.includes(token))).toEqual([]);
      await stranger.raw.close();
      await page.raw.bringToFront();
    });

    it('prints what is read, black on white by night too, and no row on two sheets', async () => {
      const shown = () =>
        page.raw.evaluate(() => {
          const style = (element: Element) => getComputedStyle(element);
          const seen = (selector: string) =>
            [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility()).length;
          return {
            paper: style(document.documentElement).backgroundColor,
            ink: style(document.querySelector('main h1') ?? document.body).color,
            pressed: seen(
              'header button, footer, main nav, main form, main button:not(th button), main select',
            ),
            cut: [...document.querySelectorAll('main tbody tr, main li')].filter(
              (row) => style(row).breakInside !== 'avoid',
            ).length,
          };
        });
      for (const [route, there] of [
        ['/book/2', '#book-copies'],
        ['/profile', '[data-borrow-id], #history'],
        ['/lists', '[data-list]'],
        ['/catalog', 'section[aria-busy="false"] article'],
      ] as const) {
        await page.goTo(route);
        await page.has(there);
        await page.raw.evaluate(`document.documentElement.dataset.theme = 'dark'`);
        await page.raw.emulateMediaType('print');
        expect({ route, ...(await shown()) }).toEqual({
          route,
          paper: 'rgb(255, 255, 255)',
          ink: 'rgb(0, 0, 0)',
          ...{ pressed: 0, cut: 0 },
        });
        await page.raw.emulateMediaType('screen');
      }
      await page.raw.reload();
      await page.has('main h1');
    });

    // spec 4.1
    it('logs out to the home page, and forgets the user', async () => {
      await page.clickOn('header button[aria-haspopup="menu"]');
      await page.clickOn('[role="menu"] [role="menuitem"]:last-child');
      await page.has('header a[href="#/login"]');
      await page.until(async () => (await page.route()) === '/', 'the home page');
      expect(await stored('user')).toBeNull();
    });
  });

  describe('as a librarian', () => {
    // spec 2.5, 2.29
    it('begins with the day’s work, beside all areas in their groups, which fit the window', async () => {
      await page.goTo('/login');
      await signIn(page, 'admin', PASSWORDS.admin);
      await page.isAt('/admin/dashboard');
      expect(await links()).toContain('Admin');
      await page.reads('h1', 'Administrator panel');
      const menu = 'nav[aria-label="Administration"]';
      await page.has(`${menu} a[href="#/admin/dashboard"][aria-current="page"]`);
      expect(
        await page.raw.$$eval(`${menu} ul`, (all) => all.map((each) => each.getAttribute('aria-label'))),
      ).toEqual(['Desk', 'Collection', 'Readers', 'Administration']);
      for (const area of 'dashboard books authors genres users borrows publishers raports'.split(' '))
        await page.has(`${menu} a[href="#/admin/${area}"]`);
      const end = await page.raw.$eval(menu, (element) => element.getBoundingClientRect().bottom);
      expect(end).toBeLessThan(900);
    });

    it('has a menu on a phone, which keeps the focus, marks where one is, and closes by Esc or a choice', async () => {
      await page.goTo('/admin/books');
      // Reading goes on at the beginning of the page: not after the menu was opened.
      await page.has('main:focus [aria-label="Administration"] a[href="#/admin/books"][aria-current="page"]');
      await page.raw.setViewport({ width: 390, height: 844 });
      const button = 'main button[aria-haspopup="dialog"][aria-expanded]';
      // In the wide window it is there, and not seen.
      const isSeen = `document.querySelector('${button}')?.checkVisibility() === true`;
      await page.until(async () => Boolean(await page.raw.evaluate(isSeen)), 'the button of the menu');
      await page.raw.focus(button);
      await page.raw.keyboard.press('Enter');
      await page.has('[role="dialog"] a[href="#/admin/books"][aria-current="page"]:focus');
      expect(await page.raw.$$('[role="dialog"] [aria-current="page"]')).toHaveLength(1);
      const inMenu = () => page.raw.evaluate(`document.activeElement.closest('[role="dialog"]') !== null`);
      for (const key of ['Tab', 'Tab', 'Tab'] as const) {
        await page.raw.keyboard.press(key);
        expect(await inMenu()).toBe(true);
      }
      expect(await accessibilityFaults(page.raw)).toEqual([]);
      await page.raw.keyboard.press('Escape');
      await page.has(`${button}[aria-expanded="false"]:focus`);
      await page.clickOn(button);
      await page.clickOn('[role="dialog"] a[href="#/admin/holds"]');
      await page.isAt('/admin/holds');
      await page.until(async () => (await page.raw.$('[role="dialog"]')) === null, 'the menu is closed');
      await page.clickOn(button);
      await page.has('[role="dialog"] a[href="#/admin/holds"][aria-current="page"]');
      // Last, as it shows the page in other sizes too.
      await page.raw.keyboard.press('Escape');
      await page.raw.setViewport({ width: 1440, height: 900 });
    });

    // spec 4.1
    it('is signed in on every tab, and out of every tab', async () => {
      const other = await window.page(`${product.url}/#/admin/borrows`);
      await other.sees('Administrator panel');
      await page.raw.bringToFront();
      await page.clickOn('header button[aria-haspopup="menu"]');
      await page.clickOn('[role="menu"] [role="menuitem"]:last-child');
      await page.has('header a[href="#/login"]');
      await other.has('header a[href="#/login"]');
      await other.raw.close();
    });
  });

  describe('when a call fails', () => {
    // spec 9.14
    it('shows a toast at the bottom right, with its progress and a cross, and takes it away after 5 seconds', async () => {
      // What an earlier test was told would stand below it.
      await page.until(async () => (await toasts(page)).length === 0, 'earlier toasts are gone');
      await answering(page, 'POST Account/forgot-password', problem(403, 'Not for you.'), async () => {
        await page.goTo('/forgot-password');
        await field(page, 'Email').type('maria@example.org');
        await page.until(() => canPress(page, 'Send reset link'), 'it can be sent');
        await page.clickOn('main form button[type="submit"]');
        await page.has('.Toastify__toast');
      });
      const box = await page.raw.$eval('.Toastify__toast', (element) => {
        const { right, bottom } = element.getBoundingClientRect();
        return [right, bottom];
      });
      expect(box[0]).toBeGreaterThan(1440 - 40);
      expect(box[1]).toBeGreaterThan(900 - 40);
      const progress = (await page.raw.evaluate(
        `getComputedStyle(document.querySelector('.Toastify__progress-bar')).animationDuration`,
      )) as string;
      expect(parseFloat(progress) * (progress.endsWith('ms') ? 1 : 1000)).toBe(5000);
      await page.has('.Toastify__toast button[aria-label="close"]');
      await page.until(async () => (await toasts(page)).length === 0, 'the toast goes by itself');
    });

    // spec 8.2
    it('takes a 401 for its end: to the sign-in page, and back to where one was', async () => {
      await page.goTo('/login');
      await signIn(page, 'admin', PASSWORDS.admin);
      await page.isAt('/admin/dashboard');
      await answering(page, 'GET Author', problem(401, 'The session is over.'), async () => {
        await page.goTo('/admin/authors?sort=Nationality');
        await page.isAt('/login');
      });
      await toast(
        page,
        'info',
        'Your session has ended. Please sign in again to continue where you left off.',
      );
      expect(await page.raw.evaluate('localStorage.getItem("user")')).toBeNull();
      await signIn(page, 'admin', PASSWORDS.admin);
      await page.isAt('/admin/authors?sort=Nationality');
      await page.has('tbody button');
    });

    it('shows a screen that could not be fetched as soon as the library is back, and keeps its menus meanwhile', async () => {
      await page.goTo('/admin/authors');
      await page.has('table[aria-busy="false"] tbody button');
      await setOffline(page.raw, true);
      await page.goTo('/admin/raports');
      await page.sees('This page will appear as soon as the library answers.');
      await page.has('nav[aria-label="Administration"] [aria-current="page"]');
      await page.has('header nav[aria-label="Main"]');
      await setOffline(page.raw, false);
      await page.has('main form');
      expect(await page.route()).toBe('/admin/raports');
    });
  });
});
