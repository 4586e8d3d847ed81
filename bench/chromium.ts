import { existsSync } from 'node:fs';
import sparticuz from '@sparticuz/chromium';
import puppeteer, { type Browser } from 'puppeteer';

const OF_THE_SYSTEM = '/usr/bin/chromium';

/** Starts Chromium without a window: the system's own, or the one that comes as a package. */
export async function startChromium(): Promise<Browser> {
  const system = existsSync(OF_THE_SYSTEM);
  return puppeteer.launch({
    executablePath: system ? OF_THE_SYSTEM : await sparticuz.executablePath(),
    args: [
      ...(system ? [] : sparticuz.args),
      // Its sandbox does not start where we are root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
    defaultViewport: { width: 1280, height: 900 },
  });
}
