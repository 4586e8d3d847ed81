import puppeteer, { type Browser } from 'puppeteer';
import {
  findChromium,
  npmsChromium,
  type FoundChromium,
  launchOptions,
} from '#platform/chromium/find-chromium.js';
import { openPage, type BrowserPage } from './browser-page.js';

/** One person's window: its pages share a storage of their own, as another computer would. */
export interface BrowserWindow {
  /**
   * Opens a further page (a tab) on an address.
   * @param kept what the local storage has before its first document
   */
  page(address: string, kept?: Record<string, string>): Promise<BrowserPage>;
  close(): Promise<void>;
}

/** A real Chromium. */
export interface TestBrowser {
  /** @param options.downloads a folder, in which files are then saved under the names that they come with */
  window(options?: { downloads?: string }): Promise<BrowserWindow>;
  close(): Promise<void>;
}

/** Launches the one that PUPPETEER_EXECUTABLE_PATH names, else npm's: the same on every machine. The caller closes it. */
export async function openBrowser(chromium?: FoundChromium): Promise<TestBrowser> {
  const found = chromium ?? (await usualChromium());
  let browser: Browser;
  try {
    browser = await puppeteer.launch({
      ...launchOptions(found),
      pipe: true,
      defaultViewport: { width: 1440, height: 900 },
    });
  } catch (error) {
    found.remove();
    throw error;
  }
  return {
    window: async ({ downloads } = {}) => {
      const context = await browser.createBrowserContext(
        downloads === undefined ? {} : { downloadBehavior: { policy: 'allow', downloadPath: downloads } },
      );
      return {
        page: async (address, kept) => openPage(await context.newPage(), address, kept),
        close: () => context.close(),
      };
    },
    close: async () => {
      await browser.close();
      found.remove();
    },
  };
}

const usualChromium = () => (process.env['PUPPETEER_EXECUTABLE_PATH'] ? findChromium() : npmsChromium());
