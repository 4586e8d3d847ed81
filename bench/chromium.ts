import puppeteer, { type Browser } from 'puppeteer';
import { findChromium, launchOptions } from '#platform/chromium/find-chromium.js';

/** Starts Chromium without a window: the system's own, or the one that comes as a package. */
export async function startChromium(): Promise<Browser> {
  const found = await findChromium();
  try {
    const browser = await puppeteer.launch({
      ...launchOptions(found),
      defaultViewport: { width: 1280, height: 900 },
    });
    browser.once('disconnected', () => found.remove());
    return browser;
  } catch (error) {
    found.remove();
    throw error;
  }
}
