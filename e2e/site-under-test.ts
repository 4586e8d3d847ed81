import type { TestClock } from '../test-support/test-clock.js';
import { startProduct } from '../test-support/product/product.js';
import { shared } from '../test-support/shared.js';
import { openBrowser } from '../test-support/browser/worker-browser.js';
import { apiCaller } from './api-caller.js';
import { givePassword } from './late-readers.js';
import { PASSWORDS, signedIn } from './people.js';

type Person = keyof typeof PASSWORDS;

/** A product with the demo, and a browser, that all tests of a block share. */
export function siteUnderTest(environment: Record<string, string> = {}) {
  return siteOf(
    shared(async () => {
      const product = await startProduct(undefined, { demo: true, environment });
      // The first pages already have the shelves, which the product fills a moment after it began.
      await product.runJob('upkeep', 'fill-shelves', {});
      return product;
    }),
  );
}

/** A product without people or books, and a browser, that all tests of a block share. */
export function emptySite(environment: Record<string, string> = {}, clock?: TestClock) {
  const site = siteOf(shared(() => startProduct(clock, { environment })));
  return {
    ...site,
    /** A page in a window of its own, of somebody new, whose password is PASSWORD. */
    pageWith: (roles: string[], route: string, options?: { downloads: string }) =>
      shared(async () => {
        const credentials = await givePassword(site.product, await site.product.account(...roles));
        return signedIn(await site.browser.window(options), site.product.url, credentials, route);
      }),
  };
}

/** A browser and people of the demo, for a product that is there already. */
export function siteOf<Product extends { url: string }>(product: Product) {
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
