import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import type { ElementHandle } from 'puppeteer';
import { addNewBooks } from '../../test-support/product/new-books.js';
import { withPdfPages } from '../../test-support/services/pdf-pages.js';
import { addBooks } from '../../test-support/product/reports.js';
import { sharedFolder } from '../../test-support/shared.js';
import { marcXml } from '../marc-file.js';
import { emptySite } from '../site-under-test.js';

const [ONE, OTHER] = ['9780306406157', '9788308049051'] as const;
const TITLES = ['Kordian', 'Balladyna', 'Fiasko'];
const INVENTORY = { button: 'Download inventory report of books', file: 'BookRaport.pdf' };
const STICKERS = { button: 'Download inventory stickers', file: 'InventoryStickers.pdf' };

describe('files of the library', () => {
  const folder = sharedFolder();
  const { product, pageWith } = emptySite();
  const page = pageWith(['Admin'], '/admin/imports', { downloads: folder });
  const upload = async (name: string, text: string) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    await ((await page.find('main input[type="file"]')) as ElementHandle<HTMLInputElement>).uploadFile(file);
  };
  const row = (place: number) => page.raw.$eval(`[data-row="${place}"]`, (found) => found.textContent ?? '');
  const state = (of: string) => page.has(`[data-import-state="${of}"]`);

  describe('the imports', () => {
    beforeAll(async () => {
      await addNewBooks(product.database, [
        { title: 'Ferdydurke', isbn: ONE },
        { title: 'Lalka', isbn: OTHER },
      ]);
      await page.goTo('/admin/imports');
      await page.sees('Nothing was imported yet');
    });

    const titles = async () => {
      const answer = await fetch(`${product.url}/api/Book?SortBy=Title&pageSize=50`);
      return ((await answer.json()) as { items: { title: string }[] }).items.map(({ title }) => title);
    };

    it('show a file before anything is done, take decisions, and are done and undone as one', async () => {
      const records = [
        { control: 'a1', title: 'Sklepy cynamonowe', isbns: [] },
        { control: 'a2', title: 'Ferdydurke: powieść', isbns: [ONE] },
        { control: 'a3', title: 'Lalka', isbns: [OTHER, ONE] },
        { control: '<', title: 'Damaged', isbns: [] },
      ];
      await upload('records.xml', marcXml(records));
      await state('staged');
      await page.has('[data-row="4"]');
      expect(await row(2)).toMatch(/Ferdydurke stays \(in the file: Ferdydurke: powieść\)/);
      expect(await row(4)).toMatch(/Refused.*It is not well-formed XML/);
      expect(await titles()).toEqual(['Ferdydurke', 'Lalka']);

      await page.clickOn('[data-wins] input[value="title"]');
      await page.has('[data-row="2"] del');
      await page.clickOn('[data-row="3"] button:nth-of-type(2)');
      await page.has('[data-row="3"][data-outcome="changed"]');
      await page.clickOn('[data-row="1"] input');
      await page.click('button', 'Import 2 records');
      await state('done');
      await page.sees('0 added, 2 changed');
      expect((await titles()).sort()).toEqual(['Ferdydurke: powieść', 'Lalka']);

      await page.click('button', 'Undo the import');
      await page.has('[role="alertdialog"]');
      await page.clickOn('[role="alertdialog"] button:last-of-type');
      await state('undone');
      expect(await titles()).toEqual(['Ferdydurke', 'Lalka']);
    });

    it('refuse a file that has no records, and say so where it was chosen', async () => {
      await page.goTo('/admin/imports');
      await upload('books.csv', 'isbn,title\n1,2\n');
      await page.has('main [role="alert"]');
    });

    it('save what is asked for as a file', async () => {
      await page.goTo('/admin/imports');
      await page.has('main form select');
      await page.raw.select('main form select', 'marcxml');
      await page.click('button', 'Save the file');
      const path = join(folder, 'catalogue.xml');
      const text = await page.until(
        async () => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
        'the file of the catalogue',
      );
      expect(text.match(/<record>/g)).toHaveLength(2);
    });
  });

  describe('readers of another system', () => {
    beforeAll(async () => {
      await page.goTo('/admin/users');
      await page.click('link', 'Bring readers along');
      await page.sees('Nothing was imported yet');
    });

    it('are looked at row by row, brought along, and invited by letter', async () => {
      await upload(
        'czytelnicy.csv',
        [
          'cardnumber;nazwisko;imię;data urodzenia;email;categorycode',
          'X-17;Żak;Ada;1990-01-31;ada.zak@people.example;PT',
          'X-18;Żak;Jan;31.02.1990;;PT',
        ].join('\n'),
      );
      await state('staged');
      await page.has('[data-row="3"]');
      expect(await row(2)).toMatch(/Ada Żak.*New.*X17.*1990-01-31/);
      expect(await row(3)).toMatch(/Refused.*Date of birth: not a day/);
      await page.click('button', 'Save refused rows');
      const path = join(folder, 'refused-czytelnicy.csv');
      const text = await page.until(
        async () => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
        'the file of refused rows',
      );
      expect(text).toMatch(/\r\nX-18,Żak,Jan,31\.02\.1990,,PT,3,/);
      await page.click('button', 'Import 1 row');
      await page.has('[data-import-state="done"]');
      await page.sees('1 added');

      await page.sees('0 sent, 1 waiting');
      await page.click('button', 'Invite 1 reader');
      await page.has('[data-invitations="running"]');
      await product.runJob('upkeep', 'invite-readers', {});
      const [letter] = await page.until(async () => {
        const letters = await product.letters('ada.zak@people.example');
        return letters.length > 0 && letters;
      }, 'the invitation');
      expect(letter?.text).toContain('ada.zak');
      await page.goTo('/admin/users/imports');
      await page.clickOn('[data-import] a');
      await page.sees('1 sent, 0 waiting');
    });

    it('have their loans taken over', async () => {
      const book = await product.book(1, 'Solaris');
      await page.goTo('/admin/users/imports');
      await page.has('main article select');
      await page.raw.select('main article select', 'loans');
      await page.sees('still to be imported wait for them');
      await upload(
        'loans.csv',
        [
          'cardnumber,barcode,date_due',
          `X17,${copyCode({ bookId: book, copy: 1 })},2031-01-31`,
          'X17,no-such,2031-01-31',
        ].join('\n'),
      );
      await state('staged');
      await page.has('[data-row="3"]');
      expect(await row(2)).toMatch(/Ada Żak.*New.*Solaris.*2031-01-31/);
      expect(await row(3)).toMatch(/no copy with the label no-such/);
      await page.click('button', 'Take over 1 loan');
      await page.has('[data-import-state="done"]');
      await page.clickOn('[data-row="2"] a');
      await page.sees('Solaris');
      expect(await product.differences()).toEqual([]);
    });
  });

  describe('the reports', () => {
    const page = pageWith(['Admin'], '/admin/raports', { downloads: folder });
    /** Waits until a file is saved under this name, reads it and removes it. */
    const saved = (name: string) =>
      page.until(async () => {
        const path = join(folder, name);
        if (!existsSync(path)) return undefined;
        const pdf = readFileSync(path);
        if (!pdf.toString('latin1').trimEnd().endsWith('%%EOF')) return undefined;
        rmSync(path);
        return pdf;
      }, `the file ${name}`);
    const texts = async (pdf: Buffer) => {
      const found: string[] = [];
      await withPdfPages(pdf, ({ texts: placed }) => void found.push(...placed.map(({ text }) => text)));
      return found;
    };
    const rows = () =>
      page.raw.$$eval('tr[data-report-id]', (all) => all.map((row) => row.textContent ?? ''));

    beforeAll(async () => {
      await addBooks(
        product,
        TITLES.map((title) => ({ title, copies: 2 })),
      );
      await page.sees('Nothing yet.');
      await page.has('main article');
    });

    // spec 2.42
    it('saves the inventory with every title of the collection', async () => {
      // It may be over before this process looks.
      await page.raw.evaluate(`new MutationObserver(() => {
        if (document.querySelector('progress')) window.progressShown = true;
      }).observe(document.body, { childList: true, subtree: true })`);
      await page.click('button', INVENTORY.button);
      await page.until(
        async () => (await page.raw.evaluate('window.progressShown === true')) as boolean,
        'how far it is',
      );
      const pdf = await saved(INVENTORY.file);
      expect(pdf.subarray(0, 4).toString()).toBe('%PDF');
      const found = await texts(pdf);
      for (const title of TITLES) expect(found).toContain(title);
      await page.sees(`Saved as ${INVENTORY.file}.`);
    });

    it('saves a label for each copy, from the first free place of a begun sheet on', async () => {
      await page.fill('Start at label', '5');
      await page.click('button', STICKERS.button);
      const pdf = await saved(STICKERS.file);
      expect(pdf.subarray(0, 4).toString()).toBe('%PDF');
      const found = await texts(pdf);
      for (const title of TITLES) expect(found.filter((text) => text === title)).toHaveLength(2);
      await page.sees('from label 5 on');
    });

    it('tells how far a report is that somebody else asked for', async () => {
      const other = await product.account('Admin');
      await addBooks(
        product,
        Array.from({ length: 400 }, (_, index) => ({ title: `Volume ${index}` })),
      );
      await page.raw.evaluate(`(() => {
        window.percents = [];
        const look = () => {
          const shown = /Being made, (\\d+) %/.exec(document.querySelector('tr[data-report-id]')?.innerText ?? '');
          if (shown) window.percents.push(Number(shown[1]));
        };
        new MutationObserver(look).observe(document.body, { childList: true, characterData: true, subtree: true });
      })()`);
      await other.post('Dashboard/reports', { kind: 'inventory' });
      await page.until(async () => (await rows()).length === 3, 'a third report');
      await page.has('tr[data-state="ready"]:nth-child(1)');
      const percents = (await page.raw.evaluate('window.percents')) as number[];
      expect(percents.length).toBeGreaterThan(0);
      expect(percents).toEqual([...percents].sort((a, b) => a - b));
    });

    it('leaves nothing on the console', () => {
      expect(page.troubles).toEqual([]);
    });
  });
});
