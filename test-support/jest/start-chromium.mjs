import { unpackChromium } from '../../dist/platform/chromium/find-chromium.js';

/** npm's Chromium, unpacked once for the browser tests and for every process of the product that prints. */
export default async function start() {
  // Each kind of test asks for it, and all of them share one.
  if (globalThis.removePreparedChromium) return;
  const { remove, ...chromium } = await unpackChromium();
  globalThis.removePreparedChromium = remove;
  process.env.CHROMIUM_UNPACKED = JSON.stringify(chromium);
}
