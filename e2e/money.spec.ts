import { z } from 'zod';
import { queryRows } from '#platform/database/query-rows.js';
import { localDay } from '#contracts/local-day.js';
import { accessibilityFaults } from '../test-support/browser/axe.js';
import { openBrowser } from '../test-support/browser/worker-browser.js';
import type { BrowserPage } from '../test-support/browser/browser-page.js';
import { LetterOffice } from '../test-support/mail/letter-office.js';
import { startProduct } from '../test-support/product/product.js';
import { TestClock } from '../test-support/test-clock.js';
import { shared } from '../test-support/shared.js';
import { waitFor } from '../test-support/wait-for.js';
import { givePassword, lendTo, type Borrower, type Credentials } from './late-readers.js';
import { signedIn } from './people.js';

const DAY = 24 * 3_600_000;

/** A zone where it is night while the library, of a whole hour's zone, has noon: thirteen hours away. */
function oppositeOf(zone: string): string {
  const west = Number(/[+-]\d+$/.exec(zone)?.[0] ?? 0);
  const other = west < 0 ? west + 13 : west - 13;
  return `Etc/GMT${other < 0 ? '' : '+'}${other}`;
}

/** Where the sandbox's page is. */
const SANDBOX = '/dev/pay/';

describe('a late fee, from the due date to the receipt, in real windows', () => {
  const clock = new TestClock();

  let queue: BrowserPage;
  let reader: BrowserPage;

  const row = ({ borrowId }: Borrower, status?: string) =>
    `tr[data-borrow-id="${borrowId}"]${status === undefined ? '' : `[data-status="${status}"]`}`;
  const rowText = (page: BrowserPage, borrower: Borrower) =>
    page.raw.$eval(row(borrower), (found) => found.textContent ?? '');
  const payButton = (borrower: Borrower) => `${row(borrower)} button[aria-label^="Pay fee"]`;
  const atSandbox = (page: BrowserPage) =>
    page.until(async () => page.raw.url().startsWith(`${product.url}${SANDBOX}`), 'the page of the sandbox');
  const sweep = () => product.runJob('upkeep', 'sweep-borrows', {});
  const paidEvents = async ({ account }: Borrower) =>
    (await product.log.readStream('borrows', account.pseudonym)).filter(
      ({ event }) => event.type === 'FinePaid',
    );
  const receipts = async ({ email }: Borrower) =>
    (await office.subjects(email)).filter((subject) => subject.startsWith('Receipt'));

  const signedInAs = async (who: Credentials, route: string) =>
    signedIn(await browser.window(), product.url, who, route);

  const product = shared(() => startProduct(clock));
  const browser = shared(() => openBrowser());
  const office = shared(() => new LetterOffice(product, clock));
  const admin = shared(() => product.account('Admin'));
  const librarian = shared(() => givePassword(product, admin));
  /** Pays at once; declines first; brings the book back before anybody has charged them. */
  const payer = shared(() => lendTo(product, admin, ['Solaris', 'Lalka']));
  const decliner = shared(() => lendTo(product, admin, ['Ferdydurke']));
  const returner = shared(() => lendTo(product, admin, ['Quo vadis']));
  beforeAll(async () => {
    // Whoever is written to about a loan has their letter before the time is moved.
    await office.settled();
    await clock.forward(15 * DAY);
    queue = await signedInAs(librarian, '/admin/borrows');
    await queue.has('[data-live="live"]');
    await queue.has(row(payer, 'Issued'));
    await queue.mark();
  });

  it('is not known to the librarian before the books are brought: the return is refused, and charged', async () => {
    await queue.clickOn(`${row(returner, 'Issued')} button`);
    await queue.sees('Fee not paid');
    await queue.has(row(returner, 'Not_Paid'));
    // In the row itself: the reason and the amount, and no way to give the book back but to pay.
    expect(await rowText(queue, returner)).toContain('Fee not paid 0.50 PLN');
    expect(await queue.raw.$$(`${row(returner)} button`)).toHaveLength(0);
    expect(await product.copies(returner.bookIds[0] ?? 0)).toBe(0);
  });

  it('is charged by the sweep, which the queue shows without being asked', async () => {
    expect(await sweep()).toMatchObject({ failed: 0 });
    await queue.has(row(payer, 'Not_Paid'));
    await queue.has(row(decliner, 'Not_Paid'));
    expect(await rowText(queue, payer)).toContain('Fee not paid');
  });

  it('has the days of the library in the list, the search and the letter, also where the browser has other days', async () => {
    const { body } = await (await product.signIn(admin)).get(`Borrow?SearchTerm=Solaris`);
    const [{ rentDate, dueDate }] = (body as { items: [{ rentDate: string; dueDate: string }] }).items;
    const zone = product.settings.TIME_ZONE;
    const [rentDay, dueDay] = [localDay(rentDate, zone), localDay(dueDate, zone)];
    const elsewhere = await signedInAs(librarian, '/admin/borrows');
    await elsewhere.raw.emulateTimezone(oppositeOf(zone));
    await elsewhere.raw.reload();
    await elsewhere.has(row(payer, 'Not_Paid'));
    const ofBrowser = await elsewhere.raw.evaluate(
      (time) => new Intl.DateTimeFormat('sv').format(new Date(time)),
      rentDate,
    );
    expect(ofBrowser).not.toBe(rentDay);
    const shown = await rowText(elsewhere, payer);
    expect(shown).toContain(rentDay);
    expect(shown).toContain(dueDay);
    await elsewhere.goTo(`/admin/borrows?q=${rentDay}`);
    await elsewhere.has(row(payer));
    await elsewhere.goTo(`/admin/borrows?q=${ofBrowser}`);
    await elsewhere.sees('No borrow matches this filter and search.');
    expect(await office.subjects(payer.email)).toContain(`Your books, due back on ${dueDay}`);
    expect(elsewhere.troubles).toEqual([]);
  });

  // spec 2.25
  it('stands in the profile of the reader with the way to pay it', async () => {
    reader = await signedInAs(payer, '/profile');
    await reader.has(row(payer, 'Not_Paid'));
    expect(await rowText(reader, payer)).toContain('1.00 PLN');
    await reader.has(payButton(payer));
    expect(await reader.text(payButton(payer))).toBe('Pay fee');
  });

  // spec 1.3, 2.26, 4.16
  it('is paid at the provider, confirmed, and shown as paid to the librarian without a reload', async () => {
    await reader.clickOn(payButton(payer));
    await atSandbox(reader);
    await reader.sees('1.00 PLN');
    await reader.sees('Solaris');
    await reader.sees('Lalka');
    await reader.click('button', 'Pay');
    await reader.isAt('/payment/success');
    await reader.sees('Your payment is confirmed');
    expect(await reader.raw.evaluate('localStorage.getItem("transactionId")')).toBeNull();
    await reader.isAt('/profile');
    await reader.has(row(payer, 'Paid'));
    expect(await reader.raw.$$(payButton(payer))).toHaveLength(0);

    await queue.has(row(payer, 'Paid'));
    expect(await queue.isStillMarked()).toBe(true);
  });

  it('is received in one letter, however often the payment is confirmed and looked after', async () => {
    const events = await paidEvents(payer);
    expect(events).toMatchObject([{ event: { data: { amount: 100 } } }]);
    const [paid] = events;
    const transactionId = paid?.event.type === 'FinePaid' ? paid.event.data.transactionId : '';
    const again = await product.signIn(payer.account);
    const confirm = () => again.post(`Payment/confirm?transactionId=${transactionId}`);
    const answers = await Promise.all([confirm(), confirm()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await product.runJob('upkeep', 'reconcile-payments', {});
    expect(await paidEvents(payer)).toHaveLength(1);
    expect(await receipts(payer)).toEqual([expect.stringContaining('1.00 PLN')]);
  });

  // spec 4.12
  it('lets the librarian take the books back once it is paid', async () => {
    await queue.clickOn(`${row(payer, 'Paid')} button:not([data-held])`);
    await queue.sees('Books returned');
    await queue.has(row(payer, 'Returned'));
    expect(await queue.raw.$$(`${row(payer)} button`)).toHaveLength(0);
    await reader.has(row(payer, 'Returned'));
    expect(await Promise.all(payer.bookIds.map((id) => product.copies(id)))).toEqual([1, 1]);
  });

  // spec 2.27
  it('stays due where the payment is declined, and can be paid then', async () => {
    reader = await signedInAs(decliner, '/profile');
    await reader.clickOn(payButton(decliner));
    await atSandbox(reader);
    await reader.click('button', 'Decline');
    await reader.isAt('/payment/fail');
    await reader.sees('Your payment did not go through');
    expect(await paidEvents(decliner)).toEqual([]);

    await reader.click('link', 'Back to your profile');
    await reader.isAt('/profile');
    await reader.has(row(decliner, 'Not_Paid'));
    expect(await rowText(reader, decliner)).toContain('0.50 PLN');
    expect(await rowText(queue, decliner)).toContain('Fee not paid');

    await reader.clickOn(payButton(decliner));
    await atSandbox(reader);
    await reader.click('button', 'Pay');
    await reader.sees('Your payment is confirmed');
    await queue.has(row(decliner, 'Paid'));
    await reader.isAt('/profile');
    await reader.has(row(decliner, 'Paid'));
    expect(await paidEvents(decliner)).toHaveLength(1);
    expect(await receipts(decliner)).toHaveLength(1);
  });

  // spec 4.12
  it('is paid in cash at the desk, by keyboard, and the book is given back at once', async () => {
    await queue.raw.bringToFront();
    await queue.raw.focus(`${row(returner, 'Not_Paid')} a`);
    await queue.raw.keyboard.press('p');
    await queue.has('[data-drawer]');
    await queue.sees('0.50 PLN received');
    for (const fact of ['Quo vadis', '1 day']) await queue.sees(fact);
    expect(await accessibilityFaults(queue.raw)).toEqual([]);
    // The cross, the sum, Cancel, and the one that does it.
    await queue.raw.keyboard.press('Tab');
    await queue.raw.keyboard.press('Tab');
    await queue.raw.keyboard.press('Tab');
    await queue.raw.keyboard.press('Enter');
    await queue.sees('Fee paid: 0.50 PLN');
    await queue.has(row(returner, 'Paid'));
    // The borrow is still open, and the next thing to do is there.
    await queue.has('[data-drawer] button[data-step="return"]');
    await queue.raw.keyboard.press('Escape');
    // The focus is where it was.
    await queue.has(`${row(returner, 'Paid')} a:focus`);
    await queue.raw.keyboard.press('r');
    await queue.has(row(returner, 'Returned'));
    expect(await product.copies(returner.bookIds[0] ?? 0)).toBe(1);
    expect(await queue.isStillMarked()).toBe(true);

    expect(await paidEvents(returner)).toMatchObject([
      { event: { data: { amount: 50, provider: 'desk' } }, metadata: { actor: admin.pseudonym } },
    ]);
    // One letter for what was paid and returned.
    const atDesk = await product.signIn(admin);
    await waitFor(async () => {
      const { body } = await atDesk.post(`Desk/visit-over?userId=${returner.account.id}`);
      return (body as { ended: boolean }).ended;
    });
    await office.settled();
    const texts = (await office.letters(returner.email)).map(({ text }) => text);
    expect(texts.filter((text) => text.includes('Paid: at the desk'))).toHaveLength(1);
  });

  it('opens the page of an ended payment only to say so', async () => {
    const rows = await queryRows(
      product.database,
      z.object({ reference: z.string(), status: z.string() }),
      'select reference, status from sandbox_payment order by created',
    );
    expect(rows.map(({ status }) => status)).toEqual(['paid', 'refused', 'paid']);
    const page = await (await browser.window()).page(`${product.url}${SANDBOX}${rows[1]?.reference}`);
    await page.sees('This payment was declined.');
    expect(await page.raw.$$('form')).toHaveLength(0);
    expect(page.troubles).toEqual([]);
  });

  it('leaves the log, the lists and the consoles of the browsers in order', async () => {
    expect(await product.differences()).toEqual([]);
    // The one refusal that was asked for.
    expect(queue.troubles).toEqual([expect.stringMatching(/409.*return-books/)]);
    expect(reader.troubles).toEqual([]);
  });
});
