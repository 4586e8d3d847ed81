import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'puppeteer';
import { motionOver } from './motion.js';

const FOLDER = resolve(import.meta.dirname, '../../e2e/artifacts');
const WIDTHS = { 1440: 900, 390: 844 };

/**
 * Keeps what a page looks like now, on a desk and on a phone, by day and by night, as
 * `e2e/artifacts/<name>-<width>-<theme>.png`. The page is then as it was before.
 */
export async function photograph(page: Page, name: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const viewport = page.viewport();
  const before = await themeOf(page);
  await page.bringToFront();
  for (const [width, height] of Object.entries(WIDTHS)) {
    await page.setViewport({ width: Number(width), height });
    for (const theme of ['light', 'dark']) {
      await switchTo(page, theme);
      await motionOver(page);
      await page.screenshot({ path: join(FOLDER, `${name}-${width}-${theme}.png`) });
    }
  }
  await switchTo(page, before);
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
