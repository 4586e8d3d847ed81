import { openBrowser, type TestBrowser } from '../../test-support/browser.js';
import type { BrowserPage } from '../../test-support/browser-page.js';
import { startInstallation, type InstallationProcess } from '../../test-support/installation-process.js';
import { apiCaller, type ApiCaller } from '../api-caller.js';
import { PASSWORDS, signedIn } from '../people.js';
import { canPress, choices } from './field.js';
import { toast } from './toast.js';

interface ListedBook {
  id: number;
  isbn: string;
  title: string;
  authors: { firstname: string; lastname: string }[];
  genres: { name: string }[];
  publisher: { name: string };
  copiesAvailable: number;
}

describe('the list of the library’s books', () => {
  let product: InstallationProcess;
  let browser: TestBrowser;
  let page: BrowserPage;
  let admin: ApiCaller;
  let lent: ListedBook;

  beforeAll(async () => {
    product = await startInstallation();
    browser = await openBrowser();
    admin = await apiCaller(product.url, 'admin', PASSWORDS.admin);
    page = await signedIn(
      await browser.window(),
      product.url,
      { username: 'admin', password: PASSWORDS.admin },
      '/admin/books',
    );
    await page.has('[data-book-id]');
    [lent] = (await listed('SortBy=Title&SearchTerm=&pageNumber=1')).items as [ListedBook];
    const reader = await apiCaller(product.url, 'reader', PASSWORDS.reader);
    await reader.rent([lent.id]);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  const listed = (query: string) =>
    admin.get<{ items: ListedBook[]; totalCount: number }>(`Book?${query}&pageSize=10`);
  const ids = () =>
    page.raw.$$eval('[data-book-id]', (all) => all.map((each) => Number(each.getAttribute('data-book-id'))));
  const shows = (items: { id: number }[], what: string) =>
    page.until(
      async () => JSON.stringify(await ids()) === JSON.stringify(items.map(({ id }) => id)),
      `${what} shows ${items.map(({ id }) => id).join(', ')}`,
    );
  const gone = (selector: string) =>
    page.until(async () => (await page.raw.$(selector)) === null, `${selector} is gone`);
  const answer = async (words: string) => {
    await page.raw.bringToFront();
    await page.clickOn(`[role="alertdialog"] button ::-p-text(${words})`);
  };
  const expand = (id: number) => page.clickOn(`[data-book-id="${id}"] h3 button`);
  const marks = () =>
    page.raw.$$eval('nav[aria-label="Pages of books"] li', (all) => all.map((each) => each.textContent));

  // spec 2.31
  it('has its heading, button, search and sorts', async () => {
    await page.reads('main h2', 'Library Books');
    expect(
      await page.raw.$eval('main input[type="search"]', (input) => input.getAttribute('placeholder')),
    ).toBe('Search books by Title, Author, Genre, or Publisher');
    await page.reads('main label[for]', 'Sort By');
    expect(await choices(page, 'Sort By')).toEqual(['No sorting', 'Title', 'ISBN', 'Copies']);
    await page.click('link', 'Add Book');
    await page.isAt('/admin/books/save');
    await page.sees('Add New Book');
    await page.click('link', 'Close');
    await page.isAt('/admin/books');
    await page.has('[data-book-id]');
  });

  it('is sorted over all pages as chosen, ten at a time', async () => {
    for (const sort of ['Copies', 'ISBN', 'Title']) {
      await page.raw.select('main select', sort);
      const { items } = await listed(`SortBy=${sort}&SearchTerm=&pageNumber=1`);
      expect(items).toHaveLength(10);
      await shows(items, sort);
    }
  });

  // spec 2.32
  it('shows one book at a time with all that it is, and closes it by another click', async () => {
    const [one, other] = await ids();
    const { items } = await listed('SortBy=Title&SearchTerm=&pageNumber=1');
    const [book] = items as [ListedBook];
    await expand(one ?? 0);
    await page.has(`[data-book-id="${one}"] dl`);
    const facts = await page.raw.$$eval('[data-book-id] dl div', (all) =>
      all.map((each) => [...each.children].map((part) => part.textContent)),
    );
    expect(facts).toEqual([
      ['ISBN', book.isbn],
      ['Authors', book.authors.map(({ firstname, lastname }) => `${firstname} ${lastname}`).join(', ')],
      ['Genres', book.genres.map(({ name }) => name).join(', ')],
      ['Publisher', book.publisher.name],
      ['Copies available', expect.stringContaining(String(book.copiesAvailable))],
    ]);
    await expand(other ?? 0);
    await page.has(`[data-book-id="${other}"] dl`);
    await gone(`[data-book-id="${one}"] dl`);
    await expand(other ?? 0);
    await gone('[data-book-id] dl');
    const thumbnail = await page.raw.$eval('[data-book-id] h3 button > :first-child', (cover) => {
      const { width, height } = cover.getBoundingClientRect();
      return [width, height];
    });
    expect(thumbnail).toEqual([50, 50]);
  });

  // spec 4.7
  it('finds by title, author, genre and publisher, once typing has paused', async () => {
    const { items } = await listed('SortBy=Title&SearchTerm=&pageNumber=3');
    const [book] = items as [ListedBook];
    for (const words of [
      book.title,
      `${book.authors[0]?.firstname} ${book.authors[0]?.lastname}`,
      book.genres[0]?.name ?? '',
      book.publisher.name,
    ]) {
      await page.fill('Search books', words);
      await page.until(
        async () => new URLSearchParams((await page.route()).split('?')[1]).get('q') === words,
        `the search for ${words}`,
      );
      const found = await listed(`SortBy=Title&SearchTerm=${encodeURIComponent(words)}&pageNumber=1`);
      await shows(found.items, words);
      expect(found.totalCount).toBeGreaterThan(0);
    }
    await page.fill('Search books', 'xyzzyplugh');
    await page.sees('No book matches');
    await page.click('button', 'Show all books');
    await page.has('[data-book-id]');
  });

  // spec 9.5
  it('marks its pages with the first, the last, the present and its neighbours', async () => {
    const { totalCount } = await listed('SortBy=Title&SearchTerm=&pageNumber=1');
    const last = Math.ceil(totalCount / 10);
    await page.has('nav[aria-label="Pages of books"]');
    expect(await marks()).toEqual(['1', '2', '…', String(last)]);
    expect(await canPress(page, 'Previous')).toBe(false);
    for (const next of [2, 3, 4]) {
      await page.click('button', 'Next');
      await page.has(`nav button[aria-current="page"][aria-label="Page ${next}"]`);
    }
    expect(await marks()).toEqual(['1', '…', '3', '4', '5', '…', String(last)]);
    await page.click('button', `Page ${last}`);
    await page.has(`nav button[aria-current="page"][aria-label="Page ${last}"]`);
    expect(await marks()).toEqual(['1', '…', String(last - 1), String(last)]);
    await page.until(async () => !(await canPress(page, 'Next')), 'Next is at rest');
    await shows((await listed(`SortBy=Title&SearchTerm=&pageNumber=${last}`)).items, 'the last page');
  });

  it('keeps a lent book, and says so where it was asked', async () => {
    await page.goTo('/admin/books?sort=Title');
    await page.has(`[data-book-id="${lent.id}"]`);
    await expand(lent.id);
    await page.clickOn(`[data-book-id="${lent.id}"] button[aria-label^="Delete"]`);
    await answer('Delete');
    await page.until(
      async () => /lent|borrow|rented/i.test((await page.text('[role="alertdialog"] [role="alert"]')) ?? ''),
      'the reason',
    );
    await answer('Cancel');
    await gone('[role="alertdialog"]');
    expect(await ids()).toContain(lent.id);
  });

  // spec 5.16
  it('deletes a book only when that is confirmed', async () => {
    const book = (await ids())[3] ?? 0;
    await expand(book);
    await page.clickOn(`[data-book-id="${book}"] button[aria-label^="Delete"]`);
    await page.reads('[role="alertdialog"] h2', 'Are you sure you want to delete this book?');
    await answer('Cancel');
    await gone('[role="alertdialog"]');
    expect(await ids()).toContain(book);
    await page.clickOn(`[data-book-id="${book}"] button[aria-label^="Delete"]`);
    await answer('Delete');
    await toast(page, 'success', 'Book successfully deleted');
    await gone(`[data-book-id="${book}"]`);
    await expect(admin.get(`Book/${book}`)).rejects.toThrow('404');
  });

  // spec 4.6
  it('deletes the selected books together, over several pages, or none of them', async () => {
    const [first, second] = (await ids()).filter((id) => id !== lent.id);
    await page.clickOn(`[data-book-id="${lent.id}"] input[type="checkbox"]`);
    await page.clickOn(`[data-book-id="${first}"] input[type="checkbox"]`);
    await page.sees('2 selected');
    await page.click('button', 'Delete selected');
    await answer('Delete');
    await page.until(
      async () => Boolean(await page.text('[role="alertdialog"] [role="alert"]')),
      'the reason',
    );
    await answer('Cancel');
    await gone('[role="alertdialog"]');
    expect(await ids()).toEqual(expect.arrayContaining([lent.id, first]));

    await page.clickOn(`[data-book-id="${lent.id}"] input[type="checkbox"]`);
    await page.clickOn(`[data-book-id="${second}"] input[type="checkbox"]`);
    await page.click('button', 'Next');
    await page.has('nav button[aria-current="page"][aria-label="Page 2"]');
    // It was looked at before a book was deleted: what it showed then is there at once, and what it has now a moment later.
    await shows((await listed('SortBy=Title&SearchTerm=&pageNumber=2')).items, 'page 2');
    const [third] = await ids();
    await page.clickOn(`[data-book-id="${third}"] input[type="checkbox"]`);
    await page.sees('3 selected');
    await page.click('button', 'Delete selected');
    await page.reads('[role="alertdialog"] h2', 'Are you sure you want to delete the selected books?');
    await answer('Cancel');
    await gone('[role="alertdialog"]');
    await page.sees('3 selected');
    await page.click('button', 'Delete selected');
    await answer('Delete');
    await toast(page, 'success', '3 books successfully deleted');
    await gone(`[data-book-id="${third}"]`);
    await gone('[role="group"][aria-label="Selected books"]');
    for (const id of [first, second, third]) await expect(admin.get(`Book/${id}`)).rejects.toThrow('404');
  });
});
