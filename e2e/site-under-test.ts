import { openBrowser } from '../test-support/browser.js';
import { startInstallation } from '../test-support/installation-process.js';
import { shared } from '../test-support/shared.js';
import { apiCaller } from './api-caller.js';
import { PASSWORDS, signedIn } from './people.js';

type Person = keyof typeof PASSWORDS;

/** An installation with the demo, and a browser, that all tests of a block share. */
export function siteUnderTest(options: Parameters<typeof startInstallation>[0] = {}) {
  const product = shared(() => startInstallation(options));
  const browser = shared(() => openBrowser());
  return {
    product,
    browser,
    /** A page in a window of its own, of nobody. */
    guestPage: (route = '') =>
      shared(async () => (await browser.window()).page(`${product.url}${route && `/#${route}`}`)),
    /** A page in a window of its own, of somebody of the demo. */
    pageOf: (username: Person, route?: string) =>
      shared(async () => {
        const password = PASSWORDS[username];
        return signedIn(await browser.window(), product.url, { username, password }, route);
      }),
    callerOf: (username: Person) => shared(() => apiCaller(product.url, username, PASSWORDS[username])),
  };
}
