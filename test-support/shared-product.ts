import { startProduct, type TestProduct } from './product.js';

declare global {
  var productOfProcess: (start: () => Promise<TestProduct>) => Promise<TestProduct>;
}

/** What files that share it have of it: nothing by which one would break it for the next. */
export type SharedProduct = Omit<TestProduct, 'stopEventStore' | 'rebuild'>;

/**
 * The product that the test files of one process share: those to which neither clock nor settings matter, nor what else
 * the library has, and which leave nothing behind that matters to another. It ends before a file that does not share it.
 */
export async function sharedProduct(): Promise<SharedProduct> {
  const product = await globalThis.productOfProcess(() => startProduct());
  // Given back, for the next file.
  return { ...product, close: async () => undefined };
}
