import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser } from '../../test-support/worker-browser.js';
import type { BrowserPage } from '../../test-support/browser-page.js';
import { withPdfPages } from '../../test-support/pdf-pages.js';
import { startProduct } from '../../test-support/product.js';
import { addBooks } from '../../test-support/reports.js';
import { shared, sharedFolder } from '../../test-support/shared.js';
import { givePassword } from '../late-readers.js';
import { signedIn } from '../people.js';

const TITLES = ['Ferdydurke', 'Lalka', 'Solaris'];
const INVENTORY = { button: 'Download inventory report of books', file: 'BookRaport.pdf' };
const STICKERS = { button: 'Download inventory stickers', file: 'InventoryStickers.pdf' };

describe('the reports', () => {
  const downloads = sharedFolder();

  let page: BrowserPage;

  /** What was saved under a name, once it is there to its end; the name is then free again. */
  const saved = (name: string) =>
    page.until(async () => {
      const path = join(downloads, name);
      if (!existsSync(path)) return undefined;
      const pdf = readFileSync(path);
      if (!pdf.toString('latin1').trimEnd().endsWith('%%EOF')) return undefined;
      rmSync(path);
      return pdf;
    }, `the file ${name}`);
  const texts = async (pdf: Buffer) => {
    const found: string[] = [];
    await withPdfPages(pdf, ({ texts: placed }) => void found.push(...placed.map(({ text }) => text)));
    return found;
  };
  const rows = () => page.raw.$$eval('tr[data-report-id]', (all) => all.map((row) => row.textContent ?? ''));

  const product = shared(() => startProduct());
  const browser = shared(() => openBrowser());
  beforeAll(async () => {
    await addBooks(
      product,
      TITLES.map((title) => ({ title, copies: 2 })),
    );
    const admin = await givePassword(product, await product.account('Admin'));
    page = await signedIn(await browser.window({ downloads }), product.url, admin, '/admin/raports');
    await page.sees('Nothing yet.');
    await page.has('main article');
  });

  // spec 2.42
  it('saves the inventory with every title of the collection', async () => {
    // It may be over before this process looks.
    await page.raw.evaluate(`new MutationObserver(() => {
      if (document.querySelector('progress')) window.progressShown = true;
    }).observe(document.body, { childList: true, subtree: true })`);
    await page.click('button', INVENTORY.button);
    await page.until(
      async () => (await page.raw.evaluate('window.progressShown === true')) as boolean,
      'how far it is',
    );
    const pdf = await saved(INVENTORY.file);
    expect(pdf.subarray(0, 4).toString()).toBe('%PDF');
    const found = await texts(pdf);
    for (const title of TITLES) expect(found).toContain(title);
    await page.sees(`Saved as ${INVENTORY.file}.`);
  });

  it('saves a label for each copy, from the first free place of a begun sheet on', async () => {
    await page.fill('Start at label', '5');
    await page.click('button', STICKERS.button);
    const pdf = await saved(STICKERS.file);
    expect(pdf.subarray(0, 4).toString()).toBe('%PDF');
    const found = await texts(pdf);
    for (const title of TITLES) expect(found.filter((text) => text === title)).toHaveLength(2);
    await page.sees('from label 5 on');
  });

  it('tells how far a report is that somebody else asked for', async () => {
    const other = await product.account('Admin');
    await addBooks(
      product,
      Array.from({ length: 400 }, (_, index) => ({ title: `Volume ${index}` })),
    );
    await page.raw.evaluate(`(() => {
      window.percents = [];
      const look = () => {
        const shown = /Being made, (\\d+) %/.exec(document.querySelector('tr[data-report-id]')?.innerText ?? '');
        if (shown) window.percents.push(Number(shown[1]));
      };
      new MutationObserver(look).observe(document.body, { childList: true, characterData: true, subtree: true });
    })()`);
    await other.post('Dashboard/reports', { kind: 'inventory' });
    await page.until(async () => (await rows()).length === 3, 'a third report');
    await page.has('tr[data-state="ready"]:nth-child(1)');
    const percents = (await page.raw.evaluate('window.percents')) as number[];
    expect(percents.length).toBeGreaterThan(0);
    expect(percents).toEqual([...percents].sort((a, b) => a - b));
  });

  it('leaves nothing on the console', () => {
    expect(page.troubles).toEqual([]);
  });
});
