import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'puppeteer';
import { motionOver, REDUCED_MOTION } from './motion.js';

const FOLDER = resolve(import.meta.dirname, '../e2e/artifacts');
const WIDTHS = { 1440: 900, 390: 844 };

/**
 * Keeps what a page looks like now, on a desk and on a phone, by day and by night, as
 * `e2e/artifacts/<name>-<width>-<theme>.png`, where TEST_PHOTOGRAPHS is set. The page is then as it was before.
 * @param options.whole the page down to its end, not only what a person sees first
 * @param options.site false for a page outside the site, which takes its theme from the system
 */
export async function photograph(
  page: Page,
  name: string,
  options: { whole?: boolean; site?: boolean } = {},
): Promise<void> {
  // For people who look at them: a run of the tests takes none, unless it is told to.
  if (!process.env['TEST_PHOTOGRAPHS']) return;
  mkdirSync(FOLDER, { recursive: true });
  const viewport = page.viewport();
  const before = await themeOf(page);
  const show =
    options.site === false
      ? (theme: string) =>
          page.emulateMediaFeatures([REDUCED_MOTION, { name: 'prefers-color-scheme', value: theme }])
      : (theme: string) => switchTo(page, theme);
  await page.bringToFront();
  for (const [width, height] of Object.entries(WIDTHS)) {
    await page.setViewport({ width: Number(width), height });
    for (const shown of ['light', 'dark']) {
      await show(shown);
      await motionOver(page);
      await page.screenshot({
        path: join(FOLDER, `${name}-${width}-${shown}.png`),
        fullPage: options.whole ?? false,
      });
    }
  }
  if (options.site === false) await page.emulateMediaFeatures([REDUCED_MOTION]);
  else await switchTo(page, before);
  await page.setViewport(viewport);
}

async function themeOf(page: Page): Promise<string> {
  return String(await page.evaluate('document.documentElement.dataset.theme'));
}

/** By the toggle itself, but without the pointer, which stays where it is. */
async function switchTo(page: Page, theme: string): Promise<void> {
  if ((await themeOf(page)) === theme) return;
  await page.evaluate(`document.querySelector('header button[aria-label^="Switch to"]').click()`);
}
