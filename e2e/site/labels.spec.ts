import { PASSWORDS, signIn } from '../people.js';
import { siteUnderTest } from '../site-under-test.js';
import { field } from './field.js';

/** Each text in either wording is proved beside the labels; here, that an installation's setting reaches every screen. */
describe('with LABELS=corrected', () => {
  const page = siteUnderTest({ environment: { LABELS: 'corrected' } }).guestPage('/login');

  it('the library is called as it should be, and asks for the country', async () => {
    await page.sees('Forgot password?');
    expect(await page.raw.title()).toContain('Lectern');
    await page.reads('header a', 'Lectern');
    await signIn(page, 'admin', PASSWORDS.admin);
    await page.isAt('/profile');
    await page.click('button', 'Edit Profile');
    await page.has('[role="dialog"] select');
    await field(page, 'Country').clear();
    await field(page, 'Country').says('Country is required');
    await page.clickOn('[role="dialog"] button ::-p-text(Cancel)');
  });

  // spec 2.37
  it('the publishers and the reports have their names as headings, in the menu and on their buttons', async () => {
    await page.goTo('/admin/publishers');
    await page.has('input[aria-label="Search publishers"]');
    await page.reads('main h2', 'Publishers');
    await page.click('button', 'Add Publisher');
    await page.reads('[role="dialog"] h2', 'Add Publisher');
    await page.clickOn('[role="dialog"] button ::-p-text(Cancel)');
    await page.click('link', 'Reports');
    await page.isAt('/admin/raports');
    await page.until(async () => (await page.text('main h2')) === 'Reports', 'the heading');
    await page.sees('Download inventory report of books');
  });
});
