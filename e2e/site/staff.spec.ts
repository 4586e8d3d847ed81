import { openBrowser } from '../../test-support/worker-browser.js';
import { startProduct, type TestAccount } from '../../test-support/product.js';
import { shared } from '../../test-support/shared.js';
import { givePassword } from '../late-readers.js';
import { signedIn } from '../people.js';
import { confirmIdentity } from './confirm-identity.js';
import { field } from './field.js';

describe('who works here', () => {
  const product = shared(() => startProduct());
  const browser = shared(() => openBrowser());

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
    const credentials = await givePassword(product, admin);
    const page = await signedIn(await browser.window(), product.url, credentials, '/admin/users/sets');
    await page.sees('The library has no set of its own yet.');
    await page.click('button', 'Add a permission set');
    await field(page, 'Name').type('Till only');
    await page.raw.evaluate(`[...document.querySelectorAll('[role="dialog"] fieldset label')]
      .find((each) => each.textContent === 'see the till').querySelector('input').click()`);
    await page.click('button', 'Save');
    await confirmIdentity(page, credentials.password);
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
