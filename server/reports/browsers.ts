import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { findChromium, type FoundChromium } from '#platform/chromium/find-chromium.js';
import { PrintFailed } from './print-process.js';

/** This machine's Chromium; the one from npm is unpacked once, on first use. */
@Injectable()
export class Browsers implements OnApplicationShutdown {
  private found: Promise<FoundChromium> | undefined;

  /** @throws PrintFailed if there is none */
  async find(): Promise<Omit<FoundChromium, 'remove'>> {
    this.found ??= findChromium();
    try {
      const { executablePath, headless, environment } = await this.found;
      return { executablePath, headless, environment };
    } catch (error) {
      // It may be installed later.
      this.found = undefined;
      throw new PrintFailed('PrinterUnavailable', (error as Error).message, { cause: error });
    }
  }

  async onApplicationShutdown(): Promise<void> {
    const found = await this.found?.catch(() => undefined);
    found?.remove();
  }
}
