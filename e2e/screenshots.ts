import type { TestBrowser } from '../test-support/browser/browser.js';
import { openBrowser } from '../test-support/browser/worker-browser.js';
import {
  startInstallation,
  type InstallationProcess,
} from '../test-support/installation/installation-process.js';
import { photograph } from '../test-support/browser/photograph.js';
import { lend } from './at-the-desk.js';
import { catalogueFile } from './catalogue-file.js';
import { PASSWORDS, signIn } from './people.js';
import { openScreen, SCREENS, type Visitor } from './screens.js';

/** Not a test: `npm run screenshots` runs it, for people to look at every screen. */
describe('the pictures of every screen', () => {
  let product: InstallationProcess;
  let browser: TestBrowser;

  beforeAll(async () => {
    product = await startInstallation();
    browser = await openBrowser();
    await product.command('cli/import.js', catalogueFile());
    await lend(product.url);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it.each(Object.keys(SCREENS) as Visitor[])('as the %s sees them', async (visitor) => {
    const page = await (await browser.window()).page(`${product.url}/#/login`);
    if (visitor !== 'guest') await signIn(page, visitor, PASSWORDS[visitor]);
    for (const screen of SCREENS[visitor]) {
      await openScreen(page, screen);
      await photograph(page.raw, `screen-${screen.name}`);
    }
  });
});
