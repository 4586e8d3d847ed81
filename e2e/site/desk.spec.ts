import { randomUUID } from 'node:crypto';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import type { KeyInput } from 'puppeteer';
import { z } from 'zod';
import { queryRow } from '#platform/database/query-rows.js';
import type { BrowserPage } from '../../test-support/browser/browser-page.js';
import { type TestAccount } from '../../test-support/product/product.js';
import { TestClock } from '../../test-support/test-clock.js';
import { shared } from '../../test-support/shared.js';
import { givePassword } from '../late-readers.js';
import { signedIn } from '../people.js';
import { finished, scan, scanAtOnce, scanned, turnTo } from '../scanner.js';
import { emptySite } from '../site-under-test.js';

const DAY = 24 * 3_600_000;

describe('the desk, with a scanner', () => {
  const clock = new TestClock();

  let desk: BrowserPage;

  let late: [number, number];

  async function reader(firstname: string, lastname: string): Promise<TestAccount & { card: string }> {
    const account = await product.account();
    await product.database.query('update account set firstname = $2, lastname = $3 where id = $1', [
      account.id,
      firstname,
      lastname,
    ]);
    const card = await queryRow(
      product.database,
      z.object({ number: z.string() }),
      'select number from reader_card where account_id = $1 and replaced_at is null',
      [account.id],
    );
    return { ...account, card: card?.number ?? '' };
  }
  const label = (bookId: number, copy = 1) => copyCode({ bookId, copy });
  async function rent(account: TestAccount, bookIds: number[]): Promise<string> {
    const { body } = await (await product.signIn(account)).post('Borrow/rent-books', { bookIds });
    return (body as { borrowId: string }).borrowId;
  }
  /** Hands over by the titles alone, as the queue does. */
  async function lend(account: TestAccount, bookIds: number[]): Promise<string> {
    const borrowId = await rent(account, bookIds);
    const path = `Borrow/issue-books?borrowId=${borrowId}&userId=${account.id}`;
    expect((await (await product.signIn(admin)).post(path, { bookIds })).status).toBe(200);
    return borrowId;
  }
  const typesOf = async ({ pseudonym }: TestAccount) =>
    (await product.log.readStream('borrows', pseudonym)).map(({ event }) => event.type);
  const headline = () => desk.text('[data-result] p:first-of-type');
  const saysLarge = (words: string) =>
    desk.until(async () => (await headline())?.includes(words), `the large words “${words}”`);

  const { product, browser } = emptySite({}, clock);
  const admin = shared(() => product.account('Admin'));
  /** Has two books, which are late. */
  const adam = shared(() => reader('Adam', 'Zagajewski'));
  beforeAll(async () => {
    late = [await product.book(1, 'Dwa miasta'), await product.book(1, 'Obrona żarliwości')];
    await lend(adam, late);
    await clock.forward(16 * DAY);
    const { username, password } = await givePassword(product, admin);
    desk = await signedIn(await browser.window(), product.url, { username, password }, '/admin/desk');
    await desk.has('[data-live="live"]');
    await desk.has('[data-mode="hand-over"] input');
  });

  it('hands over to the reader whose card was scanned: what they rented is ticked off, anything else is lent', async () => {
    const anna = await reader('Anna', 'Nowak');
    const [rented, other] = [await product.book(1, 'Lalka'), await product.book(2, 'Solaris')];
    await rent(anna, [rented]);
    // All at once, before anything is answered.
    await scan(desk, label(other), anna.card, label(rented), label(other, 2), label(rented));
    await finished(desk);
    const rows = await scanned(desk);
    expect(rows.map(({ scan: text, tone }) => [text, tone])).toEqual([
      [label(rented), 'refused'],
      [label(other, 2), 'good'],
      [label(rented), 'good'],
      [anna.card, 'heed'],
      [label(other), 'refused'],
    ]);
    expect(rows[0]?.words).toContain('Already with this reader');
    expect(rows[4]?.words).toContain('Who is it for?');
    await desk.has('[data-reader] [data-ticked]');
    await desk.until(
      async () => /Lent until \d{4}-\d\d-\d\d/.test((await scanned(desk))[1]?.words ?? ''),
      'due',
    );
    expect((await typesOf(anna)).sort()).toEqual([
      'BooksIssued',
      'BooksIssued',
      'BooksRented',
      'BooksRented',
    ]);
    expect(await product.copies(other)).toBe(1);
  });

  it('prints what was lent to the reader who stands there, on the paper of the desk', async () => {
    await desk.raw.evaluate(
      `window.print = () => {
        const paper = document.querySelector('[data-printed]');
        window.printed = paper.dataset.paper + ': ' + paper.textContent;
      }`,
    );
    await desk.raw.select('header select:has([value="roll58"])', 'roll58');
    await desk.clickOn('[data-reader] [data-slip] button');
    const slip = await desk.until(
      async () => (await desk.raw.evaluate('window.printed')) as string | undefined,
      'the slip',
    );
    expect(slip).toMatch(/^roll58: .*Anna Nowak.*(Lalka|Solaris)due \d{4}-\d\d-\d\d/);
    await desk.raw.evaluate(`window.dispatchEvent(new Event('afterprint'))`);
    await desk.until(async () => (await desk.raw.$('[data-printed]')) === null, 'the sheet is gone');
  });

  it('takes the label of another copy in the borrow’s drawer, and says why another label is none', async () => {
    const [line] = await scanned(desk);
    const lent = (await scanned(desk)).find(({ words }) => words.includes('Solaris'));
    await desk.clickOn(`li[data-scan="${lent?.scan}"] a`);
    await desk.click('button', 'This is another copy: Solaris');
    await desk.has('[role="dialog"] input[data-takes-scans]:focus');
    await scan(desk, '4711-2-3');
    await desk.sees('4711-2-3 is the label of another title. A copy of Solaris is asked for.');
    const other = label(Number(lent?.scan.split('-')[0]), 1);
    for (let letter = 0; letter < 8; letter += 1) await desk.raw.keyboard.press('Backspace');
    await scan(desk, other);
    await desk.sees(`Copy ${other} is with the reader`);
    await desk.sees(`Copy ${other}`);
    await desk.raw.keyboard.press('Escape');
    await desk.until(async () => (await desk.raw.$('[data-drawer]')) === null, 'the drawer is closed');
    // What was scanned there was for the window alone.
    expect((await scanned(desk))[0]).toEqual(line);
  });

  it('lends nothing to whoever was there before, when the next card is not known', async () => {
    const book = await product.book(1, 'Ferdydurke');
    await scan(desk, '24810937552618', label(book));
    await finished(desk);
    expect((await scanned(desk)).slice(0, 2).map(({ tone }) => tone)).toEqual(['refused', 'refused']);
    expect(await product.copies(book)).toBe(1);
  });

  it('asks which of several readers is meant, and keeps what is scanned meanwhile for them', async () => {
    const jan = await reader('Jan', 'Kowalczyk');
    await reader('Janina', 'Kowalczyk');
    const book = await product.book(1, 'Quo vadis');
    await scan(desk, 'kowalczyk jan', label(book));
    await desk.sees('Which reader?');
    // The name of the first comes before that of the second.
    await desk.raw.keyboard.press('Enter');
    await finished(desk);
    expect(await typesOf(jan)).toEqual(['BooksRented', 'BooksIssued']);
  });

  it('takes back scan after scan, in parts, with what is owed and the way to pay it, and undoes by Ctrl-Z', async () => {
    const [first, second] = late;
    await turnTo(desk, 'take-back');
    await scan(desk, label(first));
    await saysLarge('PLN to pay');
    await desk.sees('One more book of this borrow is out.');
    expect(await product.copies(first)).toBe(1);
    // While a window is open, a scanner's Enter presses nothing in it: the scan takes its turn.
    await desk.clickOn('[data-result] button');
    await desk.has('[role="dialog"] dl');
    await desk.until(async () => /received/.test((await desk.text('[role="dialog"]')) ?? ''), 'the amount');
    await scanAtOnce(desk, label(second));
    await desk.until(async () => (await scanned(desk))[0]?.scan === label(second), 'the scan has its turn');
    await finished(desk);
    expect(await typesOf(adam)).not.toContain('FinePaid');
    expect(await desk.raw.$('[role="dialog"]')).not.toBeNull();
    await desk.raw.keyboard.press('Escape');
    await desk.until(async () => (await desk.raw.$('[role="dialog"]')) === null, 'the window is closed');
    expect(await product.copies(second)).toBe(1);

    await desk.raw.keyboard.down('Control');
    await desk.raw.keyboard.press('z');
    await desk.raw.keyboard.up('Control');
    await saysLarge('Undone');
    expect(await typesOf(adam)).toContain('ReturnUndone');
    expect(await product.copies(second)).toBe(0);
    await scan(desk, label(second));
    await saysLarge('to pay');
    await finished(desk);
  });

  it('says of a debtor at once what is owed, keeps the reason of each refusal, and takes the money there', async () => {
    const books = [await product.book(1, 'Kordian'), await product.book(1, 'Balladyna')];
    await turnTo(desk, 'hand-over');
    await scan(desk, adam.card, ...books.map((each) => label(each)));
    await finished(desk);
    const rows = (await scanned(desk)).slice(0, 3);
    expect(rows.map(({ tone }) => tone)).toEqual(['refused', 'refused', 'refused']);
    for (const { words } of rows.slice(0, 2)) expect(words).toContain('must be paid first');
    await scan(desk, adam.card);
    await finished(desk);
    await saysLarge('PLN to pay');
    await desk.has('[data-state="stop"] [data-word]');
    await desk.clickOn('[data-result] button');
    await desk.until(async () => /received/.test((await desk.text('[role="dialog"]')) ?? ''), 'the amount');
    await desk.clickOn('[role="dialog"] ::-p-text(received)');
    await desk.has('[data-state="fine"]');
    await desk.sees('Fee paid');
    await scan(desk, label(books[0] ?? 0));
    await finished(desk);
    expect((await scanned(desk))[0]?.tone).toBe('good');
    await turnTo(desk, 'take-back');
  });

  it('goes beyond a limit with a reason, by the keyboard alone at the scan, and by a button for who is blocked', async () => {
    const stanislaw = await reader('Stanisław', 'Lem');
    const librarian = await product.signIn(admin);
    const ten: number[] = [];
    for (let n = 1; n <= 10; n += 1) ten.push(await product.book(1, `Dziennik ${n}`));
    await lend(stanislaw, ten);
    const books = [await product.book(1, 'Wizja lokalna'), await product.book(1, 'Fiasko')];
    await turnTo(desk, 'hand-over');
    await scan(desk, stanislaw.card, label(books[0] ?? 0));
    await desk.has('[role="alertdialog"] button:focus');
    const press = async (...keys: KeyInput[]) => {
      for (const key of keys) await desk.raw.keyboard.press(key);
    };
    // Not without a reason, which has the focus then.
    await press('Tab', 'Enter');
    await desk.has('[role="alertdialog"] select:focus');
    await desk.sees('Reason is required');
    await desk.raw.keyboard.type('For');
    await press('Tab', 'Tab', 'Enter');
    await finished(desk);
    await saysLarge('Lent until');
    // The field listens to the next scan.
    await librarian.put(`Reader/notice?id=${stanislaw.id}`, { message: 'Please see us.', blocks: true });
    await desk.until(async () => {
      const { body } = await librarian.post(`Borrow/lend?userId=${stanislaw.id}`, {
        bookIds: ten.slice(0, 1),
      });
      return body.code === 'ReaderBlocked';
    }, 'the block is known');
    await scan(desk, label(books[1] ?? 0));
    await finished(desk);
    await desk.has('[data-state="stop"]');
    await desk.click('button', 'Lend anyway…');
    await desk.fill('Reason', 'goodwill');
    await desk.click('button', 'Lend despite the block');
    await finished(desk);
    await saysLarge('Lent until');
    const events = await product.log.readStream('borrows', stanislaw.pseudonym);
    expect(events.flatMap(({ event: { data } }) => ('beyond' in data ? [data.beyond] : []))).toEqual([
      { limits: ['books'], reason: 'class' },
      { limits: ['block', 'books'], reason: 'goodwill' },
    ]);
    await desk.raw.keyboard.press('Escape');
  });

  it('registers whoever stands there, who is the reader of the next books, and finds them by their card from anywhere', async () => {
    await turnTo(desk, 'take-back');
    await desk.click('button', 'New reader');
    for (const [field, value] of [
      ['First name', 'Irena'],
      ['Last name', 'Tuwim'],
      ['Date of birth', '1998-08-22'],
      ['Gender', 'Female'],
      ['Email', 'irena@people.example'],
      ['Address', 'Piotrkowska 1'],
      ['City', 'Łódź'],
      ['Postal code', '90-001'],
    ] as const)
      await desk.fill(field, value);
    await desk.click('button', 'Register');
    await desk.sees('Irena Tuwim is registered');
    await desk.click('button', 'Lend books');
    await finished(desk);
    await desk.has('[data-mode="hand-over"] [data-reader]');
    const book = await product.book(1, 'Pampilio');
    await scan(desk, label(book));
    await finished(desk);
    expect((await scanned(desk))[0]).toMatchObject({ scan: label(book), tone: 'good' });
    const [{ scan: card } = { scan: '' }] = (await scanned(desk)).slice(1);
    await desk.raw.keyboard.press('Escape');
    await desk.until(async () => (await desk.raw.$('[data-reader]')) === null, 'the reader has gone');
    await desk.raw.keyboard.down('Control');
    await desk.raw.keyboard.press('k');
    await desk.raw.keyboard.up('Control');
    await desk.has('[data-palette] input:focus');
    await scan(desk, card);
    await desk.has('[data-reader-panel="irena.tuwim"]');
    await desk.goTo('/admin/desk');
    await desk.has('[data-mode] input');
  });

  it('hands over all that waits for a reader by one button', async () => {
    const halina = await reader('Halina', 'Poświatowska');
    const books = [await product.book(1, 'Hymn'), await product.book(1, 'Oda')];
    await rent(halina, books);
    await turnTo(desk, 'hand-over');
    await scan(desk, halina.card);
    await saysLarge('2 books wait');
    await desk.click('button', 'Hand over all 2');
    await desk.until(async () => (await scanned(desk))[1]?.words.includes('Lent') ?? false, 'both are lent');
    await finished(desk);
    expect((await typesOf(halina)).filter((type) => type === 'BooksIssued')).toHaveLength(2);
    await turnTo(desk, 'take-back');
  });

  it('hands over and takes back by the ISBN alone, and asks who brought a title that two readers have', async () => {
    const [maria, ewa] = [await reader('Maria', 'Peszek'), await reader('Ewa', 'Demarczyk')];
    const book = await product.book(2, 'Księgi Jakubowe');
    const isbn = '9788308049396';
    await product.database.query('update book set isbn = $2 where id = $1', [book, isbn]);
    await turnTo(desk, 'hand-over');
    await scan(desk, maria.card, isbn, ewa.card, isbn);
    await finished(desk);
    expect((await scanned(desk)).slice(0, 4).map(({ tone }) => tone)).toEqual([
      'good',
      'good',
      'good',
      'good',
    ]);
    expect(await product.copies(book)).toBe(0);

    await turnTo(desk, 'take-back');
    await scan(desk, isbn);
    await saysLarge('Who brought it?');
    await desk.clickOn('[data-result] ::-p-text(Ewa Demarczyk)');
    await finished(desk);
    expect(await typesOf(ewa)).toEqual(['BooksRented', 'BooksIssued', 'BooksReturned']);
    expect(await typesOf(maria)).toEqual(['BooksRented', 'BooksIssued']);
    // Nobody else has it now: it is theirs.
    await scan(desk, isbn);
    await saysLarge('Back');
    await finished(desk);
    expect(await typesOf(maria)).toEqual(['BooksRented', 'BooksIssued', 'BooksReturned']);
    expect(await product.copies(book)).toBe(2);
  });

  it('takes a lost copy that is brought: who lost it is paid out or has nothing to pay, and it can be undone', async () => {
    const [zuzanna, book, other] = [
      await reader('Zuzanna', 'Ginczanka'),
      await product.book(1, 'O centaurach'),
      await product.book(1, 'Wiersze'),
    ];
    const librarian = await product.signIn(admin);
    const lost = async (bookId: number) => {
      const borrowId = await lend(zuzanna, [bookId]);
      await librarian.post(`Borrow/mark-lost?borrowId=${borrowId}&userId=${zuzanna.id}`, {
        bookId,
        as: 'lost',
      });
      return borrowId;
    };
    const paid = await lost(book);
    const amount = { amount: 5000 };
    await librarian.post(`Payment/desk?borrowId=${paid}`, amount, { 'idempotency-key': randomUUID() });
    await lost(other);
    // Where books are handed over it is not lent, and there is a way on.
    await turnTo(desk, 'hand-over');
    await scan(desk, zuzanna.card, label(other));
    await finished(desk);
    await desk.sees('This copy is marked lost.');
    await desk.click('button', 'Take it back');
    await saysLarge('Found');
    await desk.sees('Zuzanna Ginczanka does not have to pay for it any more.');
    await finished(desk);
    await scan(desk, label(book));
    await saysLarge('50.00 PLN to pay out');
    expect(await product.copies(book)).toBe(1);
    await desk.goTo('/admin/dashboard');
    await desk.has(`[data-work="toPayOut"] [data-borrow-id="${paid}"]`);
    await desk.goTo('/admin/desk');
    await desk.has('[data-mode] input');
    // It is undone, scanned again, and the money handed over.
    await desk.clickOn('[data-result] [data-undo]');
    await saysLarge('Undone');
    await desk.sees('The copy is lost again');
    expect(await product.copies(book)).toBe(0);
    await scan(desk, label(book));
    await saysLarge('50.00 PLN to pay out');
    await desk.clickOn('[data-result] ::-p-text(Pay out)');
    await desk.click('button', '50.00 PLN handed over');
    await saysLarge('Found, and settled');
    expect((await typesOf(zuzanna)).slice(-4)).toEqual([
      'LostBookFound',
      'FindingUndone',
      'LostBookFound',
      'RefundPaid',
    ]);
    // Lost by nobody: it is on its shelf again, and that is undone like anything else.
    const nobodys = await product.book(1, 'Zwierzenia');
    await librarian.post(`Copy/${label(nobodys)}/lost`);
    await scan(desk, label(nobodys));
    await finished(desk);
    await desk.sees('no reader was charged for it');
    expect(await product.copies(nobodys)).toBe(1);
    await desk.clickOn('[data-result] [data-undo]');
    await saysLarge('Undone');
    expect(await product.copies(nobodys)).toBe(0);
    expect(await product.differences()).toEqual([]);
  });

  it('keeps its scans while the library does not answer and through a reload, and sends each once', async () => {
    const wislawa = await reader('Wisława', 'Szymborska');
    const books = await Promise.all(
      ['Sto pociech', 'Koniec', 'Chwila', 'Tutaj'].map((each) => product.book(1, each)),
    );
    await lend(wislawa, books);
    const network = await desk.raw.createCDPSession();
    // What the library did is not answered: the desk cannot know that it was done.
    await network.send('Fetch.enable', {
      patterns: [{ urlPattern: '*/api/Borrow/take-back-books*', requestStage: 'Response' }],
    });
    const lose = ({ requestId }: { requestId: string }) =>
      void network
        .send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' })
        .catch(() => undefined);
    network.on('Fetch.requestPaused', lose);
    await scan(desk, ...books.map((each) => label(each)));
    await desk.sees('The library does not answer. 4 scans waiting');
    await product.log.readStream('borrows', wislawa.pseudonym);
    desk.raw.once('dialog', (dialog) => void dialog.accept());
    await desk.raw.reload();
    await desk.sees('The library does not answer. 4 scans waiting');
    network.off('Fetch.requestPaused', lose);
    await network.send('Fetch.disable');
    await finished(desk);
    expect((await scanned(desk)).slice(0, 4).map((row) => row.scan)).toEqual(
      books.map((each) => label(each)).reverse(),
    );
    expect((await typesOf(wislawa)).filter((type: string) => type !== 'CopyRebound')).toEqual([
      'BooksRented',
      'BooksIssued',
      ...books.map(() => 'BooksReturned'),
    ]);
    expect(await product.differences()).toEqual([]);
  });

  it('keeps a copy that comes back for the reader who waited, says for whom, and hands it over to them', async () => {
    const maria = await reader('Maria', 'Konopnicka');
    const book = await product.book(1, 'O krasnoludkach');
    const jan = await reader('Jan', 'Brzechwa');
    await lend(jan, [book]);
    const { username, password } = await givePassword(product, maria);
    const window = await browser.window();
    const hers = await signedIn(window, product.url, { username, password }, `/book/${book}`);
    await hers.sees('Every copy is on loan. You would be 1st in line, about');
    await hers.click('button', 'Reserve: O krasnoludkach');
    await hers.has('[data-hold][data-state="Waiting"]');

    await desk.goTo('/admin/desk');
    await desk.has('[data-mode] input');
    await turnTo(desk, 'take-back');
    await scan(desk, label(book));
    await saysLarge('For Maria Konopnicka, shelf M');
    await desk.has('[data-result="kept"]');
    // It was never on the shelf in between.
    expect(await product.copies(book)).toBe(0);
    // They see it as it happens, and once among what they have: as what it is.
    await hers.has('[data-hold][data-state="Ready"]');
    await hers.goTo('/profile');
    await hers.has('[data-open-borrow][data-kept]');
    await hers.sees('Reserved: collect it by');
    expect(await hers.raw.$('[data-hold]')).toBeNull();

    await turnTo(desk, 'hand-over');
    await scan(desk, maria.card, label(book));
    await finished(desk);
    await desk.has('[data-reader] [data-ticked]');
    const collected = ['HoldPlaced', 'HoldReady', 'BooksRented', 'BooksIssued', 'HoldCollected'];
    expect(await typesOf(maria)).toEqual(collected);
    await hers.has('[data-open-borrow]:not([data-kept])');
    await window.close();

    // The queue says for whom a copy is that comes back, as the desk does.
    await desk.goTo(`/admin/readers/${jan.id}`);
    await desk.click('button', 'Reserve a title');
    await desk.fill('Title to reserve', 'O krasnoludkach');
    // Before anything is found: it is chosen once it is.
    await desk.raw.keyboard.press('Enter');
    await desk.has('[data-holds-of] [data-state="Waiting"]');
    await desk.goTo('/admin/borrows?q=Konopnicka');
    await desk.clickOn('[data-step="return"]');
    await desk.sees('For Jan Brzechwa, shelf J');
    await desk.goTo('/admin/desk');
    await desk.has('[data-mode] input');
    expect(await product.differences()).toEqual([]);
  });

  it('is walked by keyboard alone, from signing in to handing over and taking back', async () => {
    const olga = await reader('Olga', 'Boznańska');
    const book = await product.book(1, 'W Paryżu');
    const { username, password } = await givePassword(product, await product.account('Admin'));
    const window = await browser.window();
    const walk = await window.page(`${product.url}/#/login`);
    await walk.raw.bringToFront();
    const focusIsOn = (selector: string) => walk.has(`:is(${selector}):focus`);
    const tabTo = async (selector: string) => {
      for (let stop = 0; stop < 40; stop += 1) {
        if (await walk.raw.$(`:is(${selector}):focus`)) return;
        await walk.raw.keyboard.press('Tab');
      }
      await focusIsOn(selector);
    };
    await walk.has('input[autocomplete="username"]');
    await tabTo('input[autocomplete="username"]');
    await walk.raw.keyboard.type(username);
    await tabTo('input[autocomplete="current-password"]');
    await walk.raw.keyboard.type(password);
    await walk.raw.keyboard.press('Enter');
    await walk.until(async () => !(await walk.route()).startsWith('/login'), 'leaving the login page');
    await tabTo('a[href$="#/admin/dashboard"]');
    await walk.raw.keyboard.press('Enter');
    await walk.has('a[href$="#/admin/desk"]');
    await tabTo('a[href$="#/admin/desk"]');
    await walk.raw.keyboard.press('Enter');
    // One field, always listening.
    await walk.has('[data-mode="hand-over"] input');
    await scan(walk, olga.card, label(book));
    await finished(walk);
    await walk.has('[data-result="good"]');
    await walk.has(`[data-reader="${olga.id}"]`);
    await tabTo('[data-result] [data-undo]');
    await walk.raw.keyboard.press('Enter');
    await walk.has('[data-undone]');
    await scan(walk, label(book));
    await finished(walk);
    await turnTo(walk, 'take-back');
    await scan(walk, label(book));
    await finished(walk);
    expect(await typesOf(olga)).toEqual([
      ...['BooksRented', 'BooksIssued', 'IssueUndone', 'RentCancelled'],
      ...['BooksRented', 'BooksIssued', 'BooksReturned'],
    ]);
    expect(walk.troubles).toEqual([]);
    await window.close();
  });

  it('reads what is held before a camera, and nothing of the page’s policy is in its way', async () => {
    const julia = await reader('Julia', 'Hartwig');
    const { body } = await (await product.signIn(admin)).get(`Reader/panel?id=${julia.id}`);
    const { bars } = (body as { card: { bars: number[] } }).card;
    // In place of the camera: a card, drawn again and again.
    await desk.raw.evaluate(`{
      const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 360 });
      const pen = canvas.getContext('2d');
      setInterval(() => {
        pen.fillStyle = '#fff';
        pen.fillRect(0, 0, 640, 360);
        pen.fillStyle = '#000';
        let x = 60;
        ${JSON.stringify(bars)}.forEach((width, at) => {
          if (at % 2 === 0) pen.fillRect(x, 100, width * 4, 160);
          x += width * 4;
        });
      }, 50);
      navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(10);
    }`);
    await turnTo(desk, 'hand-over');
    await desk.click('button', 'Camera');
    await desk.has(`[data-reader="${julia.id}"]`);
    expect((await scanned(desk)).filter((row) => row.scan === julia.card)).toHaveLength(1);
    await desk.click('button', 'Close the camera');
    expect(desk.troubles.filter((trouble) => trouble.startsWith('policy:'))).toEqual([]);
  });
});
