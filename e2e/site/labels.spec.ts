import { openBrowser, type TestBrowser } from '../../test-support/browser.js';
import type { BrowserPage } from '../../test-support/browser-page.js';
import { startInstallation, type InstallationProcess } from '../../test-support/installation-process.js';
import { apiCaller } from '../api-caller.js';
import { PASSWORDS, signIn } from '../people.js';
import { answering, problem } from './calls.js';
import { field } from './field.js';
import { toast } from './toast.js';

/** The texts with slips that are kept as found, and their corrected forms (docs/specification-readings.md). */
const WORDINGS = [
  {
    labels: 'as-found',
    title: 'The dating app',
    country: 'City is required',
    publishers: 'Genres',
    addPublisher: 'Add Genre',
    publisherNotAdded: 'Failed to add genre',
    genreNotUpdated: 'Failed to update author',
    genreDeleted: 'Author successfully deleted',
    deleteGenre: 'Are you sure you want to delete this author?',
    reports: 'Raports',
    download: 'Download inventory raport of books',
  },
  {
    labels: 'corrected',
    title: 'Lectern',
    country: 'Country is required',
    publishers: 'Publishers',
    addPublisher: 'Add Publisher',
    publisherNotAdded: 'Failed to add publisher',
    genreNotUpdated: 'Failed to update genre',
    genreDeleted: 'Genre successfully deleted',
    deleteGenre: 'Are you sure you want to delete this genre?',
    reports: 'Reports',
    download: 'Download inventory report of books',
  },
];

let browser: TestBrowser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

describe.each(WORDINGS)('with LABELS=$labels', (words) => {
  let product: InstallationProcess;
  let page: BrowserPage;

  beforeAll(async () => {
    product = await startInstallation({ environment: { LABELS: words.labels } });
    const admin = await apiCaller(product.url, 'admin', PASSWORDS.admin);
    await admin.post('Genre/add', { name: 'Aardvarks', description: 'Books of ants and nights.' });
    page = await (await browser.window()).page(`${product.url}/#/login`);
  });
  afterAll(async () => {
    await product?.stop();
  });

  it('the library is called as it should be', async () => {
    await page.sees('Forgot password?');
    expect(await page.raw.title()).toContain(words.title);
    await page.reads('header a', words.title);
  });

  it('the country is asked for', async () => {
    await signIn(page, 'reader', PASSWORDS.reader);
    await page.sees('Welcome back, Reader');
    await page.click('button', 'Edit Profile');
    await page.has('[role="dialog"] select');
    await field(page, 'Country').clear();
    await field(page, 'Country').says(words.country);
    await page.clickOn('[role="dialog"] button ::-p-text(Cancel)');
    await page.clickOn('header button[aria-haspopup="menu"]');
    await page.clickOn('[role="menu"] [role="menuitem"]:last-child');
    await page.has('header a[href="#/login"]');
  });

  // spec 2.37
  it('the publishers have their heading, their button and their failure', async () => {
    await page.goTo('/login');
    await signIn(page, 'admin', PASSWORDS.admin);
    await page.goTo('/admin/publishers');
    await page.has('input[aria-label="Search publishers"]');
    await page.reads('main h2', words.publishers);
    await page.click('button', words.addPublisher);
    // Its window is called by its right name in either.
    await page.reads('[role="dialog"] h2', 'Add Publisher');
    for (const [label, text] of [
      ['Name', 'Quill House'],
      ['Address', 'ul. Piórkowa 3'],
      ['Phone', '+48 123-456-789'],
      ['Website', 'https://quill.example.com'],
    ] as const)
      await field(page, label).type(text);
    await answering(page, 'POST Publisher/add', problem(500, 'The shelves fell over.'), async () => {
      await page.clickOn('[role="dialog"] button[type="submit"]:not([disabled])');
      await toast(page, 'error', words.publisherNotAdded);
    });
    await page.clickOn('[role="dialog"] button ::-p-text(Cancel)');
  });

  // spec 8.16
  it('a genre is not updated, and deleted', async () => {
    await page.goTo('/admin/genres');
    await page.click('button', 'Edit: Aardvarks');
    await answering(page, 'PUT Genre', problem(500, 'The shelves fell over.'), async () => {
      await page.clickOn('[role="dialog"] button[type="submit"]');
      await toast(page, 'error', words.genreNotUpdated);
    });
    await page.clickOn('[role="dialog"] button ::-p-text(Cancel)');
    await page.click('button', 'Delete: Aardvarks');
    await page.reads('[role="alertdialog"] h2', words.deleteGenre);
    await page.clickOn('[role="alertdialog"] button ::-p-text(Delete)');
    await toast(page, 'success', words.genreDeleted);
  });

  it('the reports have their name in the menu, as heading and on their button', async () => {
    await page.click('link', words.reports);
    await page.isAt('/admin/raports');
    await page.until(async () => (await page.text('main h2')) === words.reports, 'the heading');
    await page.sees(words.download);
    await page.sees('Download inventory stickers');
  });
});
