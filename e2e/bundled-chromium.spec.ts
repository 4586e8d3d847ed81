import { unpackChromium } from '#platform/chromium/find-chromium.js';
import { openBrowser } from '../test-support/browser.js';

describe('the Chromium that npm brought', () => {
  it('runs, and has fonts to write with', async () => {
    const browser = await openBrowser(await unpackChromium());
    try {
      const window = await browser.window();
      const page = await window.page('data:text/html,<meta charset=utf-8><p>Zażółć');
      await page.sees('Zażółć');
    } finally {
      await browser.close();
    }
  });
});
