const { AsyncResource } = require('node:async_hooks');
const { readFileSync } = require('node:fs');

/** Where no test runs: a product that lives on would keep all that the file has which started it. */
const outside = new AsyncResource('outside of tests');

/**
 * The product that test files of this process share, from the first of them to the first that does not. `of-one-file`
 * ends its metrics with the first; the storage of its calls, which it ends too, begins anew with the next call.
 */
let product;

/** For `shared-product.ts`, which is loaded anew for each file: what it would keep itself, it would keep for one. */
globalThis.productOfProcess = (start) => {
  if (!product) {
    product = outside.runInAsyncScope(start);
    product.catch(() => (product = undefined));
  }
  return product;
};

/** Whether a test file shares it. */
exports.sharesProduct = (path) => readFileSync(path, 'utf8').includes('/shared-product.js');

exports.endProductOfProcess = async () => {
  const ended = product;
  product = undefined;
  await (await ended)?.close();
};

/** Jest has taken leave of its worker: it has all results, and waits half a second for what is open to close. */
process.on('removeListener', (event) => {
  if (event === 'message' && product && process.listenerCount('message') === 0) process.exit();
});
