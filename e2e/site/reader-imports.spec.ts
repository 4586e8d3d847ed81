import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElementHandle } from 'puppeteer';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import { openBrowser } from '../../test-support/worker-browser.js';
import type { BrowserPage } from '../../test-support/browser-page.js';
import { startProduct } from '../../test-support/product.js';
import { shared, sharedFolder } from '../../test-support/shared.js';
import { givePassword } from '../late-readers.js';
import { signedIn } from '../people.js';

describe('readers of another system', () => {
  const folder = sharedFolder();
  const product = shared(() => startProduct());
  const browser = shared(() => openBrowser());
  let page: BrowserPage;
  beforeAll(async () => {
    const admin = await givePassword(product, await product.account('Admin'));
    page = await signedIn(await browser.window({ downloads: folder }), product.url, admin, '/admin/users');
    await page.click('link', 'Bring readers along');
    await page.sees('Nothing was imported yet');
  });

  const upload = async (name: string, lines: readonly string[]) => {
    const file = join(folder, name);
    writeFileSync(file, lines.join('\n'));
    const input = (await page.find('main input[type="file"]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(file);
    await page.has('[data-import-state="staged"]');
  };
  const row = (line: number) => page.raw.$eval(`[data-row="${line}"]`, (found) => found.textContent ?? '');

  it('are looked at row by row, brought along, and invited by letter', async () => {
    await upload('czytelnicy.csv', [
      'cardnumber;nazwisko;imię;data urodzenia;email;categorycode',
      'X-17;Żak;Ada;1990-01-31;ada.zak@people.example;PT',
      'X-18;Żak;Jan;31.02.1990;;PT',
    ]);
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
    await upload('loans.csv', [
      'cardnumber,barcode,date_due',
      `X17,${copyCode({ bookId: book, copy: 1 })},2031-01-31`,
      'X17,no-such,2031-01-31',
    ]);
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
