import { openBrowser } from '../../test-support/worker-browser.js';
import type { BrowserPage } from '../../test-support/browser-page.js';
import { startProduct } from '../../test-support/product.js';
import { shared } from '../../test-support/shared.js';
import { waitFor } from '../../test-support/wait-for.js';
import { startWebhookReceiver } from '../../test-support/webhook-receiver.js';
import { givePassword } from '../late-readers.js';
import { signedIn } from '../people.js';
import { confirmIdentity } from './confirm-identity.js';
import { field } from './field.js';

describe('the webhooks', () => {
  const product = shared(() => startProduct(undefined, { environment: { PRIVATE_HOSTS: '127.0.0.1' } }));
  const browser = shared(() => openBrowser());
  const receiver = shared(() => startWebhookReceiver());
  let page: BrowserPage;
  let password = '';
  beforeAll(async () => {
    const admin = await givePassword(product, await product.account('Admin'));
    password = admin.password;
    page = await signedIn(await browser.window(), product.url, admin, '/admin/webhooks');
    await page.sees('No webhooks');
  });
  const dialogs = '[role="dialog"], [role="alertdialog"]';
  const closed = () => page.until(async () => (await page.raw.$(dialogs)) === null, 'the window closes');

  it('are added with a secret that is shown once, and refused with the field that is wrong', async () => {
    await page.click('button', 'Add a webhook');
    await field(page, 'Address').type('https://10.0.0.1/events');
    await page.click('button', 'Save');
    await confirmIdentity(page, password);
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
    expect(await page.text('[data-change="added"]')).toContain(receiver.url);
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
