import { accessibilityFaults } from '../../test-support/axe.js';
import { openBrowser, type TestBrowser } from '../../test-support/browser.js';
import type { BrowserPage } from '../../test-support/browser-page.js';
import { startInstallation, type InstallationProcess } from '../../test-support/installation-process.js';
import { guestCaller } from '../api-caller.js';
import { lettersTo, mailboxOf } from '../../test-support/mailed.js';
import { registerByApi } from '../people.js';
import { answering, holding, problem } from './calls.js';
import { canPress, field } from './field.js';
import { toast } from './toast.js';

const OLD = 'Stare#2025';
const NEW = 'Nowe#2026';
const LAST = 'Zielony#Krokodyl9';
const EMAIL = 'zofia@example.org';
const NOT_VALID = 'Please enter a valid email address.';
const TOO_SHORT = 'Password must be at least 6 characters long.';

describe('a forgotten password', () => {
  let product: InstallationProcess;
  let browser: TestBrowser;
  let page: BrowserPage;
  let link: string;
  let wordsForNobody: string;

  beforeAll(async () => {
    product = await startInstallation();
    browser = await openBrowser();
    await registerByApi(product.url, {
      username: 'zofia',
      password: OLD,
      firstname: 'Zofia',
      lastname: 'Lis',
    });
    page = await (await browser.window()).page(`${product.url}/#/login`);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  const letters = async (to: string) => {
    const messages = await lettersTo(product.url, to);
    return messages.flatMap(({ links }) => links).filter((each) => each.includes('reset-password'));
  };
  const submit = () => page.clickOn('main form button[type="submit"]');
  const logIn = async (password: string) => {
    await page.isAt('/login');
    await page.fill('Username', 'zofia');
    await page.fill('Password', password);
    await submit();
  };

  // spec 2.15
  it('is where the login asks for both fields, and leads on', async () => {
    await page.sees('Forgot password?');
    for (const [label, message] of [
      ['Username', 'Username is required'],
      ['Password', 'Password is required.'],
    ] as const) {
      await field(page, label).says();
      await field(page, label).touch();
      await field(page, label).says(message);
    }
    await page.click('link', 'Forgot password?');
    await page.isAt('/forgot-password');
  });

  // spec 5.9
  it('asks for a valid address once it was touched, and cannot be sent without', async () => {
    await field(page, 'Email').says();
    expect(await canPress(page, 'Send Reset Link')).toBe(false);
    await field(page, 'Email').touch();
    await field(page, 'Email').says(NOT_VALID);
    await field(page, 'Email').type('zofia@');
    await field(page, 'Email').says(NOT_VALID);
    expect(await canPress(page, 'Send Reset Link')).toBe(false);
    await field(page, 'Email').type(EMAIL);
    await field(page, 'Email').says();
    await page.until(() => canPress(page, 'Send Reset Link'), 'it can be sent');
  });

  // spec 8.12
  it('only stops loading when it fails, with what was typed still there', async () => {
    await answering(page, 'POST Account/forgot-password', problem(503, 'Not now.'), async () => {
      await submit();
      await toast(page, 'error', 'Not now.');
    });
    await page.until(() => canPress(page, 'Send Reset Link'), 'it can be sent again');
    expect(await letters(EMAIL)).toEqual([]);
  });

  it('says the same for an address that nobody has', async () => {
    await field(page, 'Email').type('nobody@example.org');
    await submit();
    await toast(page, 'success', 'Password reset email sent successfully!');
    wordsForNobody = await page.until(
      async () => (await page.text('main p[role="status"]')) || undefined,
      'words under the form',
    );
  });

  // spec 2.18
  it('is sent, saying so while it is under way and when it is done', async () => {
    await field(page, 'Email').type(EMAIL);
    await holding(page, 'POST Account/forgot-password', async ({ letGo }) => {
      await submit();
      await page.sees('Sending...');
      expect(await canPress(page, 'Sending...')).toBe(false);
      letGo();
      await toast(page, 'success', 'Password reset email sent successfully!');
    });
    await page.reads('main form button[type="submit"]', 'Send Reset Link');
    await page.reads('main p[role="status"]', wordsForNobody);
    link = await page.until(async () => (await letters(EMAIL))[0], 'the letter');
    expect(await letters('nobody@example.org')).toEqual([]);
  });

  it.each(['', '?email=zofia%40example.org', '?token=x'])(
    'has no use for a link that ends with “%s”',
    async (query) => {
      await page.goTo('/forgot-password');
      await page.sees('Send Reset Link');
      await page.goTo(`/reset-password${query}`);
      await page.isAt('/login');
      await toast(page, 'error', 'Invalid or expired link.');
    },
  );

  it('is chosen anew from the letter, whose token does not stay in the address', async () => {
    await page.raw.goto(link);
    await page.sees(EMAIL);
    await page.until(
      async () => (await page.route()) === '/reset-password',
      'the token is out of the address',
    );
    await field(page, 'New password').says();
    await field(page, 'New password').touch();
    await field(page, 'New password').says(TOO_SHORT);
    await field(page, 'New password').type('Ab#12');
    await field(page, 'New password').says(TOO_SHORT);
  });

  // spec 8.8
  it('is refused by the server where it breaks a rule of the first one', async () => {
    await field(page, 'New password').type('nowe#2026');
    await field(page, 'New password').says();
    await submit();
    await field(page, 'New password').says('Password must contain at least one uppercase letter.');
    await page.has('.Toastify__toast--error');
    await page.isAt('/reset-password');
  });

  it('has a word of its own for a failure without an answer', async () => {
    await field(page, 'New password').type(NEW);
    await answering(page, 'POST Account/reset-password', 'no answer', async () => {
      await submit();
      await toast(page, 'error', 'An error occurred.');
    });
  });

  // spec 2.19
  it('is reset, and leads to the login', async () => {
    await holding(page, 'POST Account/reset-password', async ({ letGo }) => {
      await submit();
      await page.sees('Resetting...');
      expect(await canPress(page, 'Resetting...')).toBe(false);
      letGo();
      await toast(page, 'success', 'Password reset successfully!');
    });
    await page.isAt('/login');
  });

  it('opens nothing more under its old form, and everything under the new one', async () => {
    await logIn(OLD);
    await page.has('main form [role="alert"]');
    await page.isAt('/login');
    await logIn(NEW);
    await page.isAt('/profile');
    await page.sees('Welcome back, Zofia');
  });

  it('cannot be reset by the same link again', async () => {
    await page.raw.goto(link);
    await page.sees(EMAIL);
    await page.fill('New password', 'Trzecie#2027');
    await submit();
    await toast(page, 'error', 'This link was used before. Please ask for a new one.');
    await page.isAt('/reset-password');
  });

  it('is changed by who is logged in, who is warned of a weak one and sees where else the account is open', async () => {
    await page.goTo('/profile');
    await page.sees('Welcome back, Zofia');
    const elsewhere = await guestCaller(product.url).post<{ token: string }>('Account/login', {
      username: 'zofia',
      password: NEW,
    });
    const isOpen = async () => {
      const headers = { authorization: `Bearer ${elsewhere.token}` };
      return (await fetch(`${product.url}/api/User/profile`, { headers })).ok;
    };
    expect(await isOpen()).toBe(true);
    await page.click('link', 'Security');
    await page.sees('This device');
    await page.sees('Chrome on Linux');
    await page.fill('Present password', NEW);
    await page.fill('New password', 'Zofia#2027');
    await page.sees('This password contains your name');
    expect(await accessibilityFaults(page.raw)).toEqual([]);
    await page.fill('New password', LAST);
    await submit();
    await toast(page, 'success', 'Your password is changed. All other sessions have ended.');
    expect(await isOpen()).toBe(false);
  });

  it('is forgotten by the browser at a log-out, and its session by the server', async () => {
    const token = (await page.raw.evaluate(`JSON.parse(localStorage.getItem('user')).token`)) as string;
    const status = async () =>
      (await fetch(`${product.url}/api/User/profile`, { headers: { authorization: `Bearer ${token}` } }))
        .status;
    expect(await status()).toBe(200);
    await page.click('button', 'Welcome Zofia');
    await page.click('menuitem', 'Logout');
    await page.isAt('/');
    await page.until(async () => (await status()) === 401, 'the session has ended');
    await page.goTo('/login');
    await logIn(LAST);
    await page.isAt('/profile');
  });

  it('is lost to nobody who finds the mailbox’s address in the history: it has no token any more', async () => {
    await page.raw.goto(mailboxOf(product.url));
    await page.sees('zofia@example.org');
    expect(page.raw.url()).toBe(`${product.url}/dev/mail`);
    const elsewhere = await (await browser.window()).page(`${product.url}/dev/mail`);
    await elsewhere.sees('The mailbox opens by the address with a token');
  });
});
