import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'puppeteer';

const FOLDER = resolve(import.meta.dirname, '../e2e/artifacts');
const WIDTHS = { 1440: 900, 390: 844 };

/**
 * Keeps what a page looks like now, on a desk and on a phone, by day and by night, as
 * `e2e/artifacts/<name>-<width>-<theme>.png`. The page is then as it was before.
 * @param options.whole the page down to its end, not only what a person sees first
 */
export async function photograph(page: Page, name: string, options: { whole?: boolean } = {}): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const viewport = page.viewport();
  const root = 'document.documentElement.dataset';
  const theme = (await page.evaluate(`${root}.theme`)) as string;
  await page.bringToFront();
  for (const [width, height] of Object.entries(WIDTHS)) {
    await page.setViewport({ width: Number(width), height });
    for (const shown of ['light', 'dark']) {
      await page.evaluate(`${root}.theme = '${shown}'`);
      // Colours change over a moment; a picture of the middle of it would be of neither theme.
      await page.evaluate(
        'Promise.all(document.getAnimations().map((animation) => animation.effect?.getTiming().iterations === Infinity || animation.finished.catch(() => undefined)))',
      );
      await page.screenshot({
        path: join(FOLDER, `${name}-${width}-${shown}.png`),
        fullPage: options.whole ?? false,
      });
    }
  }
  await page.evaluate(`${root}.theme = '${theme}'`);
  await page.setViewport(viewport);
}
