import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElementHandle } from 'puppeteer';
import { openBrowser } from '../../test-support/browser/worker-browser.js';
import {
  startInstallation,
  type InstallationProcess,
} from '../../test-support/installation/installation-process.js';
import { temporaryFolder } from '../../test-support/installation/temporary-folder.js';
import { waitFor } from '../../test-support/wait-for.js';
import { shared } from '../../test-support/shared.js';
import { accessibilityFaults } from '../../test-support/browser/axe.js';
import { guestCaller } from '../api-caller.js';

const codeOf = (product: InstallationProcess) => /#\/set-up\?code=([\w-]+)/.exec(product.told())?.[1];

describe('an installation without accounts', () => {
  const dataDir = temporaryFolder();
  const environment = { DEMO: 'off' };
  const browser = shared(() => openBrowser());
  let product: InstallationProcess;
  beforeAll(async () => {
    product = await startInstallation({ dataDir, environment });
  });
  afterAll(() => product.stop());

  it('leads everybody to its terminal, and whoever has its code through four steps', async () => {
    const code = await waitFor(async () => codeOf(product));
    expect(code).toMatch(/^[\w-]{32}$/);
    const page = await (await browser.window()).page(product.url);
    const valueOf = (selector: string) =>
      page.raw.evaluate(`document.querySelector(${JSON.stringify(selector)}).value`);
    await page.sees('Open the address that is shown where Lectern was started');
    await page.goTo(`/set-up?code=${code}`);
    await page.fill('Name', 'Biblioteka na Woli');
    await page.fill('Email', 'wola@example.org');
    await page.raw.select('select[name="timeZone"]', 'Europe/Lisbon');
    await page.raw.select('select[name="currency"]', 'EUR');
    expect(await accessibilityFaults(page.raw)).toEqual([]);
    // Nobody can find or become anything here yet.
    expect(await page.raw.$$('a[href="#/catalog"], a[href="#/register"], a[href="#/login"]')).toEqual([]);
    await page.click('button', 'Next');
    await page.sees('The first account may do everything');
    // There and back, and a reload: what was typed is there.
    await page.click('button', 'Back');
    await page.raw.reload();
    await page.has('input[name="name"]');
    expect(await valueOf('input[name="name"]')).toBe('Biblioteka na Woli');
    await page.click('button', 'Next');
    await page.fill('First name', 'Anna');
    await page.fill('Last name', 'Nowak');
    await page.fill('Username', 'anna');
    await page.fill('Password', 'Wola#2026!pl');
    await page.fill('Confirm password', 'Wola#2026');
    await page.click('button', 'Make the account');
    await page.sees('do not match');
    await page.fill('Confirm password', 'Wola#2026!pl');
    await page.click('button', 'Make the account');
    await page.isAt('/set-up/hours');
    await page.sees('When is the library open');
    expect(await accessibilityFaults(page.raw)).toEqual([]);
    // At its field.
    const closes = async (time: string) =>
      page.raw.evaluate(`(() => {
        const field = document.querySelector('input[aria-label="Monday closes"]');
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, '${time}');
        field.dispatchEvent(new Event('input', { bubbles: true }));
      })()`);
    await closes('08:00');
    await page.click('button', 'Next');
    await page.sees('The opening time must be before the closing time');
    await closes('17:00');
    await page.click('button', 'Next');
    await page.isAt('/set-up/books');
    // Back, and what was stored is there.
    await page.click('link', 'Back');
    await page.isAt('/set-up/hours');
    await page.has('input[aria-label="Monday closes"]');
    expect(await valueOf('input[aria-label="Monday closes"]')).toBe('17:00');
    await page.click('link', 'Back');
    await page.isAt('/set-up');
    await page.has('select[name="timeZone"]');
    expect(await valueOf('select[name="timeZone"]')).toBe('Europe/Lisbon');
    expect(await valueOf('select[name="currency"]')).toBe('EUR');
    await page.click('button', 'Next');
    await page.isAt('/set-up/hours');
    await page.click('link', 'Skip');
    await page.isAt('/set-up/books');
    // A demo, and away with it.
    await page.click('button', 'Put a demo in');
    await page.sees('There is a demo');
    expect(await accessibilityFaults(page.raw)).toEqual([]);
    await page.goTo('/admin/library');
    await page.click('button', 'Take the demo away');
    await page.clickOn('[role="alertdialog"] button:last-of-type');
    await page.sees('The demo is gone');
    // Books of one's own, of which one row is refused.
    await page.goTo('/set-up/books');
    await page.has('input[type="file"]');
    const file = join(temporaryFolder(), 'books.csv');
    writeFileSync(
      file,
      'isbn;title;authors\n9788308049051;Solaris;Stanisław Lem\n9788307033990;;Bolesław Prus\n',
    );
    const chooser = await page.find('input[type="file"]');
    await (chooser as ElementHandle<HTMLInputElement>).uploadFile(file);
    await page.sees('1 added, 0 there already, 1 refused');
    await page.sees('Line 3:');
    await page.click('link', 'Open the library');
    await page.isAt('/admin/dashboard');
    await page.raw.reload();
    await page.reads('header a', 'Biblioteka na Woli');
    await page.goTo('/admin/rules');
    await page.sees('€0.50');
  });

  it('tells its code to nobody but the terminal, and to nobody again', async () => {
    const code = codeOf(product) ?? '';
    expect(product.complaints()).not.toContain(code);
    const again = await guestCaller(product.url)
      .post('Account/first-admin', {
        ...{ code, username: 'ewa', email: 'ewa@example.org', firstname: 'Ewa', lastname: 'Lis' },
        ...{ password: 'Wola#2026!pl', confirmPassword: 'Wola#2026!pl' },
      })
      .then(
        () => 'made',
        (error: unknown) => String(error),
      );
    expect(again).toContain('This library is set up already');
    await product.stop();
    product = await startInstallation({ dataDir, environment });
    await waitFor(async () => /Lectern is open/.test(product.told()));
    expect(codeOf(product)).toBeUndefined();
  });
});
