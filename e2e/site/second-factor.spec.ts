import { TOTP, Secret } from 'otpauth';
import { accessibilityFaults } from '../../test-support/browser/axe.js';
import type { BrowserPage } from '../../test-support/browser/browser-page.js';
import { lettersTo } from '../../test-support/mail/mailed.js';
import { PASSWORDS } from '../people.js';
import { siteUnderTest } from '../site-under-test.js';
import { confirmIdentity } from './confirm-identity.js';
import { field } from './field.js';
import { toast } from './toast.js';

const STEP = 30_000;
const EMAIL = 'julia.kaczmarek@lectern.example';

/** The reader's second factors, at a name, since passkeys belong to one. */
describe('a second factor', () => {
  let page: BrowserPage;
  let totp: TOTP;
  let recoveryCodes: string[] = [];

  const { product, browser } = siteUnderTest();
  beforeAll(async () => {
    const site = product.url.replace('127.0.0.1', 'localhost');
    page = await (await browser.window()).page(`${site}/#/login`);
    const devtools = await page.raw.createCDPSession();
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
  });

  const faults = async (what: string) => {
    const found: string[] = [];
    for (const [theme, only] of [['light'], ['dark', 'colours']] as const) {
      await page.raw.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      found.push(
        ...(await accessibilityFaults(page.raw, only)).map((fault) => `${what}, ${theme}: ${fault}`),
      );
    }
    return found;
  };
  const givePassword = async () => {
    await page.isAt('/login');
    await page.fill('Username', 'reader');
    await page.fill('Password', PASSWORDS.reader);
    await page.clickOn('main form button[type="submit"]');
  };
  const logOut = async () => {
    await page.clickOn('header button[aria-haspopup="menu"]');
    await page.clickOn('[role="menuitem"] ::-p-text(Sign out)');
    await page.until(
      async () => (await page.raw.evaluate(`localStorage.getItem('user')`)) === null,
      'signed out',
    );
    await page.goTo('/login');
  };

  it('is set up with an app, after asking who it is', async () => {
    await givePassword();
    await page.isAt('/profile');
    await page.goTo('/profile/security');
    await page.sees('Second factor');
    await page.click('button', 'Set up');
    await page.sees('Is it still you?');
    await field(page, 'Your password').type('Wrong#2026');
    await page.click('button', 'Confirm');
    await page.sees('This is not your password.');
    expect(await faults('asking again')).toEqual([]);
    await confirmIdentity(page, PASSWORDS.reader);
    await page.has('[role="dialog"] img[src^="data:image/svg"]');
    const secret = await page.raw.$eval('[role="dialog"] ol li span', (span) => span.textContent ?? '');
    expect(await faults('the code app')).toEqual([]);
    totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) });

    await field(page, 'Code').type('12 34');
    await page.clickOn('[role="dialog"] button[type="submit"]');
    await page.sees('Enter the six digits your app shows.');
    await field(page, 'Code').type(totp.generate());
    await page.clickOn('[role="dialog"] button[type="submit"]');
    await page.sees('Keep these recovery codes');
    recoveryCodes = await page.raw.$$eval('[role="dialog"] ol li', (all) =>
      all.map((each) => each.textContent ?? ''),
    );
    expect(recoveryCodes).toHaveLength(10);
    expect(await faults('the recovery codes')).toEqual([]);
    await page.click('button', 'I have saved them');
    await page.sees('10 of 10 left');
    await page.until(async () => {
      const letters = await lettersTo(product.url, EMAIL);
      return letters.some(({ subject }) => subject === 'An authenticator app was added to your account');
    }, 'the letter');
  });

  it('is asked for at the next login, by its code', async () => {
    await logOut();
    await givePassword();
    await page.sees('One more step');
    expect(await page.raw.$eval('main input', (input) => input.getAttribute('autocomplete'))).toBe(
      'one-time-code',
    );
    expect(await faults('the second step')).toEqual([]);
    await field(page, 'Code').type('000000');
    await page.clickOn('main form button[type="submit"]');
    await page.sees('This code is wrong or was used before.');
    // The code of the present step was used to set the app up.
    await field(page, 'Code').type(totp.generate({ timestamp: Date.now() + STEP }));
    await page.clickOn('main form button[type="submit"]');
    await page.isAt('/profile');
  });

  it('is replaced by a recovery code, once', async () => {
    await logOut();
    await givePassword();
    await page.sees('One more step');
    await page.click('button', 'Use a recovery code');
    await field(page, 'Recovery code').type(recoveryCodes[0]?.toUpperCase() ?? '');
    await page.clickOn('main form button[type="submit"]');
    await page.isAt('/profile');
    await page.goTo('/profile/security');
    await page.sees('9 of 10 left');
  });

  it('can be a passkey, which then signs in alone', async () => {
    await page.click('button', 'Add a passkey');
    await field(page, 'Name').type('My computer');
    await page.clickOn('[role="dialog"] button[type="submit"]');
    await page.sees('Is it still you?');
    await confirmIdentity(page, PASSWORDS.reader);
    await toast(page, 'success', 'Passkey added');
    await page.has('ul[aria-label="Your passkeys"] li');
    expect(await faults('the page')).toEqual([]);
    await logOut();
    await page.click('button', 'Sign in with a passkey');
    await page.isAt('/profile');
  });

  it('is given by the passkey after the password', async () => {
    await logOut();
    await givePassword();
    await page.click('button', 'Use a passkey');
    await page.clickOn('main form button[type="submit"]');
    await page.isAt('/profile');
  });

  it('confirms by the passkey, and is removed', async () => {
    await page.goTo('/profile/security');
    await page.click('button', 'Remove My computer');
    await page.clickOn('[role="alertdialog"] button ::-p-text(Remove)');
    await page.sees('Is it still you?');
    await page.click('button', 'Use a passkey');
    await toast(page, 'success', 'Passkey removed');
    await page.until(
      async () => (await page.raw.$('ul[aria-label="Your passkeys"] li')) === null,
      'the passkey is gone',
    );
  });

  it('is kept when the question is declined', async () => {
    await logOut();
    await givePassword();
    await page.click('button', 'Use a recovery code');
    await field(page, 'Recovery code').type(recoveryCodes[1] ?? '');
    await page.clickOn('main form button[type="submit"]');
    await page.isAt('/profile');
    await page.goTo('/profile/security');
    await page.sees('Signing in asks for its code.');
    await page.clickOn('section[aria-labelledby="second-factor"] button ::-p-text(Remove)');
    await page.clickOn('[role="alertdialog"] button ::-p-text(Remove)');
    await page.sees('Is it still you?');
    await page.raw.keyboard.press('Escape');
    await page.sees('Please confirm that it is you. Nothing has changed yet.');
    await page.sees('Signing in asks for its code.');
  });
});
