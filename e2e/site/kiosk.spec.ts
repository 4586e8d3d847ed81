import { copyCode } from '#contracts/catalogue/copy-code.js';
import type { ReaderPanel } from '#contracts/accounts/reader-card.js';
import { accessibilityFaults } from '../../test-support/browser/axe.js';
import type { BrowserPage } from '../../test-support/browser/browser-page.js';
import { KIOSK } from '../../test-support/product/kiosk.js';
import { setOffline } from '../../test-support/browser/network.js';
import { withPdfPages } from '../../test-support/services/pdf-pages.js';
import { type TestAccount } from '../../test-support/product/product.js';
import { shared } from '../../test-support/shared.js';
import { scan } from '../scanner.js';
import { confirmIdentity } from './confirm-identity.js';
import { emptySite } from '../site-under-test.js';
import { PASSWORD } from '../late-readers.js';

const SCREEN = { width: 1080, height: 1920 };

/** Everything to be touched is large enough. */
async function isLarge(page: BrowserPage, name: string): Promise<void> {
  const small = await page.raw.$$eval('main button', (buttons) =>
    buttons
      .map((button) => [button.textContent, button.getBoundingClientRect()] as const)
      .filter(([, { width, height }]) => width < 64 || height < 64)
      .map(([text]) => text),
  );
  expect([name, small]).toEqual([name, []]);
}

/** And nothing on it is a fault to axe, in either theme. */
async function holds(page: BrowserPage, name: string): Promise<void> {
  await isLarge(page, name);
  for (const theme of ['dark', 'light']) {
    await page.raw.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    const faults = await accessibilityFaults(page.raw, theme === 'dark' ? 'colours' : undefined);
    expect([name, theme, faults]).toEqual([name, theme, []]);
  }
}

