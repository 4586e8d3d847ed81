
import { siteUnderTest } from '../site-under-test.js';

describe('a book’s address for everybody', () => {
  const { product, browser, callerOf } = siteUnderTest();
  const reader = callerOf('reader');
  const book = async () => {
    const { items } = await reader.get<{ items: { id: number; title: string }[] }>(
      'Book?pageNumber=1&pageSize=12',
    );
    const [first] = items;
    if (!first) throw new Error('There are no books.');
    return first;
  };

  it('shows the book where no scripts run', async () => {
    const first = await book();
    const window = await browser.window();
    const page = (await window.page(product.url)).raw;
    await page.setJavaScriptEnabled(false);
    await page.goto(product.url + bookAddress(first));
    expect(await page.$eval('h1', (heading) => heading.textContent)).toBe(first.title);
    expect(await page.$eval('article', (article) => article.textContent)).toContain('on the shelf');
  });

  it('is the site’s own page where they do', async () => {
    const first = await book();
    const page = await (await browser.window()).page(product.url + bookAddress(first));
    await page.isAt(`/book/${first.id}`);
    await page.has('#book-copies');
    expect(new URL(page.raw.url()).pathname).toBe('/');
    expect(page.troubles).toEqual([]);
    await page.goTo('/catalog');
    await page.has('section[aria-busy="false"] article');
  });
});
