import type { KeyInput } from 'puppeteer';
import type { BrowserPage } from '../test-support/browser/browser-page.js';

/** Milliseconds between two keys of a scanner. */
const PAUSE = 5;

/** Types as a scanner does: a letter every 5 ms, then Enter, wherever the focus is and whatever is on its way. */
export async function scan(page: BrowserPage, ...texts: string[]): Promise<void> {
  for (const text of texts) {
    for (const key of [...text, 'Enter']) {
      await page.raw.keyboard.press(key as KeyInput);
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }
}

/** As a scanner that is quicker than the page: no key waits for the one before. */
export async function scanAtOnce(page: BrowserPage, text: string): Promise<void> {
  await Promise.all([...text, 'Enter'].map((key) => page.raw.keyboard.press(key as KeyInput)));
}

/** Turns the desk to what it is to do, by its key. */
export async function turnTo(page: BrowserPage, mode: 'hand-over' | 'take-back'): Promise<void> {
  await page.raw.keyboard.press(mode === 'hand-over' ? 'F2' : 'F4');
  await page.has(`[data-mode="${mode}"]`);
}

/** Waits until every scan is finished. */
export async function finished(page: BrowserPage): Promise<void> {
  await page.until(
    async () => (await page.raw.$('[data-unfinished="0"]')) !== null,
    'every scan is finished',
  );
}

/** The rows of the running list, the latest first: what was scanned, and what is said of it. */
export async function scanned(page: BrowserPage): Promise<{ scan: string; tone: string; words: string }[]> {
  // Not by the pointer: the focus stays where the scanner types.
  while (await page.raw.evaluate(showEarlier));
  return page.raw.$$eval('li[data-line]', (rows) =>
    rows.map((row) => ({
      scan: row.dataset['scan'] ?? '',
      tone: row.dataset['line'] ?? '',
      words: (row.textContent ?? '').trim(),
    })),
  );
}

const showEarlier = `(() => {
  const earlier = [...document.querySelectorAll('button')].find(({ textContent }) => textContent.startsWith('Show earlier'));
  earlier?.click();
  return earlier !== undefined;
})()`;
