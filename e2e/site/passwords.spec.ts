import { accessibilityFaults } from '../../test-support/axe.js';
import { openBrowser } from '../../test-support/browser.js';
import type { BrowserPage } from '../../test-support/browser-page.js';
import { startInstallation } from '../../test-support/installation-process.js';
import { guestCaller } from '../api-caller.js';
import { lettersTo, mailboxOf } from '../../test-support/mailed.js';
import { shared } from '../../test-support/shared.js';
import { registerByApi } from '../people.js';
import { field } from './field.js';
import { toast } from './toast.js';

const OLD = 'Stare#2025';
const NEW = 'Nowe#2026';
const LAST = 'Zielony#Krokodyl9';
const EMAIL = 'zofia@example.org';

describe('a forgotten password', () => {
  let page: BrowserPage;
  let link: string;
  let wordsForNobody: string;

  const product = shared(() => startInstallation());
  const browser = shared(() => openBrowser());
  beforeAll(async () => {
    await registerByApi(product.url, {
      username: 'zofia',
      password: OLD,
      firstname: 'Zofia',
      lastname: 'Lis',
    });
    page = await (await browser.window()).page(`${product.url}/#/forgot-password`);
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

  it('says the same for an address that nobody has', async () => {
    await field(page, 'Email').type('nobody@example.org');
    await submit();
    await toast(page, 'success', 'Password reset email sent successfully!');
    wordsForNobody = await page.until(
      async () => (await page.text('main p[role="status"]')) || undefined,
      'words under the form',
    );
  });

  it('is sent to who has an account, with the same words', async () => {
    await field(page, 'Email').type(EMAIL);
    await submit();
    await toast(page, 'success', 'Password reset email sent successfully!');
    await page.reads('main p[role="status"]', wordsForNobody);
    link = await page.until(async () => (await letters(EMAIL))[0], 'the letter');
    expect(await letters('nobody@example.org')).toEqual([]);
  });

  it('is chosen anew from the letter, whose token does not stay in the address', async () => {
    await page.raw.goto(link);
    await page.sees(EMAIL);
    await page.until(
      async () => (await page.route()) === '/reset-password',
      'the token is out of the address',
    );
  });

  it('is reset, and leads to the login', async () => {
    await page.fill('New password', NEW);
    await submit();
    await toast(page, 'success', 'Password reset successfully!');
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
