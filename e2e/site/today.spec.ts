import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElementHandle } from 'puppeteer';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import type { StockTakingStanding } from '#contracts/stock-taking/stock-taking.js';
import { sharedFolder } from '../../test-support/shared.js';
import { apiCaller } from '../api-caller.js';
import { lend } from '../at-the-desk.js';
import { PASSWORDS } from '../people.js';
import { siteUnderTest } from '../site-under-test.js';
import { answering, problem } from './calls.js';

describe('the work of the day, the card and the reader at the desk', () => {
  let readerId: string;

  const folder = sharedFolder();
  const { product, pageOf, callerOf } = siteUnderTest();
  const api = callerOf('admin');
  beforeAll(async () => {
    await lend(product.url);
    const { items } = await api.get<{ items: { id: string }[] }>('User?SearchTerm=kaczmarek');
    readerId = items[0]?.id ?? '';
  });
  const librarian = pageOf('admin');
  const reader = pageOf('reader');

  const counters = async () =>
    (await librarian.raw.evaluate(
      `[...document.querySelectorAll('[data-counter]')].map((each) => ({
        name: each.dataset.counter, value: Number(each.querySelector('[data-value]')?.textContent),
        to: each.querySelector('a').getAttribute('href').slice(1) }))`,
    )) as { name: string; value: number; to: string }[];

  // spec 2.30
  it('has the counters of the specification, in its order, each a way to a list of what it counts', async () => {
    await librarian.goTo('/admin/dashboard');
    await librarian.has('[data-counter="expiredRents"] [data-value]');
    const all = await counters();
    expect(all.map(({ name }) => name)).toEqual([
      'totalBooks',
      'booksBorrowedLastMonth',
      'booksAddedLastMonth',
      'totalUsers',
      'activeBorrows',
      'expiredRents',
    ]);
    for (const { name, value, to } of all) {
      await librarian.goTo(to);
      const grouped = new Intl.NumberFormat('en-US').format(value);
      await librarian.until(
        async () => new RegExp(`^${grouped} `).test((await librarian.text('main header h2 + p')) ?? ''),
        `${name}: a list of ${grouped}`,
      );
    }
  });

  it('shows what is to be handed out, and follows what others do', async () => {
    await librarian.goTo('/admin/dashboard');
    const total = async () => Number(await librarian.text('[data-work="toHandOut"] [data-total]'));
    await librarian.has('[data-work="toHandOut"] [data-borrow-id]');
    const before = await total();
    const { items } = await api.get<{ items: { id: number }[] }>('Book?SortBy=CopiesAvailable&pageSize=1');
    const borrow = await (await apiCaller(product.url, 'reader', PASSWORDS.reader)).rent([items[0]?.id ?? 0]);
    await librarian.has(`[data-work="toHandOut"] [data-borrow-id="${borrow}"]`);
    expect(await total()).toBe(before + 1);
    await api.issue(borrow);
    await librarian.until(async () => (await total()) === before, 'it was handed out');
    await librarian.until(
      async () => (await librarian.text('[data-event]'))?.includes('Issued') ?? false,
      'the last event',
    );
  });

  it('has lines that can be walked by keyboard and read as a table', async () => {
    await librarian.raw.focus('input[type="range"]');
    const said = () =>
      librarian.raw.$eval('input[type="range"]', (each) => each.getAttribute('aria-valuetext'));
    const today = await said();
    expect(today).toMatch(/^\d{4}-\d\d-\d\d: \d+ rented, \d+ returned$/);
    await librarian.raw.keyboard.press('ArrowLeft');
    await librarian.until(async () => (await said()) !== today, 'the day before');
    await librarian.click('button', 'Table');
    await librarian.has('[aria-label="Rents and returns by day"] tbody tr');
    const rows = (await librarian.raw.evaluate(
      `[...document.querySelectorAll('[aria-label="Rents and returns by day"] tbody tr')].map((row) => row.innerText.split(/\\s+/))`,
    )) as string[][];
    expect(rows).toHaveLength(30);
    const [day, rents, returns] = rows[0] ?? [];
    expect(today).toBe(`${day}: ${rents} rented, ${returns} returned`);
    await librarian.click('button', 'Table');
  });

  it('leads to the reader, with what they have, and hands out from there', async () => {
    await librarian.goTo(`/admin/readers/${readerId}`);
    await librarian.has('[data-reader-panel="reader"] [data-card="valid"] svg');
    const waiting = '[data-reader-panel] [data-status="Rented"]';
    await librarian.has(waiting);
    const id = await librarian.raw.$eval(waiting, (row) => row.getAttribute('data-open-borrow'));
    await librarian.raw.focus(`[data-open-borrow="${id}"] button`);
    await librarian.raw.keyboard.press('Enter');
    await librarian.has(`[data-open-borrow="${id}"][data-status="Issued"]`);
    await librarian.sees('Books issued');
    await librarian.has('[data-visit]');
  });

  it('shows the reader their card and their books, with what can be done, or why not', async () => {
    await reader.goTo('/profile');
    await reader.has('[data-card="valid"] svg');
    const number = await reader.text('[data-card] > :last-child');
    expect(number).toMatch(/^2\d{3} \d{4} \d{4} \d{2}$/);
    // On the day of the issue a renewal would give no day more: that is said once, in place of the buttons.
    await reader.has('[data-open-borrow][data-status="Issued"]');
    await reader.sees('renewing today would not extend the loan');
    await reader.has('[data-open-borrow][data-status="Rented"] button[aria-label^="Cancel rent"]');
  });

  it('prints the card, and nothing else', async () => {
    await reader.raw.evaluate(
      `window.print = () => { window.printed = document.querySelector('[data-printed]')?.textContent; }`,
    );
    await reader.click('button', 'Print on A4');
    await reader.until(
      async () =>
        ((await reader.raw.evaluate('window.printed')) as string | undefined)?.includes('Library card') ??
        false,
      'the sheet',
    );
    await reader.raw.emulateMediaType('print');
    const seen = (await reader.raw.evaluate(
      `[...document.body.children].filter((each) => each.checkVisibility()).map((each) => each.dataset.paper)`,
    )) as string[];
    expect(seen).toEqual(['a4']);
    await reader.raw.emulateMediaType('screen');
    await reader.raw.evaluate(`window.dispatchEvent(new Event('afterprint'))`);
    await reader.until(async () => (await reader.raw.$('[data-printed]')) === null, 'the sheet is gone');
  });

  it('blocks a reader with a message, which stops the rent with words, and lifts it again', async () => {
    await reader.goTo('/book/3');
    await reader.click('button', 'Rent this book');
    await reader.has('header a[href="#/cart"]');
    await librarian.goTo(`/admin/readers/${readerId}`);
    await librarian.click('button', 'Leave a message or block');
    await librarian.has('[role="dialog"] textarea');
    await librarian.fill('Message', 'Please bring the key of the locker.');
    await librarian.clickOn('[role="dialog"] input[type="checkbox"]');
    await librarian.click('button', 'Save');
    await librarian.has('section[data-blocks]');
    await librarian.sees('Please bring the key of the locker.');

    await reader.goTo('/book/4');
    await reader.sees('You cannot rent books at the moment');
    await reader.goTo('/cart');
    await reader.click('button', 'Rent');
    await reader.sees('The library asks you to come to the desk before you rent again. Nothing was rented.');
    expect(await reader.raw.evaluate('document.body.innerText.includes("locker")')).toBe(false);

    await librarian.click('button', 'Lift the block');
    await librarian.until(async () => (await librarian.raw.$('section[data-blocks]')) === null, 'no block');
    await reader.click('button', 'Rent');
    await reader.sees('Books rented');
  });

  describe('taking stock', () => {
    let id: string;
    let codes: string[];
    const standing = () => api.get<StockTakingStanding>(`StockTaking/${id}`);
    const scan = async (code: string) => {
      await librarian.raw.keyboard.type(code, { delay: 5 });
      await librarian.raw.keyboard.press('Enter');
    };
    const inBook = async (code: string) =>
      (
        await api.get<{ items: { code: string; state: string }[] }>(`Book/${code.split('-')[0]}/copies`)
      ).items.find((copy) => copy.code === code);

    beforeAll(async () => {
      const { items } = await api.get<{ items: { id: number; copiesAvailable: number }[] }>(
        'Book?SortBy=Title&pageNumber=2&pageSize=30',
      );
      codes = items
        .filter(({ copiesAvailable }) => copiesAvailable > 0)
        .map((book) => copyCode({ bookId: book.id, copy: 1 }));
    });

    it('keeps every scan of a scanner, in its order and once, also when the server was away and the page was loaded anew', async () => {
      await librarian.goTo('/admin/stock-taking');
      await librarian.click('button', 'Start a stock-taking');
      await librarian.has('[role="dialog"] form');
      await librarian.fill('Name', 'Autumn');
      await librarian.raw.keyboard.press('Enter');
      await librarian.isAt('/admin/stock-taking/');
      await librarian.has('section[aria-label="Scanning"] input:focus');
      id = (await librarian.route()).split('/').at(-1) ?? '';
      const shelf = codes.slice(0, 12);
      await answering(librarian, 'POST StockTaking', problem(503, 'The library is away.'), async () => {
        for (const code of shelf) await scan(code);
        await librarian.sees('12 scans are waiting on this device');
        expect((await standing()).scanned).toBe(0);
        // Before the library answers: what it has taken is not listed any more by the next page.
        await librarian.raw.reload();
        await librarian.sees('12 scans are waiting on this device');
      });
      await librarian.until(async () => (await standing()).scanned === 12, 'all scans are kept');
      const listed = () =>
        librarian.raw.$$eval('[data-scan]', (rows) => rows.map((each) => each.getAttribute('data-scan')));
      await librarian.until(async () => (await listed()).length >= shelf.length, 'the scans are listed');
      expect(await listed()).toEqual([...shelf].reverse());
      // The field listens wherever one has clicked.
      await librarian.clickOn('main h2');
      await scan(codes[0] ?? '');
      await librarian.sees('scanned before');
      await scan('9788308049969');
      await librarian.has('[data-verdict="unknown"]');
      expect((await standing()).scanned).toBe(13);
    });

    it('takes the file of a scanner', async () => {
      const file = join(folder, 'scanner.csv');
      writeFileSync(file, `Time,Code\n${codes.map((code) => `10:15,"${code}"`).join('\n')}\n`);
      const chooser = (await librarian.find('input[type="file"]')) as ElementHandle<HTMLInputElement>;
      await chooser.uploadFile(file);
      await librarian.has('[data-upload="ended"]');
      await librarian.sees(`scanner.csv: ${codes.length} codes`);
      expect((await standing()).scanned).toBe(codes.length + 1);
    });

    it('deals with what is missing, by keys alone, and takes that back', async () => {
      await librarian.clickOn('[data-part="missing"]');
      await librarian.has('tr[data-finding]');
      const { open } = await standing();
      const first = await librarian.raw.$eval(
        'tr[data-finding]',
        (row) => row.getAttribute('data-finding') ?? '',
      );
      await librarian.raw.focus(`tr[data-finding="${first}"] input`);
      await librarian.raw.keyboard.press('Space');
      await librarian.sees('1 selected');
      await librarian.raw.focus('[role="group"][aria-label="Deal with them together"] button');
      await librarian.raw.keyboard.press('Enter');
      await librarian.has('[role="alertdialog"]');
      await librarian.raw.keyboard.press('Tab');
      await librarian.raw.keyboard.press('Enter');
      await librarian.has('[data-resolving="ended"]');
      expect((await inBook(first))?.state).toBe('lost');
      expect((await standing()).open.missing).toBe(open.missing - 1);
      await librarian.until(
        async () => (await librarian.raw.$(`tr[data-finding="${first}"]`)) === null,
        'it is missing no more',
      );
      await librarian.clickOn('[data-resolving="ended"] button');
      await librarian.has(`tr[data-finding="${first}"]`);
      expect((await inBook(first))?.state).toBe('on-shelf');
      expect((await standing()).open.missing).toBe(open.missing);
    });

    it('pauses for everybody, and goes on', async () => {
      await librarian.click('button', 'Pause');
      await librarian.sees('This stock-taking is paused');
      expect((await standing()).state).toBe('paused');
      await librarian.click('button', 'Resume');
      await librarian.until(async () => (await standing()).state === 'open', 'it is open');
      await librarian.clickOn('[data-part="scan"]');
      await librarian.has('section[aria-label="Scanning"] input:focus');
      await scan(codes[1] ?? '');
      await librarian.has('[data-verdict="in-place"]');
      expect(librarian.troubles.filter((trouble) => !trouble.includes('503'))).toEqual([]);
    });
  });
});
