import { openBrowser } from '../../test-support/browser/worker-browser.js';
import { startBookServices } from '../../test-support/services/book-services.js';
import type { BrowserPage } from '../../test-support/browser/browser-page.js';
import { requestsOf } from '../../test-support/browser/network.js';
import { startProduct } from '../../test-support/product/product.js';
import { shared } from '../../test-support/shared.js';
import { waitFor } from '../../test-support/wait-for.js';
import { givePassword } from '../late-readers.js';
import { signedIn } from '../people.js';
import { scan } from '../scanner.js';

const ISBN = '9780156027601';

describe('sources of books', () => {
  const services = shared(() => startBookServices());
  const product = shared(() =>
    startProduct(undefined, {
      environment: {
        OPEN_LIBRARY_URL: `${services.url}/ol`,
        GOOGLE_BOOKS_URL: `${services.url}/google`,
        PRIVATE_HOSTS: '127.0.0.1',
      },
    }),
  );
  const browser = shared(() => openBrowser());
  let page: BrowserPage;
  beforeAll(async () => {
    const admin = await givePassword(product, await product.account('Admin'));
    page = await signedIn(await browser.window(), product.url, admin, '/admin/imports');
    services.replyJson('/ol/api/books', {
      [`ISBN:${ISBN}`]: {
        details: {
          title: 'Solaris',
          subtitle: 'a novel',
          description: 'A planet with one ocean.',
          authors: [{ name: 'Stanisław Lem' }],
          subjects: ['Science fiction'],
          publishers: ['Harvest Books'],
          publish_date: '2002',
          languages: [{ key: '/languages/eng' }],
        },
      },
    });
  });

  const value = (name: string) =>
    page.raw.$eval(`form [name="${name}"]`, (field) => (field as unknown as { value: string }).value);
  const names = () =>
    page.raw.$$eval('[data-item]', (rows) => rows.map((row) => row.getAttribute('data-item')));
  const press = (source: string, selector: string) => page.clickOn(`[data-item="${source}"] ${selector}`);

  it('are added, moved by the keyboard, tried with an ISBN and followed on one page', async () => {
    services.reply('/oai', (_request, response) =>
      response.end(`<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2026-11-26T00:00:00Z</responseDate>
        <ListRecords><record><header><identifier>oai:1</identifier></header><metadata>
          <record xmlns="http://www.loc.gov/MARC21/slim"><leader>00000nam a2200000 i 4500</leader>
          <controlfield tag="001">1</controlfield><datafield tag="245" ind1="0" ind2="0"><subfield code="a">Lalka</subfield></datafield></record>
        </metadata></record></ListRecords></OAI-PMH>`),
    );
    await page.click('link', 'Sources');
    await page.has('[data-item="Google Books"]');
    const add = async (kind: string, name: string, address: string) => {
      await page.click('button', 'Add source');
      await page.fill('Kind', kind);
      await page.fill('Name', name);
      await page.fill('Address', address);
      await page.clickOn('[role="dialog"] button[type="submit"]');
      await page.has(`[data-item="${name}"]`);
      await page.until(async () => (await page.raw.$('[role="dialog"]')) === null, 'the window is closed');
    };
    await add('sru', 'National Library', 'http://127.0.0.1:1/sru');
    await add('oai-pmh', 'Union catalogue', `${services.url}/oai`);
    await page.raw.focus('[data-item="National Library"] [data-move="up"]');
    await page.raw.keyboard.press('Enter');
    await page.until(async () => (await names())[1] === 'National Library', 'it is the second');
    await page.raw.keyboard.press('Enter');
    await page.until(async () => (await names())[0] === 'National Library', 'it is the first');

    await page.fill('Try all sources with an ISBN', ISBN);
    await page.raw.keyboard.press('Enter');
    await page.sees('National Library cannot be reached.');
    await page.sees('Open Library answered. Solaris: a novel');
    await page.sees('Google Books does not know this ISBN.');

    await page.click('button', 'Fetch now');
    await page.has('[data-item="Union catalogue"] [data-harvest="over"] a');
    await press('Union catalogue', '[data-harvest] a');
    await page.has('[data-row="1"]');
    await page.sees('Lalka');
  });

  it('are asked where a scanner ends a number with Enter, which sends no form and takes nothing by itself', async () => {
    await page.goTo('/admin/books/save');
    await page.fill('Title', 'Solaris (Polish edition)');
    const sent = await requestsOf(page.raw);
    await page.raw.focus('[name="isbn"]');
    await scan(page, ISBN);
    await page.has('[data-offer="title"]');
    await page.sees('National Library cannot be reached. Open Library answered.');
    await page.sees('In the form: Solaris (Polish edition)');
    expect([await value('title'), await value('description')]).toEqual(['Solaris (Polish edition)', '']);
    expect(sent.filter(({ method, url }) => method === 'POST' && url.includes('/api/Book'))).toEqual([]);
    await page.click('button', 'Take all that are empty in the form');
    await waitFor(async () => (await value('description')) === 'A planet with one ocean.');
    expect(await value('title')).toBe('Solaris (Polish edition)');
    await page.clickOn('[data-offer="title"] button');
    await waitFor(async () => (await value('title')) === 'Solaris: a novel');
    expect(page.troubles).toEqual([]);
  });
});
