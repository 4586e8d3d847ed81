import type { TestBrowser } from './browser.js';

declare global {
  /** The browser of this worker (`product-environment.mjs`), which closes the windows of a test file after it. */
  var workerBrowser: () => Promise<TestBrowser>;
}

/** A real Chromium, the same for all test files of a worker: a window shares nothing with those of other files. */
export const openBrowser = (): Promise<TestBrowser> => workerBrowser();
