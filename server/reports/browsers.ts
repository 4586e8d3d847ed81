import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { findChromium, type FoundChromium } from '#platform/chromium/find-chromium.js';
import { PrintFailed } from './print-process.js';

/** The Chromium of this machine; the one that npm brought is unpacked once, when it is first needed. */
@Injectable()
export class Browsers implements OnApplicationShutdown {
  private found: Promise<FoundChromium> | undefined;

  /** @throws PrintFailed when there is none */
  async find(): Promise<Omit<FoundChromium, 'remove'>> {
    this.found ??= findChromium();
    try {
      const { executablePath, headless, environment } = await this.found;
      return { executablePath, headless, environment };
    } catch (error) {
      // It may be installed meanwhile.
      this.found = undefined;
      throw new PrintFailed('PrinterUnavailable', (error as Error).message, { cause: error });
    }
  }

  async onApplicationShutdown(): Promise<void> {
    const found = await this.found?.catch(() => undefined);
    found?.remove();
  }
}
