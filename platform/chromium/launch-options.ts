import type { LaunchOptions } from 'puppeteer';
import type { FoundChromium } from './find-chromium.js';

/** How the product, its tests and its benchmarks launch a Chromium: without a window, and quiet. */
export function launchOptions(
  found: Pick<FoundChromium, 'executablePath' | 'headless' | 'environment'>,
  { sandbox = true, environment = process.env }: { sandbox?: boolean; environment?: NodeJS.ProcessEnv } = {},
): LaunchOptions & { args: string[] } {
  return {
    executablePath: found.executablePath,
    headless: found.headless,
    env: { ...environment, ...found.environment },
    args: [
      // Chromium refuses its sandbox to root alone.
      ...(process.getuid?.() === 0 || !sandbox ? ['--no-sandbox'] : []),
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      '--font-render-hinting=none',
      '--lang=en-US',
    ],
  };
}
