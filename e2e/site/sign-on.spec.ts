import type { BrowserPage } from '../../test-support/browser/browser-page.js';
import { shared } from '../../test-support/shared.js';
import { SIGN_ON_SECRET, startSignOnProvider } from '../../test-support/services/sign-on-provider.js';
import { confirmIdentity } from './confirm-identity.js';
import { field } from './field.js';
import { emptySite } from '../site-under-test.js';
import { PASSWORD } from '../late-readers.js';

describe('signing in with another house', () => {
  const { product, browser, pageWith } = emptySite({ PRIVATE_HOSTS: '127.0.0.1' });
  const page = pageWith(['Admin'], '/admin/library/sign-on');
  const school = shared(() =>
    startSignOnProvider(() => [
      {
        client_id: 'library',
        client_secret: SIGN_ON_SECRET,
        redirect_uris: [`${product.url}/api/Account/sign-on/school/back`],
        post_logout_redirect_uris: [`${product.url}/`],
      },
    ]),
  );
  let reader: BrowserPage;

  it('is set up by an admin, who sees what is wrong and what the other side needs', async () => {
    await page.sees('No providers');
    await page.click('button', 'Add provider');
    await page.click('button', 'Save');
    await page.sees('This is needed.');
    await field(page, 'Name').type('School No. 7');
    await field(page, 'Short name').type('school');
    await page.sees(`${product.url}/api/Account/sign-on/school/back`);
    await field(page, 'Issuer').type(school.issuer);
    await field(page, 'Client ID').type('library');
    await field(page, 'Client secret').type('not this one');
    await page.clickOn('input[name="makesAccounts"]');
    await page.click('button', 'Save');
    await confirmIdentity(page, PASSWORD);
    await page.has('[data-item="School No. 7"]');
    await page.click('button', 'Try');
    await page.sees('refused the library’s client');
    await page.click('button', 'Edit');
    await field(page, 'Client secret').type(SIGN_ON_SECRET);
    await page.click('button', 'Save');
    await page.until(async () => (await page.raw.$('[role="dialog"]')) === null, 'the window closes');
    await page.click('button', 'Try');
    await page.has('[data-tried="good"]');
    // Refused until the admin has said again who they are.
    expect(page.troubles.filter((trouble) => !/ 403 .*SignOn$/.test(trouble))).toEqual([]);
  });

  it('leads there and back to the page that was wanted, and asks a new reader for the rest', async () => {
    school.people['jan'] = {
      ...{ given_name: 'Jan', family_name: 'Kowalski', birthdate: '2008-02-03', gender: 'male' },
      ...{ email: 'jan@school.example', email_verified: true },
    };
    reader = await (await browser.window()).page(`${product.url}/#/lists`);
    await reader.isAt('/login');
    await reader.click('button', 'Sign in with School No. 7');
    await reader.click('link', 'jan');
    await reader.sees('Welcome to the library');
    expect(await reader.route()).toBe('/sign-on/school');
    expect(await field(reader, 'First name').value()).toBe('Jan');
    await reader.fill('Country', 'Poland');
    await reader.fill('Address', 'ul. Długa 7');
    await reader.fill('City', 'Kraków');
    await reader.fill('Postal code', '31-146');
    await reader.click('button', 'Create account');
    await reader.isAt('/lists');
    expect(reader.troubles).toEqual([]);
  });

  it('ends there too, and begins anew without a question', async () => {
    await reader.clickOn('header button[aria-haspopup="menu"]');
    await reader.click('menuitem', 'Sign out');
    await reader.until(
      () => Promise.resolve(reader.raw.url().startsWith(school.issuer)),
      'the page of the provider that signs out',
    );
    await reader.raw.goto(`${product.url}/#/login`);
    await reader.click('button', 'Sign in with School No. 7');
    await reader.isAt('/profile');
    await reader.sees('Jan Kowalski');
  });
});
