import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElementHandle } from 'puppeteer';
import { openBrowser } from '../../test-support/worker-browser.js';
import type { BrowserPage } from '../../test-support/browser-page.js';
import { addNewBooks } from '../../test-support/new-books.js';
import { startProduct } from '../../test-support/product.js';
import { shared, sharedFolder } from '../../test-support/shared.js';
import { givePassword } from '../late-readers.js';
import { marcXml } from '../marc-file.js';
import { signedIn } from '../people.js';

const [ONE, OTHER] = ['9780306406157', '9788308049051'] as const;

describe('the imports', () => {
  const folder = sharedFolder();
  const product = shared(() => startProduct());
  const browser = shared(() => openBrowser());
  let page: BrowserPage;
  beforeAll(async () => {
    await addNewBooks(product.database, [
      { title: 'Ferdydurke', isbn: ONE },
      { title: 'Lalka', isbn: OTHER },
    ]);
    const admin = await givePassword(product, await product.account('Admin'));
    page = await signedIn(await browser.window({ downloads: folder }), product.url, admin, '/admin/imports');
    await page.sees('Nothing was imported yet');
  });

  const upload = async (file: string) =>
    ((await page.find('main input[type="file"]')) as ElementHandle<HTMLInputElement>).uploadFile(file);
  const row = (place: number) => page.raw.$eval(`[data-row="${place}"]`, (found) => found.textContent ?? '');
  const state = (of: string) => page.has(`[data-import-state="${of}"]`);
  const titles = async () => {
    const answer = await fetch(`${product.url}/api/Book?SortBy=Title&pageSize=50`);
    return ((await answer.json()) as { items: { title: string }[] }).items.map(({ title }) => title);
  };

  it('show a file before anything is done, take decisions, and are done and undone as one', async () => {
    const file = join(folder, 'records.xml');
    const records = [
      { control: 'a1', title: 'Sklepy cynamonowe', isbns: [] },
      { control: 'a2', title: 'Ferdydurke: powieść', isbns: [ONE] },
      { control: 'a3', title: 'Lalka', isbns: [OTHER, ONE] },
      { control: '<', title: 'Damaged', isbns: [] },
    ];
    writeFileSync(file, marcXml(records));
    await upload(file);
    await state('staged');
    await page.has('[data-row="4"]');
    expect(await row(2)).toMatch(/Ferdydurke stays \(in the file: Ferdydurke: powieść\)/);
    expect(await row(4)).toMatch(/Refused.*It is not well-formed XML/);
    expect(await titles()).toEqual(['Ferdydurke', 'Lalka']);

    await page.clickOn('[data-wins] input[value="title"]');
    await page.has('[data-row="2"] del');
    await page.clickOn('[data-row="3"] button:nth-of-type(2)');
    await page.has('[data-row="3"][data-outcome="changed"]');
    await page.clickOn('[data-row="1"] input');
    await page.click('button', 'Import 2 records');
    await state('done');
    await page.sees('0 added, 2 changed');
    expect((await titles()).sort()).toEqual(['Ferdydurke: powieść', 'Lalka']);

    await page.click('button', 'Undo the import');
    await page.has('[role="alertdialog"]');
    await page.clickOn('[role="alertdialog"] button:last-of-type');
    await state('undone');
    expect(await titles()).toEqual(['Ferdydurke', 'Lalka']);
  });

  it('refuse a file that has no records, and say so where it was chosen', async () => {
    await page.goTo('/admin/imports');
    const file = join(folder, 'books.csv');
    writeFileSync(file, 'isbn,title\n1,2\n');
    await page.has('main input[type="file"]');
    await upload(file);
  });

  it('save what is asked for as a file', async () => {
    await page.goTo('/admin/imports');
    await page.has('main form select');
    await page.raw.select('main form select', 'marcxml');
    await page.click('button', 'Save the file');
    const path = join(folder, 'catalogue.xml');
    const text = await page.until(
      async () => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
      'the file of the catalogue',
    );
    expect(text.match(/<record>/g)).toHaveLength(2);
  });
});
