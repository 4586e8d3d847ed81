import { openBrowser, type TestBrowser } from '../../test-support/browser.js';
import type { BrowserPage } from '../../test-support/browser-page.js';
import { startInstallation, type InstallationProcess } from '../../test-support/installation-process.js';
import { apiCaller } from '../api-caller.js';
import { PASSWORDS, registerByApi, signedIn } from '../people.js';
import { answering, problem } from './calls.js';
import { confirmIdentity } from './confirm-identity.js';
import { choices, field } from './field.js';
import { toast } from './toast.js';

const REQUIRED = [
  ['Firstname', 'Firstname is required'],
  ['Lastname', 'Lastname is required'],
  ['Date of Birth', 'Date of Birth is required'],
  ['Gender', 'Gender is required'],
  // As found.
  ['Country', 'City is required'],
  ['Address', 'Address is required'],
  ['City', 'City is required'],
  ['Postal Code', 'Postal Code is required (5 digits)'],
] as const;

const PASSWORD = 'Sekret#2026';
const PEOPLE = [
  ['zosia', 'Zofia', 'Wiśniewska'],
  ['aleks', 'Tomasz', 'Łęcki'],
  ['marek', 'Bogna', 'Adamska'],
] as const;

describe('readers', () => {
  let product: InstallationProcess;
  let browser: TestBrowser;
  let reader: BrowserPage;
  let page: BrowserPage;

  beforeAll(async () => {
    product = await startInstallation();
    browser = await openBrowser();
    for (const [username, firstname, lastname] of PEOPLE)
      await registerByApi(product.url, { username, password: PASSWORD, firstname, lastname });
    reader = await signedIn(await browser.window(), product.url, { username: 'zosia', password: PASSWORD });
    page = await signedIn(await browser.window(), product.url, {
      username: 'admin',
      password: PASSWORDS.admin,
    });
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  const gone = (where: BrowserPage, selector: string) =>
    where.until(async () => (await where.raw.$(selector)) === null, `${selector} is gone`);
  const press = async (where: BrowserPage, selector: string, words: string) => {
    await where.raw.bringToFront();
    await where.clickOn(`${selector} ::-p-text(${words})`);
  };
  const save = (where: BrowserPage) => where.clickOn('[role="dialog"] form button[type="submit"]');

  describe('as they see themselves', () => {
    // spec 2.24
    it('are shown with what the library knows of them', async () => {
      await reader.isAt('/profile');
      await reader.sees('Zofia Wiśniewska');
      await reader.has('main dl dt');
      const facts = await reader.raw.$$eval('main dl dt', (all) => all.map((each) => each.textContent));
      expect(facts).toEqual([
        'Date of birth',
        'Reader since',
        'Username',
        'Gender',
        'Country',
        'City',
        'Address',
        'Postal code',
      ]);
    });

    // spec 2.41
    it('edit themselves in a dialog that asks for each of its eight fields', async () => {
      await reader.click('button', 'Edit Profile');
      await reader.has('[role="dialog"] h2');
      await reader.reads('[role="dialog"] h2', 'Edit Profile');
      for (const [label, message] of REQUIRED) {
        await field(reader, label).says();
        await field(reader, label).clear();
        await field(reader, label).says(message);
      }
      await save(reader);
      await reader.until(
        async () => (await reader.raw.evaluate('document.activeElement.name')) === 'firstname',
        'the focus is in the first field that is missing',
      );
    });

    it('are asked before what they typed is lost, and Cancel loses it', async () => {
      await reader.raw.keyboard.press('Escape');
      await reader.sees('Close without saving?');
      await press(reader, '[role="alertdialog"] button', 'Keep editing');
      await gone(reader, '[role="alertdialog"]');
      expect(await field(reader, 'Firstname').value()).toBe('');
      await press(reader, '[role="dialog"] button', 'Cancel');
      await gone(reader, '[role="dialog"]');
      await reader.sees('Zofia Wiśniewska');
    });

    // spec 8.10
    it('are told when it failed, and when it was done', async () => {
      await reader.click('button', 'Edit Profile');
      await reader.has('[role="dialog"] h2');
      expect(await field(reader, 'Firstname').value()).toBe('Zofia');
      await field(reader, 'City').type('Gdynia');
      await answering(reader, 'PUT User', problem(500, 'The shelves fell over.'), async () => {
        await save(reader);
        await toast(reader, 'error', 'Failed to update reader');
      });
      await reader.sees('The shelves fell over.');
      expect(await field(reader, 'City').value()).toBe('Gdynia');
      await save(reader);
      await toast(reader, 'success', 'Reader successfully updated');
      await gone(reader, '[role="dialog"]');
      await reader.sees('Gdynia');
    });
  });

  describe('as the administration sees them', () => {
    const names = () =>
      page.raw.$$eval('[data-user]', (all) => all.map((each) => each.getAttribute('data-user')));
    const finds = async (words: string, ...usernames: string[]) => {
      await page.fill('Search users', words);
      await page.until(
        async () => JSON.stringify(await names()) === JSON.stringify(usernames),
        `${words} finds ${usernames.join(', ')}`,
      );
    };
    const open = async (username: string) => {
      await page.clickOn(`[data-user="${username}"] h3 button`);
      await page.has(`[data-user="${username}"] dl`);
    };

    it('are listed by username or by name', async () => {
      await page.goTo('/admin/users');
      await page.has('[data-user="zosia"]');
      const listed = (await names()).map(String);
      expect(listed).toEqual([...listed].sort());
      expect(listed).toEqual(
        expect.arrayContaining(['admin', 'aleks', 'auditor', 'marek', 'reader', 'zosia']),
      );
      expect(await choices(page, 'Sort by')).toEqual(['Username', 'Name']);
      await page.fill('Sort by', 'Name');
      const three = async () =>
        (await names()).filter((each) => ['zosia', 'aleks', 'marek'].includes(String(each)));
      await page.until(
        async () => JSON.stringify(await three()) === '["marek","aleks","zosia"]',
        'sorted by name',
      );
    });

    it('are found by name, by username and by e-mail', async () => {
      await finds('wisniewska', 'zosia');
      await finds('alek', 'aleks');
      await finds('marek@example', 'marek');
      await page.fill('Search users', 'nobody at all');
      await page.sees('No reader matches');
      await page.click('button', 'Show all readers');
      await page.has('[data-user="marek"]');
    });

    // spec 2.40
    it('are opened one at a time, with every field', async () => {
      await open('zosia');
      expect(
        await page.raw.$$eval('[data-user="zosia"] dl dt', (all) => all.map((each) => each.textContent)),
      ).toEqual([
        'Username',
        'Email',
        'First name',
        'Last name',
        'Date of birth',
        'User since',
        'Gender',
        'Country',
        'City',
        'Address',
        'Postal code',
        'Kind of reader',
      ]);
      expect(await page.text('[data-user="zosia"] dl')).toContain('zosia@example.org');
      await open('marek');
      await gone(page, '[data-user="zosia"] dl');
      await page.clickOn('[data-user="marek"] h3 button');
      await gone(page, '[data-user] dl');
    });

    it('are edited, all eight fields being required', async () => {
      await open('marek');
      await page.click('button', 'Edit Bogna Adamska');
      for (const [label, message] of REQUIRED) {
        await field(page, label).clear();
        await field(page, label).says(message);
      }
      await press(page, '[role="dialog"] button', 'Cancel');
      await gone(page, '[role="dialog"]');
      await page.click('button', 'Edit Bogna Adamska');
      await field(page, 'Lastname').type('Zielińska');
      await answering(page, 'PUT User', 'no answer', async () => {
        await save(page);
        await toast(page, 'error', 'Failed to update reader');
      });
      await save(page);
      await toast(page, 'success', 'Reader successfully updated');
      await page.until(
        async () => ((await page.text('[data-user="marek"]')) ?? '').includes('Bogna Zielińska'),
        'the new name in the list',
      );
    });

    it('are not saved over what they changed themselves meanwhile', async () => {
      await open('aleks');
      await page.click('button', 'Edit Tomasz Łęcki');
      await field(page, 'City').type('Toruń');
      const himself = await apiCaller(product.url, 'aleks', PASSWORD);
      const profile = await himself.get<{ id: string }>('User/profile');
      await himself.put(`User?id=${profile.id}`, { ...profile, postalCode: '87-100' });
      await save(page);
      await toast(page, 'error', 'Failed to update reader');
      await page.click('button', 'Load the newer version');
      await page.sees('The newer version is shown');
      expect(await field(page, 'City').value()).toBe('Toruń');
      expect(await field(page, 'Postal Code').value()).toBe('87-100');
      await save(page);
      await toast(page, 'success', 'Reader successfully updated');
      await gone(page, '[role="dialog"]');
    });
  });

  describe('with roles', () => {
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
      await page.fill('Search users', 'zosia');
      await page.until(async () => (await page.raw.$$('[data-user]')).length === 1, 'zosia alone');
      await page.clickOn('[data-user="zosia"] h3 button');
      await page.click('button', 'Edit Zofia Wiśniewska');
      await page.sees('No role has been given or taken yet.');
      await checkbox('Admin');
      await press(page, '[role="dialog"] button', 'Save roles');
      await confirmIdentity(page, PASSWORDS.admin);
      await toast(page, 'success', 'Roles successfully updated');
      await page.sees('gave Admin');
      await reader.has('header a[href="#/admin/dashboard"]');
      await reader.click('link', 'Admin');
      await reader.isAt('/admin/dashboard');
      await reader.sees('Administrator panel');
    });

    it('are turned away from where they are as soon as they may not be there', async () => {
      await checkbox('Admin');
      await press(page, '[role="dialog"] button', 'Save roles');
      await page.sees('Take the role Admin from Zofia Wiśniewska?');
      await press(page, '[role="alertdialog"] button', 'Take it away');
      await toast(page, 'success', 'Roles successfully updated');
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
      await page.sees('Take the role Admin from yourself?');
      await press(page, '[role="alertdialog"] button', 'Take it away');
      await page.has('[role="dialog"] form [role="alert"]');
      await page.until(
        async () => /admin/i.test((await page.text('[role="dialog"] form p[role="alert"]')) ?? ''),
        'the refusal',
      );
      await page.isAt('/admin/users');
      await page.has('header a[href="#/admin/dashboard"]');
    });
  });
});
