import type { Page } from 'puppeteer';
import { openBrowser } from '../../test-support/worker-browser.js';
import type { BrowserWindow } from '../../test-support/browser.js';
import type { BrowserPage } from '../../test-support/browser-page.js';
import { startProduct } from '../../test-support/product.js';
import { shared } from '../../test-support/shared.js';
import { givePassword } from '../late-readers.js';
import { signedIn } from '../people.js';

const QUEUES = ['mail', 'upkeep', 'letters', 'reports'];

describe('the queues', () => {
  let window: BrowserWindow;
  let page: BrowserPage;

  const product = shared(() => startProduct());
  const browser = shared(() => openBrowser());
  const admin = shared(() => product.account('Admin'));
  beforeAll(async () => {
    const { username, password } = await givePassword(product, admin);
    window = await browser.window();
    page = await signedIn(window, product.url, { username, password });
  });

  it('are an area of the administration, and are counted there', async () => {
    await page.goTo('/admin/dashboard');
    await page.has('nav[aria-label="Administration"] ul[aria-label="Administration"] a[href="#/admin/jobs"]');
    await page.click('link', 'Background jobs');
    await page.isAt('/admin/jobs');
    for (const name of QUEUES) await page.has(`tr[data-queue="${name}"] [data-count="failed"]`);
  });

  it('open in a tab of their own for the admin', async () => {
    const opened = new Promise<Page | null>((resolve) => page.raw.once('popup', resolve));
    await page.click('button', 'Open the queues');
    const board = await opened;
    if (!board) throw new Error('No tab was opened.');
    await page.until(
      async () => board.url().startsWith(`${product.url}/admin/queues`),
      'the page of the queues',
    );
    await page.until(async () => {
      const text = String(
        await board.evaluate('document.body?.innerText ?? ""').catch(() => ''),
      ).toLowerCase();
      return QUEUES.every((name) => text.includes(name));
    }, 'the names of the queues');
    expect(await board.evaluate('window.opener')).toBeNull();
    expect(page.troubles).toEqual([]);
  });
});
