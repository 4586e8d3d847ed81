import type { MediaFeature, Page } from 'puppeteer';

/** As for people who want no movement: waiting for movements to end is most of what a test would do. */
export const REDUCED_MOTION: MediaFeature = { name: 'prefers-reduced-motion', value: 'reduce' };

/** Waits for what moves on a page now. In the middle of it, colours and places are of no state that a person stays in. */
export async function motionOver(page: Page): Promise<void> {
  await page.evaluate(
    'Promise.all(document.getAnimations().map((animation) => animation.effect?.getTiming().iterations === Infinity || animation.finished.catch(() => undefined)))',
  );
}
