import type { Page } from 'puppeteer';
import { TestAccount } from '../../test-support/product/product.js';
import { shared } from '../../test-support/shared.js';
import { waitFor } from '../../test-support/wait-for.js';
import { startWebhookReceiver } from '../../test-support/services/webhook-receiver.js';
import { PASSWORD, givePassword } from '../late-readers.js';
import { signedIn } from '../people.js';
import { emptySite } from '../site-under-test.js';
import { confirmIdentity } from './confirm-identity.js';
import { field } from './field.js';

const QUEUES = ['mail', 'upkeep', 'letters', 'reports'];

describe('the administration', () => {
  const { product, browser, pageWith } = emptySite({ PRIVATE_HOSTS: '127.0.0.1' });
  const page = pageWith(['Reader', 'Admin'], '/admin/dashboard');

  describe('the queues', () => {
    it('are an area of the administration, and are counted there', async () => {
      await page.goTo('/admin/dashboard');
      await page.has(
        'nav[aria-label="Administration"] ul[aria-label="Administration"] a[href="#/admin/jobs"]',
      );
      await page.click('link', 'Background jobs');
      await page.isAt('/admin/jobs');
      for (const name of QUEUES) await page.has(`tr[data-queue="${name}"] [data-count="failed"]`);
    });

    it('open in a tab of their own for the admin', async () => {
      const opened = new Promise<Page | null>((resolve) => page.raw.once('popup', resolve));
      await page.click('button', 'Open the queues');
      const board = await opened;
      if (!board) throw new Error('No tab was opened.');
      await page.until(
        async () => board.url().startsWith(`${product.url}/admin/queues`),
        'the page of the queues',
      );
      await page.until(async () => {
        const text = String(
          await board.evaluate('document.body?.innerText ?? ""').catch(() => ''),
        ).toLowerCase();
        return QUEUES.every((name) => text.includes(name));
      }, 'the names of the queues');
      expect(await board.evaluate('window.opener')).toBeNull();
      expect(page.troubles).toEqual([]);
    });
  });

  describe('the webhooks', () => {
    const receiver = shared(() => startWebhookReceiver());
    beforeAll(async () => {
      await page.goTo('/admin/webhooks');
      await page.sees('No webhooks');
    });
    const dialogs = '[role="dialog"], [role="alertdialog"]';
    const closed = () => page.until(async () => (await page.raw.$(dialogs)) === null, 'the window closes');

    it('are added with a secret that is shown once, and refused with the field that is wrong', async () => {
      await page.click('button', 'Add a webhook');
      await field(page, 'Address').type('https://10.0.0.1/events');
      await page.click('button', 'Save');
      await confirmIdentity(page, PASSWORD);
      await page.sees('Choose at least one event.');
      await page.clickOn('input[name="BooksRented"]');
      await page.click('button', 'Save');
      await field(page, 'Address').says(
        'This address is in the library’s own network. Name its host in PRIVATE_HOSTS to allow it.',
      );
      await field(page, 'Address').type(receiver.url);
      await page.click('button', 'Save');
      await page.sees('it will not be shown again');
      expect(await field(page, 'Secret').value()).toMatch(/^whsec_\S{44}$/);
      await page.click('button', 'Done');
      await closed();
      await page.sees('On; nothing sent yet');
      await page.until(
        async () => (await page.text('[data-change="added"]'))?.includes(receiver.url),
        'the change with its address',
      );
    });

    it('show what was sent, and send it again', async () => {
      receiver.reply = () => 500;
      const reader = await product.account();
      await reader.post('Borrow/rent-books', { bookIds: [await product.book(1)] });
      await page.sees('Failing since');
      await page.clickOn('details summary');
      await page.sees('Refused with 500: said the receiver');
      // Until the next attempt by itself is so late that it does not come before the buttons.
      await waitFor(() => receiver.received.length >= 3);
      receiver.reply = () => 204;
      await page.click('button', 'Send again');
      await page.sees('Delivered (204)');
      await page.click('button', 'Try now');
      await page.sees('On; last delivery');
      const before = receiver.received.length;
      await page.click('button', 'Send from here');
      await page.clickOn('[role="alertdialog"] button:last-of-type');
      await waitFor(() => receiver.received.length > before);
      expect(receiver.taken()).toHaveLength(1);
      await page.click('button', 'Send a test');
      await waitFor(() => receiver.received.at(-1)?.event.type === 'test');
    });

    it('are switched off and removed', async () => {
      await page.click('button', 'Switch off');
      await page.has('[data-webhook="admin"]');
      await page.click('button', 'Resume where it stopped');
      await page.has('[data-webhook="on"]');
      await page.click('button', 'Remove');
      await page.has('[role="alertdialog"]');
      await page.clickOn('[role="alertdialog"] button:last-of-type');
      await page.sees('No webhooks');
      await page.has('[data-change="removed"]');
    });
  });

  describe('who works here', () => {
    const atWork = async (account: TestAccount, landing: string) => {
      const credentials = await givePassword(product, account);
      const page = await signedIn(await browser.window(), product.url, credentials, '/admin');
      await page.isAt(landing);
      return page;
    };
    const areas = (page: Awaited<ReturnType<typeof atWork>>) =>
      page.raw.$$eval('nav[aria-label="Administration"] a', (links) =>
        links.map((link) => link.getAttribute('href')),
      );

    it('as a librarian begins at the desk, and sees and does what that takes, and no more', async () => {
      const account = await product.account('Reader', 'Librarian');
      const bookId = await product.book(3);
      const reader = await product.account();
      const page = await atWork(account, '/admin/desk');
      await page.sees('New reader');
      expect(await areas(page)).toEqual(
        ['dashboard', 'desk', 'borrows', 'holds', 'till', 'stock-taking', 'users'].map(
          (each) => `#/admin/${each}`,
        ),
      );
      const lent = await account.post(`Borrow/lend?userId=${reader.id}`, { bookIds: [bookId] });
      expect(lent.status).toBe(200);
      const query = `borrowId=${lent.body.id}&userId=${reader.id}`;
      expect((await account.post(`Borrow/take-back-books?${query}`, { bookIds: [bookId] })).status).toBe(200);
      await page.goTo('/admin/users');
      await page.has('[data-user]');
      expect(await page.raw.$('a[href="#/admin/users/sets"]')).toBeNull();
      await page.goTo('/admin/books');
      await page.sees('You cannot enter this area');
      await page.isAt('/login');
      expect((await account.delete(`Book/${bookId}`)).body.code).toBe('NotAllowed');
      expect((await account.put(`User/roles?id=${reader.id}`, { roles: ['Admin'] })).body.code).toBe(
        'NotAllowed',
      );
      expect((await account.get('Library')).body.code).toBe('NotAllowed');
    });

    it('as a cataloguer begins at the books, and sees and does what those take, and no more', async () => {
      const account = await product.account('Reader', 'Cataloguer');
      const bookId = await product.book(1);
      const page = await atWork(account, '/admin/books');
      await page.has('[data-book-id]');
      expect(await areas(page)).toEqual(
        [
          ...['books', 'authors', 'genres', 'publishers', 'imports', 'duplicates', 'lists'],
          ...['raports/searches', 'raports'],
        ].map((each) => `#/admin/${each}`),
      );
      await page.clickOn('[data-book-id] h3 button');
      await page.has('[data-book-id] button[aria-label^="Delete"]');
      expect(await page.raw.$('a[href^="#/admin/holds"]')).toBeNull();
      expect((await account.post('Copy', { bookId })).status).toBe(201);
      await page.goTo('/admin/desk');
      await page.sees('You cannot enter this area');
      expect((await account.post('Desk/scan', { scan: '1' })).body.code).toBe('NotAllowed');
      expect((await account.get('Borrow')).body.code).toBe('NotAllowed');
      expect((await account.get('User')).body.code).toBe('NotAllowed');
    });

    it('is given a set that an admin makes, and has it until it is deleted', async () => {
      const admin = await product.account('Reader', 'Admin');
      await page.goTo('/admin/users/sets');
      await page.sees('The library has no set of its own yet.');
      await page.click('button', 'Add a permission set');
      await field(page, 'Name').type('Till only');
      await page.raw.evaluate(`[...document.querySelectorAll('[role="dialog"] fieldset label')]
        .find((each) => each.textContent === 'see the till').querySelector('input').click()`);
      await page.click('button', 'Save');
      await page.has('[data-set="Till only"]');
      await page.sees('see the till');
      const { body } = await admin.get('PermissionSet');
      const [set] = body as unknown as { id: string }[];
      const person = await product.account('Reader', set?.id ?? '');
      const till = await atWork(person, '/admin/till');
      expect(await areas(till)).toEqual(['#/admin/till']);
      await page.click('button', 'Delete “Till only”');
      await page.sees('person loses it at once');
      await page.clickOn('[role="alertdialog"] button ::-p-text(Delete)');
      await till.sees('You cannot enter this area');
      expect((await person.get('Payment/till?day=2026-11-05')).body.code).toBe('NotAllowed');
    });
  });
});
