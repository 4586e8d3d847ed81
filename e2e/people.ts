import type { BrowserPage } from '../test-support/browser/browser-page.js';
import type { BrowserWindow } from '../test-support/browser/browser.js';
import { guestCaller } from './api-caller.js';
import { lettersTo } from '../test-support/mail/mailed.js';
import { waitFor } from '../test-support/wait-for.js';

/** Somebody who registers. */
export interface NewReader {
  username: string;
  password: string;
  firstname: string;
  lastname: string;
}

/** The passwords of the demo's accounts. */
export const PASSWORDS = { reader: 'Reader123!', admin: 'Admin123!', auditor: 'Auditor123!' } as const;

/** Signs in on the login page, which the page shows, and waits until it has left it. */
export async function signIn(page: BrowserPage, username: string, password: string): Promise<void> {
  await page.isAt('/login');
  await page.fill('Username', username);
  await page.fill('Password', password);
  await page.clickOn('main form button[type="submit"]');
  await page.until(async () => !(await page.route()).startsWith('/login'), 'leaving the login page');
}

/**
 * Opens a page of somebody who has signed in before, where the login is not what a test is about: a session that the site finds
 * in the storage of the browser, where the login page keeps it.
 */
export async function signedIn(
  window: BrowserWindow,
  url: string,
  { username, password }: { username: string; password: string },
  route = '/profile',
): Promise<BrowserPage> {
  const user = await guestCaller(url).post('Account/login', { username, password });
  return window.page(`${url}/#${route}`, { user: JSON.stringify(user) });
}

/** Goes through the three steps of the registration wizard, and waits for the notice about the email. */
export async function register(page: BrowserPage, reader: NewReader): Promise<void> {
  await page.goTo('/register');
  await page.fill('Username', reader.username);
  await page.fill('Email', addressOf(reader));
  await page.fill('Password', reader.password);
  await page.fill('Confirm password', reader.password);
  await page.click('button', 'Next');
  await page.fill('First name', reader.firstname);
  await page.fill('Last name', reader.lastname);
  await page.fill('Date of birth', '1990-04-12');
  await page.fill('Gender', 'Female');
  await page.click('button', 'Next');
  await page.fill('Country', 'Poland');
  await page.fill('Address', 'ul. Długa 7');
  await page.fill('City', 'Kraków');
  await page.fill('Postal code', '31-146');
  await page.click('button', 'Submit');
  await page.sees('Registration successful');
}

/** Registers and confirms without a browser. */
export async function registerByApi(url: string, reader: NewReader): Promise<void> {
  const guest = guestCaller(url);
  await guest.post('Account/register', {
    ...reader,
    email: addressOf(reader),
    confirmPassword: reader.password,
    dateOfBirth: '1990-04-12',
    gender: 'Other',
    country: 'Poland',
    adress: 'ul. Długa 7',
    city: 'Kraków',
    postalCode: '31-146',
  });
  const query = new URL((await confirmationLink(url, reader)).replace('/#/', '/')).searchParams;
  await guest.post('Account/confirm-email', { userId: query.get('userId'), token: query.get('token') });
}

/** The link in the letter that asks this reader to confirm the address, from the mailbox of the product. */
export async function confirmationLink(url: string, reader: NewReader): Promise<string> {
  return waitFor(async () => {
    const [letter] = await lettersTo(url, addressOf(reader));
    return letter?.links.find((link) => link.includes('confirm-email'));
  });
}

function addressOf(reader: NewReader): string {
  return `${reader.username}@example.org`;
}
