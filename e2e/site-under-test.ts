import { startProduct } from '../test-support/product.js';
import { shared } from '../test-support/shared.js';
import { openBrowser } from '../test-support/worker-browser.js';
import { apiCaller } from './api-caller.js';
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
