import { copyCode } from '#contracts/catalogue/copy-code.js';
import { borrowNumber } from '#contracts/borrowing/queue-search.js';
import type { BrowserPage } from '../../test-support/browser/browser-page.js';
import type { BrowserWindow } from '../../test-support/browser/browser.js';
import { type TestAccount } from '../../test-support/product/product.js';
import { TestClock } from '../../test-support/test-clock.js';
import { shared } from '../../test-support/shared.js';
import { givePassword } from '../late-readers.js';
import { signedIn } from '../people.js';
import { emptySite } from '../site-under-test.js';

const DAY = 24 * 3_600_000;
const LONG_TITLE = 'Pan Tadeusz, czyli ostatni zajazd na Litwie';

interface Rented {
  id: string;
  bookId: number;
}

describe('the librarian’s queue, by hand', () => {
  const clock = new TestClock();

  let window: BrowserWindow;

  let queue: BrowserPage;

  let early: Rented;

  const row = (id: string, status?: string) =>
    `tr[data-borrow-id="${id}"]${status === undefined ? '' : `[data-status="${status}"]`}`;
  const press = async (...keys: Parameters<BrowserPage['raw']['keyboard']['press']>[0][]) => {
    for (const key of keys) await queue.raw.keyboard.press(key);
  };
  const focused = (selector: string) => queue.has(`${selector}:focus`);

  async function reader(firstname: string, lastname: string): Promise<TestAccount & { username: string }> {
    const account = await product.account();
    const { rows } = await product.database.query<{ username: string }>(
      'update account set firstname = $2, lastname = $3 where id = $1 returning username',
      [account.id, firstname, lastname],
    );
    return { ...account, username: rows[0]?.username ?? '' };
  }
  async function rent(account: TestAccount, title: string): Promise<Rented> {
    const bookId = await product.book(1, title);
    const { body } = await (await product.signIn(account)).post('Borrow/rent-books', { bookIds: [bookId] });
    return { id: (body as { borrowId: string }).borrowId, bookId };
  }
  async function issue(account: TestAccount, { id, bookId }: Rented): Promise<void> {
    const path = `Borrow/issue-books?borrowId=${id}&userId=${account.id}`;
    expect((await (await product.signIn(admin)).post(path, { bookIds: [bookId] })).status).toBe(200);
  }
  const typesOf = async ({ pseudonym }: TestAccount, id: string) =>
    (await product.log.readStream('borrows', pseudonym)).flatMap(({ event }) =>
      'borrowId' in event.data && event.data.borrowId === id ? [event.type] : [],
    );
  const show = async (search: string) => {
    await queue.raw.bringToFront();
    await queue.goTo('/admin/house');
    await queue.has('li[data-part]');
    await queue.goTo(`/admin/borrows${search}`);
    await queue.has('table[aria-busy="false"] tr[data-borrow-id]');
  };

  const { product, browser } = emptySite({}, clock);
  const admin = shared(() => product.account('Admin'));
  /** Has a book that is late, and one that they rented later. */
  const adam = shared(() => reader('Adam', 'Zagajewski'));
  const late = shared(() => rent(adam, 'Dwa miasta'));
  beforeAll(async () => {
    await issue(adam, late);
    await clock.forward(10 * DAY);
    early = await rent(adam, 'Obrona żarliwości');
    await clock.forward(5 * DAY);
    const { username, password } = await givePassword(product, admin);
    window = await browser.window();
    queue = await signedIn(window, product.url, { username, password }, '/admin/borrows');
    await queue.has('[data-live="live"]');
  });

  it('issues once when Enter is pressed twice, and takes nothing back that has just been issued', async () => {
    const jan = await reader('Jan', 'Kowalczyk');
    const { id } = await rent(jan, LONG_TITLE);
    await show('');
    await queue.has(row(id, 'Rented'));
    // Pressed again in the very moment in which Return has come.
    const held = queue.raw.evaluate(
      `new Promise((resolve) => {
        const observer = new MutationObserver(() => {
          const button = document.querySelector('${row(id)} [data-step="return"]');
          if (!button) return;
          observer.disconnect();
          button.click();
          resolve(button.dataset.held !== undefined && document.activeElement === button);
        });
        observer.observe(document.body, { subtree: true, childList: true, attributes: true });
      })`,
    );
    await queue.raw.focus(`${row(id)} [data-step="issue"]`);
    // As fast as a hand does it, however busy this process is.
    const { keyboard } = queue.raw;
    await Promise.all([
      keyboard.down('Enter'),
      keyboard.up('Enter'),
      keyboard.down('Enter'),
      keyboard.up('Enter'),
    ]);
    expect(await held).toBe(true);
    await queue.has(row(id, 'Issued'));
    await queue.sees('Books issued');
    await queue.sees(`${LONG_TITLE} · Jan Kowalczyk`);
    expect(await typesOf(jan, id)).toEqual(['BooksRented', 'BooksIssued']);
    // What was not meant is undone: by the button beside what is said of it, or by a key.
    await queue.clickOn('.toast-action');
    await queue.sees('The issue was undone');
    await queue.has(row(id, 'Rented'));
    await queue.has(`${row(id)} [data-step="issue"]:not([data-held])`);
    await queue.raw.focus(`${row(id)} a`);
    await press('i');
    await queue.has(row(id, 'Issued'));
    await queue.raw.keyboard.down('Control');
    await press('z');
    await queue.raw.keyboard.up('Control');
    await queue.has(row(id, 'Rented'));
    await queue.has(`${row(id)} [data-step="issue"]:not([data-held])`);
    await press('i');
    await queue.has(row(id, 'Issued'));
    await queue.has(`${row(id)} [data-step="return"]:not([data-held])`);
    await queue.raw.focus(`${row(id)} [data-step="return"]`);
    await press('Enter');
    await queue.has(row(id, 'Returned'));
    const [issued, undone] = ['BooksIssued', 'IssueUndone'];
    expect(await typesOf(jan, id)).toEqual([
      'BooksRented',
      ...[issued, undone, issued, undone, issued],
      'BooksReturned',
    ]);
  });

  it('has a key for everything', async () => {
    const anna = await reader('Anna', 'Nowak');
    const borrows = [await rent(anna, 'Lalka'), await rent(anna, 'Solaris'), await rent(anna, 'Ferdydurke')];
    const [first, second, third] = borrows.map(({ id }) => id) as [string, string, string];
    await show('?q=nowak');
    // The newest first.
    await press('j');
    await focused(`${row(third)} a`);
    await press('j', 'j', 'j');
    await focused(`${row(first)} a`);
    await press('k');
    await focused(`${row(second)} a`);
    await press('i');
    await queue.has(row(second, 'Issued'));
    await focused(`${row(second)} a`);
    await queue.has(`${row(second)} [data-step="return"]:not([data-held])`);
    await press('r');
    await queue.has(row(second, 'Returned'));
    await press('k', 'x');
    await queue.has(`${row(third)}[data-selected]`);
    await press('x', '?');
    await queue.has('[role="dialog"] kbd');
    // A window over the queue has its own keys.
    await press('i', 'Escape');
    await queue.until(
      async () => (await queue.raw.$('[role="dialog"]')) === null,
      'the list of keys is closed',
    );
    await focused(`${row(third)} a`);
    await press('/');
    await focused('input[type="search"]');
    await queue.raw.keyboard.type('i');
    expect(await typesOf(anna, third)).toEqual(['BooksRented']);
  });

  it('opens a borrow beside it, which follows what happens, has an address and is closed by Back', async () => {
    const maria = await reader('Maria', 'Dąbrowska');
    const borrow = await rent(maria, 'Noce i dnie');
    await show('?q=dabrowska');
    await press('j', 'Enter');
    await queue.has('[data-drawer] [data-event="BooksRented"]');
    await queue.reads('[data-drawer] h2', 'Maria Dąbrowska');
    // It keeps the focus.
    for (let tab = 0; tab < 12; tab += 1) await press('Tab');
    expect(await queue.raw.evaluate(`document.activeElement.closest('[data-drawer]') !== null`)).toBe(true);
    await issue(maria, borrow);
    await queue.has('[data-drawer] [data-event="BooksIssued"]');
    const address = await queue.route();
    expect(address).toContain(borrow.id);

    const sent = await window.page(`${product.url}/#${address}`);
    await sent.has('[data-drawer] [data-event="BooksIssued"]');
    await sent.raw.keyboard.press('Escape');
    await sent.has(row(borrow.id, 'Issued'));
    await sent.until(async () => (await sent.route()) === '/admin/borrows?q=dabrowska', 'the list alone');
    await sent.raw.close();

    await queue.raw.bringToFront();
    await queue.raw.goBack();
    await queue.until(async () => (await queue.raw.$('[data-drawer]')) === null, 'the borrow is closed');
    await focused(`${row(borrow.id)} a`);
    expect(await queue.route()).toBe('/admin/borrows?q=dabrowska');
    await press('Enter');
    await queue.has('[data-drawer] [data-step="return"]:not([data-held])');
    await queue.clickOn('[data-drawer] [data-step="return"]');
    await queue.has('[data-drawer] [data-event="BooksReturned"]');
    await press('Escape');
    await queue.has(row(borrow.id, 'Returned'));
    await focused(`${row(borrow.id)} a`);
  });

  it('finds a borrow by words in any order, a label, an ISBN, a user name and its number', async () => {
    const jan = await reader('Jan', 'Kowalczyk');
    const { id, bookId } = await rent(jan, 'Quo vadis');
    await rent(await reader('Janina', 'Kowal'), 'Chłopi');
    await product.database.query('update book set isbn = $2 where id = $1', [bookId, '9788373271890']);
    const terms = ['Kowalczyk Jan quo', copyCode({ bookId, copy: 1 }), '978-83-7327-189-0', jan.username];
    for (const term of [...terms, borrowNumber(id), id]) {
      await show('');
      await queue.fill('Search borrows', term);
      await press('Enter');
      await queue.until(
        async () =>
          (
            await queue.raw.$$eval('tr[data-borrow-id]', (rows) =>
              rows.map((each) => each.dataset['borrowId']),
            )
          ).join() === id,
        `${term} finds it alone`,
      );
    }
  });

  it('leads to people, books, borrows and places by one field', async () => {
    const ewa = await reader('Ewa', 'Szymborska');
    const { id } = await rent(ewa, 'Koniec i początek');
    await queue.goTo('/admin/dashboard');
    await queue.has('[data-counter]');
    const find = async (text: string) => {
      await queue.raw.keyboard.down('Control');
      await press('k');
      await queue.raw.keyboard.up('Control');
      await focused('[data-palette] input');
      await queue.raw.keyboard.type(text);
    };
    await find('szymborska ewa');
    // What the first letters found is there before what all of them do.
    const listed = () => queue.text('[data-palette] [role="listbox"]');
    for (const words of ['People', ewa.username, 'Borrows', 'Koniec i początek'])
      await queue.until(async () => (await listed())?.includes(words) === true, words);
    await press('ArrowDown', 'Enter');
    await queue.has('[data-drawer] [data-event="BooksRented"]');
    expect(await queue.route()).toBe(`/admin/borrows?borrow=${id}`);
    await press('Escape');
    await find('szymborska ewa');
    await queue.has('[data-palette] [role="group"]:nth-child(2) [role="option"]');
    await press('Enter');
    await queue.isAt(`/admin/readers/${ewa.id}`);
    await queue.has(`[data-reader-panel="${ewa.username}"]`);
    await find('system st');
    await queue.has('[data-palette] [role="option"][aria-selected="true"]');
    await queue.until(
      async () => (await queue.text('[data-palette] [aria-selected="true"]'))?.includes('System status'),
      'the system status',
    );
    await press('Enter');
    await queue.isAt('/admin/house');
    await find('qwertzuiop');
    await queue.sees('Nothing matches “qwertzuiop”.');
    await press('Escape');
  });

  it('issues and takes back what is selected of one reader, and names what was refused', async () => {
    const other = await rent(await reader('Julia', 'Hartwig'), 'Błyski');
    await show('');
    for (const { id } of [late, early, other]) await queue.clickOn(`${row(id)} input`);
    await queue.sees('Issue and return one reader’s borrows at a time.');
    await queue.clickOn(`${row(other.id)} input`);
    await queue.sees('2 selected, Adam Zagajewski');
    await issue(adam, early);
    await queue.has(row(early.id, 'Issued'));
    await queue.clickOn('[data-bulk="return"]');
    await queue.sees('1 borrow of 2 not taken back:');
    const refused = await queue.text('[role="group"][aria-label="Selected borrows"] [role="alert"] li');
    expect(refused).toMatch(/^Dwa miasta: .*[Ff]ee/);
    await queue.has(row(early.id, 'Returned'));
    await queue.has(row(late.id, 'Not_Paid'));
    await queue.has(`${row(late.id)}[data-selected]`);
    expect(await queue.raw.$(`${row(early.id)}[data-selected]`)).toBeNull();
    await queue.click('button', 'Clear');
  });

  it('undoes a whole run, and names what had gone on', async () => {
    const stefan = await reader('Stefan', 'Żeromski');
    const run = [
      await rent(stefan, 'Popioły'),
      await rent(stefan, 'Wierna rzeka'),
      await rent(stefan, 'Syzyfowe prace'),
    ];
    const [first, second, gone] = run as [Rented, Rented, Rented];
    await show('?q=zeromski');
    for (const { id } of run) await queue.clickOn(`${row(id)} input`);
    await queue.clickOn('[data-bulk="issue"]');
    await queue.sees('3 borrows · Stefan Żeromski');
    for (const { id } of run) await queue.has(row(id, 'Issued'));
    const back = `Borrow/return-books?borrowId=${gone.id}&userId=${stefan.id}`;
    expect((await (await product.signIn(admin)).post(back, { bookIds: [gone.bookId] })).status).toBe(200);
    await queue.has(row(gone.id, 'Returned'));
    await queue.raw.focus(`${row(first.id)} a`);
    await queue.raw.keyboard.down('Control');
    await press('z');
    await queue.raw.keyboard.up('Control');
    for (const { id } of [first, second]) await queue.has(row(id, 'Rented'));
    await queue.sees('The issue was undone');
    await queue.sees('2 borrows · Stefan Żeromski');
    await queue.sees('1 borrow of 3 not undone:');
    const kept = '[role="group"][aria-label="Selected borrows"] [role="alert"] li';
    expect(await queue.text(kept)).toMatch(/^Syzyfowe prace: ./);
    for (const { id } of [first, second])
      expect(await typesOf(stefan, id)).toEqual(['BooksRented', 'BooksIssued', 'IssueUndone']);
    expect(await typesOf(stefan, gone.id)).toEqual(['BooksRented', 'BooksIssued', 'BooksReturned']);
    await queue.click('button', 'Clear');
  });

  it('waives a fee in the drawer with a reason, and undoes it', async () => {
    await show('?status=Not_Paid');
    await queue.clickOn(`${row(late.id)} a`);
    await queue.clickOn('[data-drawer] [data-step="waive"]');
    await queue.fill('Reason', 'illness');
    await queue.fill('Amount in PLN', '1000');
    await queue.click('button', 'Waive');
    await queue.sees('can be waived.');
    await queue.fill('Amount in PLN', '0,50');
    await press('Enter');
    await queue.has('[data-drawer] [data-event="FeeWaived"]');
    await queue.sees('Fee waived, 0.50 PLN, illness');
    await queue.click('button', 'Undo: Fee waived, 0.50 PLN');
    await queue.has('[data-drawer] [data-event="WaiverUndone"]');
    expect((await typesOf(adam, late.id)).slice(-2)).toEqual(['FeeWaived', 'WaiverUndone']);
    await press('Escape');
  });

  it('marks a book lost in the drawer, having seen what that costs, undoes it, and finds it again', async () => {
    const julian = await reader('Julian', 'Tuwim');
    const lost = await rent(julian, 'Kwiaty polskie');
    await issue(julian, lost);
    await show(`?borrow=${lost.id}`);
    const markLost = async () => {
      await queue.clickOn('[data-drawer] [data-step="mark-lost"]');
      await queue.sees('To be charged: 50.00 PLN');
      await queue.click('button', 'Mark lost');
      await queue.has('[data-drawer] [data-step="mark-found"]');
    };
    await markLost();
    await queue.sees('50.00 PLN to pay');
    await queue.click('button', 'Undo: Lost, 50.00 PLN');
    await queue.has('[data-drawer] [data-event="LossUndone"]');
    await queue.until(
      async () => (await queue.raw.$('[data-step="mark-found"]')) === null,
      'it is lent again',
    );
    await markLost();
    await queue.clickOn('[data-drawer] [data-step="mark-found"]');
    await queue.sees('Was the book found?');
    await queue.click('button', 'It was found');
    await queue.has('[data-drawer] [data-event="LostBookFound"]');
    const types = await typesOf(julian, lost.id);
    expect(types.slice(2)).toEqual(['BookLost', 'LossUndone', 'BookLost', 'LostBookFound']);
    expect(await product.copies(lost.bookId)).toBe(1);
    await press('Escape');
  });

  it('prints what was rented as a list for the shelves, on A4', async () => {
    const wislawa = await reader('Wisława', 'Kot');
    const picked = await rent(wislawa, 'Sól');
    await rent(wislawa, 'Wołanie do Yeti');
    await queue.raw.evaluate('window.print = () => (window.printed = (window.printed ?? 0) + 1)');
    await show('?q=kot');
    await queue.clickOn(`${row(picked.id)} input`);
    await queue.clickOn('[role="group"][aria-label="Selected borrows"] button:has(svg.lucide-printer)');
    await queue.until(
      async () => (await queue.raw.evaluate('window.printed')) === 1,
      'the browser is asked to print',
    );
    const lines = () =>
      queue.raw.$$eval('[data-printed] tbody tr', (all) => all.map((each) => each.textContent ?? ''));
    expect(await lines()).toEqual([expect.stringContaining('Sól')]);
    expect((await lines())[0]).toContain(borrowNumber(picked.id));
    const pdf = Buffer.from(await queue.raw.pdf({ preferCSSPageSize: true })).toString('latin1');
    const [, , , width, height] =
      /\/MediaBox\s*\[\s*(\d+)\s+(\d+)\s+([\d.]+)\s+([\d.]+)/.exec(pdf)?.map(Number) ?? [];
    expect([Math.round(width ?? 0), Math.round(height ?? 0)]).toEqual([595, 842]);
    await queue.raw.evaluate(`window.dispatchEvent(new Event('afterprint'))`);
    await queue.until(async () => (await queue.raw.$('[data-printed]')) === null, 'the sheet is gone');
    await queue.click('button', 'Clear');
    await queue.clickOn('header button:has(svg.lucide-printer)');
    await queue.until(
      async () => (await queue.raw.evaluate('window.printed')) === 2,
      'the browser is asked again',
    );
    expect((await lines()).length).toBeGreaterThan(2);
    await queue.raw.evaluate(`window.dispatchEvent(new Event('afterprint'))`);
  });

  it('keeps twenty letters of a title and every date in sight at 200 %, and covers no action by what it tells', async () => {
    await show('?q=pan+tadeusz');
    await queue.raw.setViewport({ width: 720, height: 450, deviceScaleFactor: 2 });
    const seen = await queue.raw.evaluate(`(() => {
      const row = document.querySelector('tr[data-borrow-id]');
      const link = row.querySelector('a');
      const cell = link.closest('td').getBoundingClientRect();
      const range = document.createRange();
      range.setStart(link.firstChild, 0);
      range.setEnd(link.firstChild, 20);
      const dates = [...row.querySelectorAll('time')];
      const cutOff = dates.filter((element) => {
        const [date, place] = [element, element.closest('td')].map((each) => each.getBoundingClientRect());
        return date.width === 0 || date.right > place.right + 1 || date.right > innerWidth;
      });
      return {
        letters: range.getBoundingClientRect().right <= cell.right + 1,
        dates: dates.length,
        cutOff: cutOff.map((element) => element.closest('td').outerHTML),
        sideways: document.documentElement.scrollWidth > document.documentElement.clientWidth,
      };
    })()`);
    expect(seen).toEqual({ letters: true, dates: 4, cutOff: [], sideways: false });
    await queue.raw.setViewport({ width: 1440, height: 500 });
    const irena = await reader('Irena', 'Krzywicka');
    const { id } = await rent(irena, 'Pierwsza krew');
    await show('');
    await queue.clickOn(`${row(id)} [data-step="issue"]`);
    await queue.sees('Pierwsza krew · Irena Krzywicka');
    const covered = () =>
      queue.raw.evaluate(`(() => {
        const toasts = [...document.querySelectorAll('.Toastify__toast')].map((each) => each.getBoundingClientRect());
        const band = document.querySelector('[data-toast-band]').getBoundingClientRect();
        return toasts.filter((toast) => toast.top < band.top).length;
      })()`);
    expect(await covered()).toBe(0);
    await queue.raw.setViewport({ width: 390, height: 844 });
    expect(await covered()).toBe(0);
    await queue.raw.setViewport({ width: 1440, height: 900 });
  });

  it('leaves the log and the lists in order, and the console clean but for the refusal', async () => {
    expect(await product.differences()).toEqual([]);
    expect(queue.troubles).toEqual([expect.stringMatching(/409.*return-books/)]);
  });
});
