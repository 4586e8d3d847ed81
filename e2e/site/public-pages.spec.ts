import { publicAddress } from '#contracts/public-address.js';
import type { BrowserPage } from '../../test-support/browser/browser-page.js';
import { requestsOf } from '../../test-support/browser/network.js';
import { siteUnderTest } from '../site-under-test.js';

interface Item {
  id: number;
  title: string;
  authors: { id: number; firstname: string; lastname: string }[];
}

describe('an address for everybody', () => {
  const { product, browser, callerOf, guestPage } = siteUnderTest();
  const admin = callerOf('admin');
  const places = async () => {
    const { items } = await admin.get<{ items: Item[] }>('Book?pageNumber=1&pageSize=12');
    const book = items.find(({ authors }) => authors.length > 0);
    const [author] = book?.authors ?? [];
    if (!book || !author) throw new Error('There is no book with an author.');
    const lists = await admin.get<{ id: string; name: string; books: number }[]>('ReadingList');
    const list =
      lists[0] ??
      (await admin.post<{ id: string; name: string }>('ReadingList', {
        ...{ name: 'For the summer', description: 'Short ones', onHome: true },
      }));
    if (!lists[0]) await admin.post(`ReadingList/${list.id}/books`, { bookId: book.id });
    const written = `${author.firstname} ${author.lastname}`.trim();
    return {
      home: { address: '/', says: 'Welcome to the library', route: '/', shows: 'main h1' },
      book: {
        ...{ address: publicAddress('book', book), says: book.title },
        ...{ route: `/book/${book.id}`, shows: '#book-copies' },
      },
      author: {
        ...{ address: publicAddress('author', { id: author.id, title: written }), says: written },
        ...{ route: `/catalog?author=${author.id}`, shows: 'section[aria-busy="false"] article' },
      },
      list: {
        ...{ address: publicAddress('list', { id: list.id, title: list.name }), says: list.name },
        ...{ route: `/shelf/${list.id}`, shows: '[data-shown]' },
      },
    };
  };
  const KINDS = ['home', 'book', 'author', 'list'] as const;
  const isTaken = (page: BrowserPage) =>
    page.until(async () => (await page.raw.$('#public')) === null, 'the site has taken the page over');

  const withoutScripts = guestPage('/login');

  it.each(KINDS)('of a %s can be read where no scripts run', async (kind) => {
    const { address, says } = (await places())[kind];
    const page = withoutScripts.raw;
    await page.setJavaScriptEnabled(false);
    await page.goto(product.url + encodeURI(address));
    expect(await page.$eval('#public h1', (heading) => heading.textContent)).toBe(says);
    expect(await page.$eval('#root', (root) => root.checkVisibility())).toBe(false);
    // One that begins there comes to all that there is.
    if (kind !== 'book') {
      await Promise.all([page.waitForNavigation(), page.click('#public a[href^="/book/"]')]);
      expect(await page.$eval('#public article', (article) => article.textContent)).toContain('on the shelf');
    }
  });

  it.each(KINDS)(
    'of a %s becomes the site’s own page where they do, with nothing asked for twice',
    async (kind) => {
      const { address, route, shows } = (await places())[kind];
      const window = await browser.window();
      const page = await window.page(`${product.url}/#/login`);
      await page.has('main form');
      // The footer comes later than the form, and asks for itself.
      await page.until(
        async () =>
          (await page.raw.evaluate(
            `performance.getEntriesByName(location.origin + '/api/Rules/hours').length > 0`,
          )) === true,
        'the opening hours in the footer',
      );
      const made = await requestsOf(page.raw);
      // What a person sees is never empty, from the server's page to the site's.
      await page.raw.evaluateOnNewDocument(`
      window.bare = 0;
      const look = () => {
        const [served, root] = ['public', 'root'].map((id) => document.getElementById(id));
        if (root && !served && !root.querySelector('main h1')) window.bare += 1;
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);`);
      await page.raw.goto(product.url + encodeURI(address));
      await isTaken(page);
      await page.has(shows);
      expect(await page.route()).toBe(route === '/' ? '' : route);
      expect(new URL(page.raw.url()).pathname).toBe('/');
      expect(await page.raw.evaluate('window.bare')).toBe(0);
      const asked = made.map(({ url }) => url).filter((url) => url.includes('/api/'));
      expect(asked.length).toBeGreaterThan(0);
      expect(asked.filter((url, at) => asked.indexOf(url) < at)).toEqual([]);
      expect(page.troubles).toEqual([]);
      await page.goTo('/catalog');
      await page.has('section[aria-busy="false"] article');
      await page.raw.goBack();
      await page.has(shows);
    },
  );

  it('stands aside where the address names a page of the site’s own', async () => {
    const { book } = await places();
    const page = await (await browser.window()).page(`${product.url}/#${book.route}`);
    await page.has(book.shows);
    expect(await page.raw.$('#public')).toBeNull();
    expect(await page.route()).toBe(book.route);
  });

  it('is what sharing gives', async () => {
    const all = await places();
    const page = await (await browser.window()).page(`${product.url}/#/login`);
    await page.raw.evaluateOnNewDocument(
      'navigator.share = (shared) => ((window.shared = shared.url), Promise.resolve());',
    );
    await page.raw.reload();
    for (const kind of ['book', 'author', 'list'] as const) {
      await page.goTo(all[kind].route);
      await page.has(all[kind].shows);
      await page.click('button', 'Share');
      await page.until(
        async () => (await page.raw.evaluate('window.shared')) === product.url + encodeURI(all[kind].address),
        `the ${kind} is shared by its address`,
      );
    }
  });
});
