import { accessibilityFaults } from '../test-support/axe.js';
import { openBrowser, type TestBrowser } from '../test-support/browser.js';
import type { BrowserPage } from '../test-support/browser-page.js';
import { startInstallation, type InstallationProcess } from '../test-support/installation-process.js';
import { lend } from './at-the-desk.js';
import { PASSWORDS, signIn } from './people.js';
import { openScreen, SCREENS, type Visitor } from './screens.js';

const DESK = { width: 1440, height: 900 };
const WIDTHS = [DESK, { width: 360, height: 780 }];
const THEMES = ['light', 'dark'] as const;

describe('every screen, in both themes, on a desk and on a phone', () => {
  let product: InstallationProcess;
  let browser: TestBrowser;
  const pages = new Map<Visitor, BrowserPage>();

  beforeAll(async () => {
    product = await startInstallation();
    browser = await openBrowser();
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

  // spec 2.2, 2.22, 4.14
  it.each(all)('$name has no fault that axe knows, and needs no sideways scrolling', async (screen) => {
    const page = pages.get(screen.visitor);
    if (!page) throw new Error(`Nobody is there as ${screen.visitor}.`);
    await page.raw.setViewport(DESK);
    await openScreen(page, screen);
    const faults: string[] = [];
    for (const size of WIDTHS) {
      await page.raw.setViewport(size);
      // The page, and the window over it if there is one.
      const widths = (await page.raw.evaluate(
        `[document.documentElement, ...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')]
          .map((each) => [each.scrollWidth, each.clientWidth])`,
      )) as [number, number][];
      for (const [needed, there] of widths)
        if (needed > there) faults.push(`${size.width}: ${needed} pixels wide in ${there}`);
      for (const theme of THEMES) {
        await page.raw.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
        const found = await accessibilityFaults(page.raw);
        faults.push(...found.map((fault) => `${size.width} ${theme}: ${fault}`));
      }
    }
    // What the content security policy stopped, the screen goes without.
    faults.push(...page.troubles.filter((trouble) => trouble.startsWith('policy:')));
    expect(faults).toEqual([]);
  });
});
