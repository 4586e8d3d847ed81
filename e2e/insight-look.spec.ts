import { openBrowser, type TestBrowser } from '../test-support/browser.js';
import { accessibilityFaults } from '../test-support/axe.js';
import { startInstallation, type InstallationProcess } from '../test-support/installation-process.js';
import { photograph } from '../test-support/photograph.js';
import { lend } from './at-the-desk.js';
import { PASSWORDS, signIn } from './people.js';
import { openScreen, SCREENS } from './screens.js';

describe('look', () => {
  let product: InstallationProcess;
  let browser: TestBrowser;
  beforeAll(async () => {
    product = await startInstallation();
    browser = await openBrowser();
    await lend(product.url);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  it.each(['admin'] as const)('as the %s', async (visitor) => {
    const page = await (await browser.window()).page(`${product.url}/#/login`);
    await signIn(page, visitor, PASSWORDS[visitor]);
    const faults: string[] = [];
    for (const screen of SCREENS[visitor].filter(({ name }) => name.startsWith('insight'))) {
      await openScreen(page, screen);
      await photograph(page.raw, `screen-${screen.name}`);
      for (const width of [1440, 360]) {
        await page.raw.setViewport({ width, height: 850 });
        const widths = (await page.raw.evaluate(`[document.documentElement.scrollWidth, document.documentElement.clientWidth]`)) as number[];
        if ((widths[0] ?? 0) > (widths[1] ?? 0)) faults.push(`${screen.name} ${width}: ${widths.join()}`);
        for (const theme of ['light', 'dark']) {
          await page.raw.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
          faults.push(...(await accessibilityFaults(page.raw)).map((f) => `${screen.name} ${width} ${theme} ${f}`));
        }
      }
    }
    if (visitor === 'auditor') {
      await page.clickOn('[data-events] tbody button');
      await page.isAt('/audit/readers/');
      await page.has('[data-revision]');
    }
    if (visitor === 'admin') {
      await page.raw.setViewport({ width: 1440, height: 900 });
      await page.goTo('/admin/jobs');
      await page.has('tr[data-queue]');
      await page.goTo('/admin/insight?part=hours');
      await page.has('[data-insight="hours"] input[type="range"]');
      await page.raw.focus('[data-insight="hours"] input[type="range"]');
      const before = await page.text('figcaption');
      await page.raw.keyboard.press('ArrowRight');
      await page.until(async () => (await page.text('figcaption')) !== before, 'another hour');
      await page.raw.keyboard.press('ArrowLeft');
      await page.until(async () => (await page.text('figcaption')) === before, 'the hour before');
      await page.clickOn('figcaption a');
      await page.has('[data-events] tbody a');
      await photograph(page.raw, 'screen-insight-events-admin');
      await page.clickOn('[data-events] tbody a');
      await page.has('[data-drawer] [data-event]');
      await page.raw.keyboard.press('Escape');
      await page.until(async () => (await page.raw.$('[data-drawer]')) === null, 'the drawer closes');
      await page.raw.goBack();
      await page.has('[data-insight="hours"] figure');
      // A day is typed key by key, and the field keeps the focus.
      await page.raw.focus('main input[type="date"]');
      await page.raw.keyboard.type('03');
      await page.raw.keyboard.type('15');
      await page.raw.keyboard.type('2026');
      await page.until(async () => (await page.route()).includes('from=2026-03-15'), 'the day in the address');
      const focused = await page.raw.evaluate(`document.activeElement.type`);
      if (focused !== 'date') faults.push(`the focus is on ${String(focused)}`);
    }
    faults.push(...page.troubles);
    expect(faults).toEqual([]);
  });
});
