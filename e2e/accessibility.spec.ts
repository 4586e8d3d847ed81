import { accessibilityFaults } from '../test-support/axe.js';
import { openBrowser, type TestBrowser } from '../test-support/browser.js';
import type { BrowserPage } from '../test-support/browser-page.js';
import { startInstallation, type InstallationProcess } from '../test-support/installation-process.js';
import { lend } from './at-the-desk.js';
import { PASSWORDS, signIn } from './people.js';
import { reach, SCREENS, type Visitor } from './screens.js';

const WIDTHS = [
  { width: 1440, height: 900 },
  { width: 360, height: 780 },
];
const THEMES = ['light', 'dark'] as const;

describe('every screen, in both themes, on a desk and on a phone', () => {
  let product: InstallationProcess;
  let browser: TestBrowser;
  const pages = new Map<Visitor, BrowserPage>();

  beforeAll(async () => {
    [product, browser] = await Promise.all([startInstallation(), openBrowser()]);
    await lend(product.url);
    for (const visitor of Object.keys(SCREENS) as Visitor[]) {
      const page = await (await browser.window()).page(`${product.url}/#/login`);
      if (visitor !== 'guest') await signIn(page, visitor, PASSWORDS[visitor]);
      pages.set(visitor, page);
    }
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  const all = (Object.keys(SCREENS) as Visitor[]).flatMap((visitor) =>
    SCREENS[visitor].map((screen) => ({ visitor, ...screen })),
  );

  it.each(all)('$name has no fault that axe knows, and needs no sideways scrolling', async (screen) => {
    const page = pages.get(screen.visitor);
    if (!page) throw new Error(`Nobody is there as ${screen.visitor}.`);
    await page.raw.bringToFront();
    await reach(page, screen);
    const faults: string[] = [];
    for (const size of WIDTHS) {
      await page.raw.setViewport(size);
      const [needed, there] = (await page.raw.evaluate(
        '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
      )) as [number, number];
      if (needed > there) faults.push(`${size.width}: ${needed} pixels wide`);
      for (const theme of THEMES) {
        await page.raw.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
        const found = await accessibilityFaults(page.raw);
        faults.push(...found.map((fault) => `${size.width} ${theme}: ${fault}`));
      }
    }
    expect(faults).toEqual([]);
  });
});
