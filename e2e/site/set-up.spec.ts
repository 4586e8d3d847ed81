import { openBrowser } from '../../test-support/browser.js';
import { startInstallation, type InstallationProcess } from '../../test-support/installation-process.js';
import { temporaryFolder } from '../../test-support/temporary-folder.mjs';
import { waitFor } from '../../test-support/wait-for.js';
import { shared } from '../../test-support/shared.js';
import { accessibilityFaults } from '../../test-support/axe.js';
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
    await page.sees('Open the address that is shown where Lectern was started');
    await page.goTo(`/set-up?code=${code}`);
    await page.fill('Name', 'Biblioteka na Woli');
    await page.fill('Email', 'wola@example.org');
    expect(await accessibilityFaults(page.raw)).toEqual([]);
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
    await page.sees('Opening hours and closed days');
    expect(await page.route()).toBe('/set-up');
    await page.click('button', 'Next');
    await page.click('button', 'Open the library');
    await page.isAt('/admin/dashboard');
    await page.raw.reload();
    await page.reads('header a', 'Biblioteka na Woli');
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
