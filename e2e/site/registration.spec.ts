import { COUNTRIES } from '#contracts/accounts/countries.js';
import { openBrowser, type TestBrowser } from '../../test-support/browser.js';
import type { BrowserPage } from '../../test-support/browser-page.js';
import { startInstallation, type InstallationProcess } from '../../test-support/installation-process.js';
import { canPress, field } from './field.js';

describe('registering', () => {
  let product: InstallationProcess;
  let browser: TestBrowser;
  let page: BrowserPage;

  beforeAll(async () => {
    product = await startInstallation();
    browser = await openBrowser();
    page = await (await browser.window()).page(`${product.url}/#/register`);
    await page.sees('Account Details');
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  /** From the step of the account on; each step is there before the next button is looked for, as two have the same. */
  async function sendAgain(): Promise<void> {
    for (const [button, next] of [
      ['Next', 'Firstname'],
      ['Next', 'Country'],
      ['Submit', undefined],
    ] as const) {
      await page.until(() => canPress(page, button), `${button} can be pressed`);
      await page.click('button', button);
      if (next) await field(page, next).value();
    }
  }

  // spec 5.1
  it('says nothing before a field was touched, and cannot go on', async () => {
    for (const label of ['Username', 'Email', 'Password', 'Confirm password']) {
      await field(page, label).says();
    }
    expect(await canPress(page, 'Next')).toBe(false);
  });

  // spec 2.11
  it('asks for each field of the account once it was touched', async () => {
    for (const [label, message] of [
      ['Username', 'Username is required'],
      ['Email', 'Email is required'],
      ['Password', 'Password is required.'],
    ] as const) {
      await field(page, label).touch();
      await field(page, label).says(message);
    }
  });

  // spec 5.3, 9.6
  it.each([
    [
      '#',
      [
        'Password must be at least 6 characters.',
        'Password must contain at least one number (0-9).',
        'Password must contain at least one lowercase letter.',
        'Password must contain at least one uppercase letter.',
      ],
    ],
    ['Sekret#', ['Password must contain at least one number (0-9).']],
    ['SEKRET#1', ['Password must contain at least one lowercase letter.']],
    ['sekret#1', ['Password must contain at least one uppercase letter.']],
    ['Sekret11', ['Password must contain at least one special character.']],
    ['Se#1', ['Password must be at least 6 characters.']],
    ['Sekret#1', []],
  ])('says of the password %s what it lacks', async (password, messages) => {
    await field(page, 'Password').type(password);
    await field(page, 'Password').says(...messages);
  });

  // spec 5.4
  it('compares the two passwords, again when the first one changes', async () => {
    await field(page, 'Confirm password').type('Sekret#2');
    await field(page, 'Confirm password').says('Passwords do not match');
    await field(page, 'Password').type('Sekret#2');
    await field(page, 'Confirm password').says();
    await field(page, 'Password').type('Sekret#3');
    await field(page, 'Confirm password').says('Passwords do not match');
    await field(page, 'Confirm password').type('Sekret#3');
    await field(page, 'Confirm password').says();
  });

  // spec 5.2
  it('does not check the format of the e-mail in the wizard', async () => {
    await field(page, 'Username').type('admin');
    await field(page, 'Email').type('no-address');
    await field(page, 'Email').says();
    await page.until(() => canPress(page, 'Next'), 'Next can be pressed');
    await page.click('button', 'Next');
    await page.sees('Firstname');
  });

  // spec 2.12, 5.5
  it('asks for every personal detail', async () => {
    expect(await canPress(page, 'Next')).toBe(false);
    for (const [label, message] of [
      ['Firstname', 'Firstname is required'],
      ['Lastname', 'Lastname is required'],
      ['Date of Birth', 'Date of Birth is required'],
      ['Gender', 'Gender is required'],
    ] as const) {
      await field(page, label).touch();
      await field(page, label).says(message);
    }
    const choices = await page.raw.$$eval('select option', (options) =>
      options.map((each) => each.textContent),
    );
    expect(choices).toEqual(['Select Gender', 'Male', 'Female', 'Other']);
  });

  // spec 2.10
  it('goes back without losing what was typed', async () => {
    await page.click('button', 'Back');
    await page.sees('Username');
    expect(await page.raw.$eval('input[autocomplete="username"]', (input) => input.value)).toBe('admin');
    await page.click('button', 'Next');
    await page.fill('Firstname', 'Maria');
    await page.fill('Lastname', 'Dąbrowska');
    await page.fill('Date of Birth', '1990-04-12');
    await page.fill('Gender', 'Female');
    await page.until(() => canPress(page, 'Next'), 'Next can be pressed');
    await page.click('button', 'Next');
    await page.sees('Country');
  });

  // spec 2.13, 5.6
  it('asks for the address, with the message that the country has as found', async () => {
    for (const [label, message] of [
      ['Country', 'City is required'],
      ['Address', 'Address is required'],
      ['City', 'City is required'],
      ['Postal Code', 'Postal Code is required (5 digits)'],
    ] as const) {
      await field(page, label).touch();
      await field(page, label).says(message);
    }
    const countries = await page.raw.$$eval('select option', (options) =>
      options.map((each) => (each as { value: string }).value),
    );
    expect(countries).toEqual(['', ...COUNTRIES.map(({ name }) => name)]);
  });

  // spec 5.7
  it.each([
    ['12', ['Postal Code is required (5 digits)']],
    ['12345', ['Postal Code is required (5 digits)']],
    ['a12-345', ['Postal Code is required (5 digits)']],
    ['12-34', ['Postal Code is required (5 digits)']],
    ['12-345', []],
    ['12-345 Kraków', []],
  ])('takes the postal code %s as the pattern has it, not anchored at the end', async (code, messages) => {
    await field(page, 'Postal Code').type(code);
    await field(page, 'Postal Code').says(...messages);
  });

  // spec 2.14
  it('brings the server’s refusal back to the field it is about, with everything kept', async () => {
    await page.fill('Country', 'Poland');
    await page.fill('Address', 'ul. Długa 7');
    await page.fill('City', 'Kraków');
    await page.until(() => canPress(page, 'Submit'), 'Submit can be pressed');
    await page.click('button', 'Submit');
    await field(page, 'Email').says('Please enter a valid email address.');
    await field(page, 'Email').type('maria@example.org');
    await sendAgain();
    await field(page, 'Username').says('This username is already taken. Please choose another.');
    await page.sees('This username is already taken');
    await field(page, 'Username').type('maria');
    await sendAgain();
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

  // spec 2.17, 5.11
  it('says that an incomplete or wrong confirmation link opens nothing', async () => {
    await page.goTo('/confirm-email');
    await page.sees('Invalid confirmation link.');
    await page.goTo('/confirm-email?userId=00000000-0000-4000-8000-000000000000&token=wrong');
    await page.sees('This link is invalid or has expired.');
  });
});
