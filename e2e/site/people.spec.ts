import { accessibilityFaults } from '../../test-support/browser/axe.js';
import type { BrowserPage } from '../../test-support/browser/browser-page.js';
import { lettersTo } from '../../test-support/mail/mailed.js';
import { shared } from '../../test-support/shared.js';
import { waitFor } from '../../test-support/wait-for.js';
import { PASSWORDS, registerByApi, signedIn } from '../people.js';
import { siteUnderTest } from '../site-under-test.js';
import { confirmIdentity } from './confirm-identity.js';
import { field } from './field.js';
import { toast } from './toast.js';

const OLD = 'Stare#2025';
const NEW = 'Nowe#2026';
const EMAIL = 'lis@example.org';
/** The admin and a reader of the demo. */
const [HELENA, JULIA] = ['helena.nowicka@lectern.example', 'julia.kaczmarek@lectern.example'];

describe('people and what they are written', () => {
  const { product, browser, guestPage, pageOf, callerOf } = siteUnderTest();
  const page = pageOf('admin');

  describe('the roles of readers', () => {
    const reader = shared(async () => {
      const zosia = { username: 'zosia', password: 'Sekret#2026' };
      await registerByApi(product.url, { ...zosia, firstname: 'Zofia', lastname: 'Wiśniewska' });
      return signedIn(await browser.window(), product.url, zosia);
    });

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

  describe('the letters of a library', () => {
    const admin = callerOf('admin');
    const reader = callerOf('reader');
    const fieldOf = (message: string, form: string) =>
      `[data-message="${message}"] [data-form="form=${form}"]`;
    const subject = fieldOf('letter_rented_subject', 'one');
    const shown = () =>
      page.raw.evaluate(`document.querySelector('[data-letter]').shadowRoot.textContent`) as Promise<string>;

    it('are seen while they are written, refused by name, and tried before they are kept', async () => {
      await page.goTo('/admin/library/letters');
      await page.click('link', 'Books wait at the desk');
      await page.has('[data-letter="shown"]');
      expect(await accessibilityFaults(page.raw)).toEqual([]);
      await page.raw.locator(subject).fill('Come by {due}');
      await page.sees('There is no {due} here.');
      for (const form of ['one', 'other']) {
        await page.raw.locator(fieldOf('letter_rented_subject', form)).fill('Come by {day}');
        await page.raw
          .locator(fieldOf('letter_rented_set_aside', form))
          .fill('It waits **here**.\n\n<b>Yours</b>');
      }
      await waitFor(async () => (await shown()).includes('<b>Yours</b>'));
      expect(
        await page.raw.evaluate(
          `getComputedStyle(document.querySelector('[data-letter]').shadowRoot.querySelector('strong').closest('p')).fontSize`,
        ),
      ).toBe('16px');
      await page.click('button', 'Send a test to myself');
      await toast(page, 'success', 'The test is on its way to your email address.');
      const tried = await lettersTo(product.url, HELENA);
      expect(tried.map((letter) => letter.subject)).toContainEqual(expect.stringMatching(/^Come by \d{4}-/));
    });

    it('go out in the words that were saved', async () => {
      await page.click('button', 'Save');
      await toast(page, 'success', 'Saved.');
      const { items } = await reader.get<{ items: { id: number }[] }>('Book?pageNumber=1&pageSize=20');
      await reader.rent(items.slice(7, 8).map(({ id }) => id));
      await waitFor(async () =>
        (await lettersTo(product.url, JULIA)).some((letter) => letter.subject.startsWith('Come by 2')),
      );
    });

    it('are put back to the usual texts once that was confirmed', async () => {
      await page.goTo('/admin/library/letters');
      await page.sees('Own words: English');
      await page.click('link', 'Books wait at the desk');
      await page.click('button', 'Back to the usual texts');
      await page.clickOn('[role="alertdialog"] button:last-of-type');
      await page.has(`${subject}[value^="Your book waits"]`);
      await page.goTo('/admin/library/letters');
      await page.until(async () => !(await page.text('main'))?.includes('Own words'), 'usual texts alone');
    });

    it('are left unsent where that is chosen', async () => {
      await page.raw.locator('main form li:nth-of-type(3) input[type="checkbox"]').click();
      await page.fill('Days until the next one', '0');
      await page.click('button', 'Save');
      await page.sees('A number of days from 1 to 365.');
      await page.fill('Days until the next one', '14');
      await page.click('button', 'Save');
      await toast(page, 'success', 'Saved.');
      // The change before was announced in the same words.
      await waitFor(async () => {
        const { letters, overdue } = await admin.get<{
          letters: { letter: string; isSent: boolean }[];
          overdue: { every: number };
        }>('Library/letters');
        const unsent = letters.filter(({ isSent }) => !isSent).map(({ letter }) => letter);
        return unsent.join() === 'due-soon' && overdue.every === 14;
      });
    });
  });

  describe('a forgotten password', () => {
    let link: string;
    let wordsForNobody: string;

    const page = guestPage('/forgot-password');
    beforeAll(async () => {
      await registerByApi(product.url, {
        username: 'lis',
        password: OLD,
        firstname: 'Zofia',
        lastname: 'Lis',
      });
    });

    const letters = async (to: string) => {
      const messages = await lettersTo(product.url, to);
      return messages.flatMap(({ links }) => links).filter((each) => each.includes('reset-password'));
    };
    const submit = () => page.clickOn('main form button[type="submit"]');
    const logIn = async (password: string) => {
      await page.isAt('/login');
      await page.fill('Username', 'lis');
      await page.fill('Password', password);
      await submit();
    };

    it('says the same for an address that nobody has', async () => {
      await field(page, 'Email').type('nobody@example.org');
      await submit();
      await toast(page, 'success', 'The email with the link is on its way');
      wordsForNobody = await page.until(
        async () => (await page.text('main p[role="status"]')) || undefined,
        'words under the form',
      );
    });

    it('is sent to who has an account, with the same words', async () => {
      await field(page, 'Email').type(EMAIL);
      await submit();
      await toast(page, 'success', 'The email with the link is on its way');
      await page.reads('main p[role="status"]', wordsForNobody);
      link = await page.until(async () => (await letters(EMAIL))[0], 'the letter');
      expect(await letters('nobody@example.org')).toEqual([]);
    });

    it('is chosen anew from the letter, whose token does not stay in the address', async () => {
      await page.raw.goto(link);
      await page.sees(EMAIL);
      await page.until(
        async () => (await page.route()) === '/reset-password',
        'the token is out of the address',
      );
    });

    it('is reset, and leads to the sign-in page', async () => {
      await page.fill('New password', NEW);
      await submit();
      await toast(page, 'success', 'Your password has been changed');
      await page.isAt('/login');
    });

    it('opens nothing more under its old form, and everything under the new one', async () => {
      await logIn(OLD);
      await page.has('main form [role="alert"]');
      await page.isAt('/login');
      await logIn(NEW);
      await page.isAt('/profile');
      await page.sees('Welcome back, Lis');
    });
  });
});
