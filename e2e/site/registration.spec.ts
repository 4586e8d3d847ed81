import { openBrowser } from '../../test-support/browser.js';
import { startInstallation } from '../../test-support/installation-process.js';
import { shared } from '../../test-support/shared.js';
import { canPress, field } from './field.js';

describe('registering', () => {
  const product = shared(() => startInstallation());
  const browser = shared(() => openBrowser());
  const page = shared(async () => (await browser.window()).page(`${product.url}/#/register`));
  beforeAll(async () => {
    await page.sees('Account Details');
  });

  const forward = async (button: string) => {
    await page.until(() => canPress(page, button), `${button} can be pressed`);
    await page.click('button', button);
  };
  /** From the step of the account on; each step is there before the next button is looked for, as two have the same. */
  async function send(): Promise<void> {
    await forward('Next');
    await field(page, 'Firstname').value();
    await forward('Next');
    await field(page, 'Country').value();
    await forward('Submit');
  }

  // spec 2.14, 5.2
  it('goes through its three steps, and brings a refusal of the server back to its field with everything kept', async () => {
    for (const [label, text] of [
      ['Username', 'admin'],
      ['Email', 'no-address'],
      ['Password', 'Sekret#3'],
      ['Confirm password', 'Sekret#3'],
    ] as const)
      await field(page, label).type(text);
    expect(await page.raw.$$eval('input[type="password"]', (fields) => fields.length)).toBe(2);
    await forward('Next');
    await page.sees('Firstname');
    await page.fill('Firstname', 'Maria');
    await page.fill('Lastname', 'Dąbrowska');
    await page.fill('Date of Birth', '1990-04-12');
    await page.fill('Gender', 'Female');
    await forward('Next');
    await page.sees('Country');
    await page.fill('Country', 'Poland');
    await page.fill('Address', 'ul. Długa 7');
    await page.fill('City', 'Kraków');
    await page.fill('Postal Code', '12-345 Kraków');
    await forward('Submit');
    await field(page, 'Email').says('Please enter a valid email address.');
    await field(page, 'Email').type('maria@example.org');
    await send();
    await field(page, 'Username').says('This username is already taken. Please choose another.');
    await field(page, 'Username').type('maria');
    await send();
    await page.isAt('/email-notification?username=maria');
    await page.sees('Registration Successful!');
  });

  // spec 2.16, 8.18
  it('sends the confirmation again when asked', async () => {
    await page.click('button', 'Resend Confirmation Email');
    await page.sees('Confirmation email successfully resent!');
  });

  it('refuses a login before the address is confirmed, and says why', async () => {
    await page.goTo('/login');
    await page.fill('Username', 'maria');
    await page.fill('Password', 'Sekret#3');
    await page.clickOn('main form button[type="submit"]');
    await page.has('main form [role="alert"]');
    expect(await page.text('main form [role="alert"]')).toContain('confirm');
  });
});
