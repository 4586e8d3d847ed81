import { shared } from '../../test-support/shared.js';
import { givePassword } from '../late-readers.js';
import { signedIn } from '../people.js';
import { emptySite } from '../site-under-test.js';

describe('a waiver above one’s limit, in the windows of who asks and who approves', () => {
  const { product, browser } = emptySite();
  const asker = shared(() => product.account('Reader', 'Librarian'));
  const approver = shared(() => product.account('Reader', 'Admin'));
  const pageOf = (account: typeof asker) =>
    shared(async () => {
      const credentials = await givePassword(product, account);
      return signedIn(await browser.window(), product.url, credentials, '/admin/dashboard');
    });
  const asking = pageOf(asker);
  const approving = pageOf(approver);

  /** Of a reader who has lost a book, for 50 PLN; opened in the window of who asks. */
  const owing = async () => {
    const reader = await product.account();
    const bookId = await product.book(1, 'Solaris');
    const { body } = await approver.post(`Borrow/lend?userId=${reader.id}`, { bookIds: [bookId] });
    const of = `borrowId=${body.id}&userId=${reader.id}`;
    await approver.post(`Borrow/mark-lost?${of}`, { bookId, as: 'lost' });
    await asking.goTo(`/admin/dashboard?borrow=${body.id}`);
    await asking.clickOn('[data-drawer] [data-step="waive"]');
    return { id: body.id as string, reader };
  };
  const askFor = async (amount: string, note: string) => {
    await asking.fill('Amount in PLN', amount);
    await asking.fill('In words', note);
    await asking.click('button', 'Waive');
    await asking.sees('You can waive up to 20.00 PLN of one borrow alone.');
    await asking.click('button', 'Ask for approval');
    await asking.has('[data-drawer] [data-waiver="open"]');
  };
  const WAITING = '[data-work="waivers"] [data-waiver="open"]';

  it('is asked for in the dialog, comes up at the other’s at once, and is approved there', async () => {
    await approving.has('[data-counter="totalUsers"] [data-value]');
    expect(await approving.raw.$('[data-work="waivers"]')).toBeNull();
    const { id, reader } = await owing();
    // Within the limit, nobody is asked.
    await asking.fill('Amount in PLN', '40');
    await asking.click('button', 'Waive');
    await asking.sees('Ask for approval');
    await asking.fill('Amount in PLN', '5');
    expect(await asking.raw.$('button ::-p-text(Ask for approval)')).toBeNull();
    await askFor('30', 'Was in hospital');
    await approving.has(WAITING);
    expect(await approving.text('[data-work="waivers"] [data-total]')).toBe('1');
    await approving.sees('asks to waive 30.00 PLN of 50.00 PLN');
    await approving.sees('“Was in hospital”');
    // At the borrow, too.
    await approving.goTo(`/admin/dashboard?borrow=${id}`);
    await approving.has('[data-drawer] [data-waiver="open"]');
    await approving.clickOn('[data-drawer] [data-waiver="open"] button');
    await approving.has('[data-drawer] [data-event="FeeWaived"]');
    await approving.sees('asked by');
    await asking.sees('The waiver of 30.00 PLN that you asked for was approved.');
    await asking.has('[data-drawer] [data-waiver="approved"]');
    await asking.has('[data-drawer] [data-event="FeeWaived"]');
    const stored = await product.log.readStream('borrows', reader.pseudonym);
    expect(stored.at(-1)?.event).toMatchObject({
      type: 'FeeWaived',
      data: { amount: 3_000, waivedBy: approver.pseudonym, askedBy: asker.pseudonym },
    });
  });

  it('is declined with a word, which whoever asked reads; the next one they withdraw', async () => {
    await approving.goTo('/admin/dashboard');
    await owing();
    await askFor('50', 'A good reader');
    await approving.has(WAITING);
    await approving.click('button', 'Decline');
    await approving.sees('will read what you write.');
    await approving.clickOn('[role="dialog"] button[type="submit"]');
    await approving.sees('Please say why.');
    await approving.fill('Reason', 'Half would do');
    await approving.clickOn('[role="dialog"] button[type="submit"]');
    await approving.until(async () => (await approving.raw.$(WAITING)) === null, 'it is answered');
    await asking.sees('The waiver of 50.00 PLN that you asked for was declined.');
    await asking.sees(': Half would do');
    await asking.clickOn('[data-drawer] [data-step="waive"]');
    await askFor('25', 'Half');
    await approving.has(WAITING);
    await asking.click('button', 'Withdraw');
    await approving.until(async () => (await approving.raw.$(WAITING)) === null, 'it is withdrawn');
    await asking.until(
      async () => (await asking.raw.$('[data-drawer] [data-waiver="open"]')) === null,
      'it is withdrawn',
    );
  });
});