describe('the kiosk', () => {
  const { product, browser, pageWith } = emptySite();
  const desk = pageWith(['Admin'], '/admin/devices');
  const admin = shared(() => product.account('Reader', 'Admin'));

  const codeOf = (bookId: number) => copyCode({ bookId, copy: 1 });
  const panel = async ({ id }: TestAccount) => (await admin.get(`Reader/panel?id=${id}`)).body as ReaderPanel;
  const cardOf = async (reader: TestAccount) => (await panel(reader)).card.number;
  const words = async (page: BrowserPage) => String(await page.raw.evaluate('document.body.innerText'));
  const blank = async () => {
    const page = await (await browser.window()).page(`${product.url}/?lang=en#/kiosk`);
    await page.raw.setViewport(SCREEN);
    await page.sees('This screen is not a kiosk yet');
    return page;
  };
  /** A screen that is bound. */
  const kiosk = async (fields = {}) => {
    const { body } = await admin.post('Device', { ...KIOSK, ...fields });
    const page = await blank();
    await page.raw.keyboard.type(body.secret as string);
    await page.raw.keyboard.press('Enter');
    await page.sees('Scan your library card');
    return { page, id: body.device.id as string };
  };
  /** Bound when a test first needs it: the list of devices is empty before. */
  const lazily = (fields = {}) => {
    let bound: ReturnType<typeof kiosk> | undefined;
    return () => (bound ??= kiosk(fields));
  };
  const plain = lazily();
  const asking = lazily({ asksPin: true });
  /** Scans a card of a new reader, where the kiosk asks for no PIN. */
  const enter = async ({ page }: { page: BrowserPage }) => {
    await page.raw.bringToFront();
    const reader = await product.account();
    await scan(page, await cardOf(reader));
    await page.sees('Hello, Zofia');
    return reader;
  };
  const typePin = async (page: BrowserPage, pin: string, go = 'Continue') => {
    for (const digit of pin) await page.click('button', digit);
    await page.click('button', go);
  };

  it('is bound by a code that an admin has made', async () => {
    await desk.sees('No devices yet');
    await desk.click('button', 'Add a device');
    await desk.fill('Name', 'Entrance');
    await desk.click('button', 'Save');
    await confirmIdentity(desk, PASSWORD);
    await desk.has('[data-secret]');
    const code = ((await desk.text('[data-secret]')) ?? '').replace(' ', '');
    await desk.click('button', 'Done');
    await desk.sees('Waits for its code');

    const page = await blank();
    await holds(page, 'kiosk-unbound');
    await page.raw.keyboard.type('00000000');
    await page.raw.keyboard.press('Enter');
    await page.sees('This code is wrong');
    await page.raw.keyboard.type(code);
    await page.raw.keyboard.press('Enter');
    await page.sees('Scan your library card');
    await holds(page, 'kiosk-welcome');
  });

  it.each(['en', 'pl'] as const)('lends, renews and takes back, in %s', async (language) => {
    const say = (en: string, pl: string) => (language === 'en' ? en : pl);
    const { page } = await asking();
    await page.raw.bringToFront();
    // Themes and names are the same in either language; lengths are not.
    const look = language === 'en' ? holds : isLarge;
    if (language === 'pl') {
      await page.click('button', 'Polski');
      await page.sees('Zeskanuj kartę biblioteczną');
    }
    const [reader, other] = [await product.account(), await product.account()];
    await reader.put('Reader/mine/pin', { pin: '8052' });
    const kept = await product.book(1, `Kept ${language}`);
    await reader.post('Hold', { bookId: kept });

    await scan(page, '21234567890123');
    await page.sees(say('We do not know this card', 'Nie znamy tej karty'));
    await look(page, `kiosk-unknown-card-${language}`);
    await scan(page, await cardOf(reader));
    await page.sees(say('Type your PIN', 'Wpisz PIN'));
    await typePin(page, '4711', say('Continue', 'Dalej'));
    await page.sees(say('This PIN is wrong', 'Ten PIN jest błędny'));
    await look(page, `kiosk-pin-${language}`);
    await typePin(page, '8052', say('Continue', 'Dalej'));
    await page.sees('Zofia');
    await page.sees(`Kept ${language}`);

    await scan(page, codeOf(kept));
    const mine = await product.book(1, `Mine ${language}`);
    await scan(page, codeOf(mine), '9788308049822');
    await page.until(async () => (await page.raw.$$('[data-tone-of]')).length === 3, 'three answers');
    expect(
      await page.raw.$$eval('[data-tone-of]', (all) => all.map((each) => each.getAttribute('data-tone-of'))),
    ).toEqual(['refused', 'done', 'done']);
    await look(page, `kiosk-taken-${language}`);
    await page.click('button', say('My loans', 'Moje wypożyczenia'));
    await look(page, `kiosk-loans-${language}`);

    await other.post('Hold', { bookId: mine });
    await page.click('button', say('Give back', 'Zwróć'));
    await scan(page, codeOf(mine), codeOf(kept));
    await page.sees(say('Somebody waits for it', 'Ktoś na nią czeka'));
    await page.sees(say('shelf for returned books', 'półkę zwrotów'));
    await look(page, `kiosk-given-${language}`);
    await page.click('button', say('Finish', 'Zakończ'));
    await page.sees(say('Thank you', 'Dziękujemy'));
    await look(page, `kiosk-goodbye-${language}`);
    await page.click('button', say('Done', 'Gotowe'));
    // The next one finds it as the library has it.
    await page.sees('Scan your library card');
    expect((await panel(reader)).books.have).toBe(0);
    expect(page.troubles.filter((trouble) => !trouble.includes('401'))).toEqual([]);
  });

  it('shows nothing of a reader to the next one: when nobody touches it, and by Back', async () => {
    const { page } = await plain();
    await enter(await plain());
    const title = 'A private matter';
    await scan(page, codeOf(await product.book(1, title)));
    await page.sees(title);
    // As the clock of the page has it; it waits 30 seconds.
    const pass = (seconds: number) =>
      page.raw.evaluate(`{ const { now } = Date; Date.now = () => now() + ${seconds * 1000}; }`);
    await pass(21);
    await page.sees('Are you still there?');
    await holds(page, 'kiosk-countdown');
    await page.click('button', 'Go on');
    await page.until(async () => !(await words(page)).includes('Are you still there?'), 'it goes on');
    await pass(21);
    await page.sees('Are you still there?');
    await pass(10);
    await page.sees('Scan your library card');
    const isClean = async () => expect(await words(page)).not.toMatch(/Zofia|A private matter/);
    await isClean();
    await page.raw.goBack({ timeout: 3_000 }).catch(() => null);
    await isClean();
    await page.raw.goForward({ timeout: 3_000 }).catch(() => null);
    await isClean();
    const kept = await page.raw.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    expect(kept).not.toMatch(/Zofia|private/);
  });

  it('goes on with whoever scans a card, and shows them nothing of who was there', async () => {
    const { page } = await asking();
    await page.raw.bringToFront();
    const [reader, other] = [await product.account(), await product.account()];
    for (const each of [reader, other]) await each.put('Reader/mine/pin', { pin: '8052' });
    await product.database.query(`update account set firstname = 'Bruno' where id = $1`, [other.id]);
    await product.database.query(`update reader_card set number = 'ALT0815' where account_id = $1`, [
      other.id,
    ]);
    const pin = async () => {
      await page.sees('Type your PIN');
      await typePin(page, '8052');
    };
    await scan(page, await cardOf(reader));
    await pin();
    await page.sees('Hello, Zofia');
    await scan(page, codeOf(await product.book(1, 'A private matter')));
    await page.sees('A private matter');
    await scan(page, 'ALT-0815');
    await page.sees('Type your PIN');
    expect(await words(page)).not.toMatch(/Zofia|A private matter/);
    await scan(page, codeOf(await product.book(1)));
    await page.sees('We do not know this card');
    await pin();
    await page.sees('Hello, Bruno');
    expect(await words(page)).not.toMatch(/Zofia|A private matter/);
    await page.click('button', 'Finish');
    await page.sees('Thank you');
    await page.click('button', 'Done');
    await page.click('button', 'Give books back without a card');
    await scan(page, 'ALT-0815');
    await page.sees('Type your PIN');
  });

  it('prints a slip on a roll of 80 mm: what changed hands, and no more of the reader', async () => {
    const { page } = await plain();
    const reader = await enter(await plain());
    const { fullname, email } = (await panel(reader)).reader;
    await page.raw.evaluate('window.print = () => (window.isPrinting = true)');
    const title = 'A title that is longer than any line on a narrow roll of paper can be';
    const code = codeOf(await product.book(1, title));
    await scan(page, code);
    await page.sees('Yours until');
    await page.click('button', 'Give back');
    await scan(page, code);
    await page.sees('Given back');
    await page.click('button', 'Finish and print a slip');
    await page.until(async () => page.raw.evaluate('window.isPrinting'), 'it prints');
    const pdf = await page.raw.pdf({ preferCSSPageSize: true });
    const slips: string[] = [];
    await withPdfPages(pdf, ({ width, texts }) => {
      expect(Math.round(width)).toBe(80);
      slips.push(texts.map(({ text }) => text).join(' '));
    });
    expect(slips).toHaveLength(1);
    const said = slips.join().replace(/\s+/g, ' ');
    expect(said).toMatch(
      /\d{4}-\d\d-\d\d · Zofia .*A title that is longer .*due \d{4}-\d\d-\d\d .*A title that/,
    );
    const [, surname = email] = fullname.split(' ');
    for (const theirs of [surname, email, await cardOf(reader), 'Do not forget'])
      expect(said).not.toContain(theirs);
    await page.raw.evaluate(`window.dispatchEvent(new Event('afterprint'))`);
    await page.until(async () => (await page.raw.$('[data-printed]')) === null, 'the sheet is gone');
    await page.click('button', 'Done');
  });

  it('waits where the network is lost, does what was scanned once it is back, and tells it', async () => {
    const { page } = await plain();
    const reader = await enter(await plain());
    await setOffline(page.raw, true);
    await scan(page, codeOf(await product.book(2, 'Of the storm')));
    await page.sees('Waiting for the library');
    await page.sees('The library does not answer at the moment');
    await holds(page, 'kiosk-offline');
    await setOffline(page.raw, false);
    await page.sees('Yours until');
    await page.until(async () => !(await words(page)).includes('does not answer'), 'the library answers');
    expect((await panel(reader)).books.have).toBe(1);
    await page.click('button', 'Finish');
    await page.click('button', 'Done');
  });

  it('lends a copy once where two of them scan it at once', async () => {
    const [one, two] = [await plain(), await kiosk({ name: 'Window' })];
    const readers = [await enter(one), await enter(two)] as const;
    const code = codeOf(await product.book(1));
    await one.page.raw.bringToFront();
    await Promise.all([scan(one.page, code), scan(two.page, code)]);
    await one.page.has('[data-tone-of]');
    await two.page.has('[data-tone-of]');
    const tones = await Promise.all(
      [one, two].map(({ page }) =>
        page.raw.$eval('[data-tone-of]', (line) => line.getAttribute('data-tone-of')),
      ),
    );
    expect(tones.sort()).toEqual(['done', 'refused']);
    expect((await panel(readers[0])).books.have + (await panel(readers[1])).books.have).toBe(1);
    expect(await product.differences()).toEqual([]);
    await one.page.raw.bringToFront();
    await one.page.click('button', 'Finish');
    await one.page.click('button', 'Done');
  });

  it('that is revoked, or closed, shows so at once, and nothing of the reader', async () => {
    const { page, id } = await plain();
    const reader = await enter(await plain());
    await admin.put(`Device/${id}`, { ...KIOSK, isClosed: true });
    await page.sees('Out of service');
    expect(await words(page)).not.toContain('Zofia');
    await holds(page, 'kiosk-closed');
    await admin.put(`Device/${id}`, KIOSK);
    await page.sees('Scan your library card');
    await scan(page, await cardOf(reader));
    await page.sees('Hello, Zofia');
    await admin.delete(`Device/${id}`);
    await page.sees('This screen is not a kiosk yet');
    expect(await words(page)).not.toContain('Zofia');
  });
});
