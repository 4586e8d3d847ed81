import type { BrowserPage } from '../../test-support/browser-page.js';
import { shared } from '../../test-support/shared.js';
import { PASSWORDS, registerByApi, signedIn } from '../people.js';
import { siteUnderTest } from '../site-under-test.js';
import { confirmIdentity } from './confirm-identity.js';
import { toast } from './toast.js';

describe('the roles of readers', () => {
  const { product, browser, pageOf } = siteUnderTest();
  const reader = shared(async () => {
    const zosia = { username: 'zosia', password: 'Sekret#2026' };
    await registerByApi(product.url, { ...zosia, firstname: 'Zofia', lastname: 'Wiśniewska' });
    return signedIn(await browser.window(), product.url, zosia);
  });
  const page = pageOf('admin');

  const gone = (where: BrowserPage, selector: string) =>
    where.until(async () => (await where.raw.$(selector)) === null, `${selector} is gone`);
  const press = async (where: BrowserPage, selector: string, words: string) => {
    await where.raw.bringToFront();
    await where.clickOn(`${selector} ::-p-text(${words})`);
  };

  const checkbox = async (role: string) => {
    await page.raw.bringToFront();
    await page.raw.evaluate(`(() => {
      const label = [...document.querySelectorAll('[role="dialog"] fieldset label')]
        .find((each) => each.textContent.startsWith(${JSON.stringify(role)}));
      label.querySelector('input').click();
    })()`);
  };

  // spec 6.5
  it('see the way to the administration as soon as they may go it', async () => {
    await reader.has('header a[href="#/profile"], header button[aria-haspopup="menu"]');
    expect(await reader.raw.$('header a[href="#/admin/dashboard"]')).toBeNull();
    await page.goTo('/admin/users');
    await page.fill('Search users', 'zosia');
    await page.until(async () => (await page.raw.$$('[data-user]')).length === 1, 'zosia alone');
    await page.clickOn('[data-user="zosia"] h3 button');
    await page.click('button', 'Edit Zofia Wiśniewska');
    await page.sees('No role changes yet.');
    await checkbox('Admin');
    await press(page, '[role="dialog"] button', 'Save roles');
    await confirmIdentity(page, PASSWORDS.admin);
    await toast(page, 'success', 'Roles saved');
    await page.sees('gave Admin');
    await reader.has('header a[href="#/admin/dashboard"]');
    await reader.click('link', 'Admin');
    await reader.isAt('/admin/dashboard');
    await reader.sees('Administrator panel');
  });

  it('are turned away from where they are as soon as they may not be there', async () => {
    await checkbox('Admin');
    await press(page, '[role="dialog"] button', 'Save roles');
    await page.sees('Remove the Admin role from Zofia Wiśniewska?');
    await press(page, '[role="alertdialog"] button', 'Remove it');
    await toast(page, 'success', 'Roles saved');
    await reader.isAt('/login');
    await toast(reader, 'error', 'You cannot enter this area');
    expect(await reader.raw.$('header a[href="#/admin/dashboard"]')).toBeNull();
    await page.sees('took Admin');
    await page.raw.keyboard.press('Escape');
    await gone(page, '[role="dialog"]');
  });

  it('keep at least one admin', async () => {
    await page.fill('Search users', 'admin');
    await gone(page, '[data-user="zosia"]');
    await page.clickOn('[data-user="admin"] h3 button');
    await page.clickOn('[data-user="admin"] button[aria-label^="Edit"]');
    await page.sees('Recorded changes');
    await checkbox('Admin');
    await press(page, '[role="dialog"] button', 'Save roles');
    await page.sees('Remove your own Admin role?');
    await press(page, '[role="alertdialog"] button', 'Remove it');
    await page.has('[role="dialog"] form [role="alert"]');
    await page.until(
      async () => /admin/i.test((await page.text('[role="dialog"] form [role="alert"]')) ?? ''),
      'the refusal',
    );
    await page.isAt('/admin/users');
    await page.has('header a[href="#/admin/dashboard"]');
  });
});
