import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { findChromium, isChromiumThere, type FoundChromium } from '#platform/chromium/find-chromium.js';
import { PartProbes } from '#platform/operations/probes.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import { PrintFailed } from './print-process.js';

/** This machine's Chromium; the one from npm is unpacked once, on first use. */
@Injectable()
export class Browsers implements OnModuleInit, OnApplicationShutdown {
  private found: Promise<FoundChromium> | undefined;

  constructor(
    private readonly probes: PartProbes,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
  ) {}

  onModuleInit(): void {
    // Elsewhere a worker prints, and says so.
    if (this.settings.JOBS === 'on') this.probes.add('printing', async () => ({ ok: isChromiumThere() }));
  }

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
