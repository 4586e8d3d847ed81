import type { ChildProcess } from 'node:child_process';
import puppeteer, { type Browser } from 'puppeteer';
import { findChromium, npmsChromium, launchOptions } from '#platform/chromium/find-chromium.js';
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

/** A browser that its process may keep for longer than one test file. */
export interface OpenedBrowser extends TestBrowser {
  isConnected(): boolean;
  /** Whether this process stays as long as the browser does, as with Node's handles. It takes the browser along when it ends. */
  ref(): void;
  unref(): void;
}

/** Launches the one that PUPPETEER_EXECUTABLE_PATH names, else npm's: the same on every machine. The caller closes it. */
export async function openBrowser(): Promise<OpenedBrowser> {
  const named = process.env['PUPPETEER_EXECUTABLE_PATH'];
  const found = await (named ? findChromium() : npmsChromium());
  let browser: Browser;
  try {
    browser = await puppeteer.launch({
      ...launchOptions(found),
      pipe: true,
      // A test that looks at requests listens for them by `network.ts`.
      networkEnabled: false,
      defaultViewport: { width: 1440, height: 900 },
    });
  } catch (error) {
    found.remove();
    throw error;
  }
  const child = browser.process();
  const handles = [child, ...(child?.stdio ?? [])].filter((each) => each !== null && each !== undefined);
  return {
    isConnected: () => browser.connected,
    ref: () => handles.forEach((each) => 'ref' in each && (each as Handle).ref()),
    unref: () => handles.forEach((each) => 'unref' in each && (each as Handle).unref()),
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

type Handle = Pick<ChildProcess, 'ref' | 'unref'>;
