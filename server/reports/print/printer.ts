import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer';
import { type FoundChromium, launchOptions } from '#platform/chromium/find-chromium.js';
import { escapeMarkup } from '#platform/markup.js';
import { PrinterUnavailable } from './print-messages.js';

/** Timeout of any single step of the browser, in milliseconds. The report's own timeout lies outside this process. */
const STEP_TIMEOUT = 120_000;

/** A headless browser, without network, that measures and prints documents. */
export class Printer {
  private constructor(
    private readonly browser: Browser,
    private page: Page,
  ) {}

  /** @throws PrinterUnavailable if the browser does not start */
  static async open(
    chromium: Omit<FoundChromium, 'remove'>,
    { sandbox, folder }: { sandbox: boolean; folder: string },
  ): Promise<Printer> {
    const environment = withLastResortFont(chromium.environment, folder);
    const { args, ...options } = launchOptions({ ...chromium, environment }, { sandbox });
    let browser: Browser;
    try {
      browser = await puppeteer.launch({
        ...options,
        // Over a pipe: the browser ends with this process, however it ends.
        pipe: true,
        userDataDir: `${folder}/profile`,
        args: [...args, '--host-resolver-rules=MAP * ~NOTFOUND'],
        protocolTimeout: STEP_TIMEOUT,
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
      });
    } catch (error) {
      throw new PrinterUnavailable((error as Error).message);
    }
    return new Printer(browser, await openPage(browser));
  }

  /** The browser's process, the leader of its group. */
  get pid(): number | undefined {
    return this.browser.process()?.pid;
  }

  /** The heights of the elements on paper, in millimetres. */
  async measure(html: string, selector: string): Promise<number[]> {
    await this.show(html);
    return this.page.evaluate(
      `Array.from(document.querySelectorAll(${JSON.stringify(selector)}), (element) => element.getBoundingClientRect().height * 25.4 / 96)`,
    ) as Promise<number[]>;
  }

  /** The document as a PDF. */
  async print(html: string): Promise<Uint8Array> {
    await this.show(html);
    return this.page.pdf({
      preferCSSPageSize: true,
      printBackground: true,
      tagged: false,
      outline: false,
      timeout: STEP_TIMEOUT,
    });
  }

  /** Frees the memory of the current document. */
  async refresh(): Promise<void> {
    const used = this.page;
    this.page = await openPage(this.browser);
    await used.close();
  }

  async close(): Promise<void> {
    await this.browser.close();
  }

  private async show(html: string): Promise<void> {
    await this.page.setContent(html, { waitUntil: 'load', timeout: STEP_TIMEOUT });
    const broken = (await this.page.evaluate(
      `document.fonts.ready.then((fonts) => Array.from(fonts).filter(({ status }) => status === 'error').map(({ family }) => family))`,
    )) as string[];
    if (broken.length > 0) throw new Error(`These fonts could not be read: ${broken.join(', ')}.`);
  }
}

async function openPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  // No document of ours has a script: one that is there came in with a text.
  await page.setJavaScriptEnabled(false);
  // Interception sees no sockets.
  await page.setOfflineMode(true);
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const answer = /^(data|about):/.test(request.url())
      ? request.continue()
      : request.abort('blockedbyclient');
    // A page that is closing no longer answers.
    answer.catch(() => undefined);
  });
  await page.emulateMediaType('print');
  return page;
}

/**
 * Chromium renders no page at all on a system without any font, even if the page embeds its own. Therefore this adds
 * the fonts bundled with the barcode library to the system's fontconfig.
 * @param environment of the browser
 * @param folder for the configuration
 * @returns the environment with that configuration
 */
function withLastResortFont(environment: Record<string, string>, folder: string): Record<string, string> {
  if (process.platform !== 'linux') return environment;
  const set = (name: string) => environment[name] ?? process.env[name];
  const system = set('FONTCONFIG_FILE') ?? join(set('FONTCONFIG_PATH') ?? '/etc/fonts', 'fonts.conf');
  const fonts = join(dirname(createRequire(import.meta.url).resolve('bwip-js/node')), '../fonts');
  const path = join(folder, 'fonts.conf');
  writeFileSync(
    path,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><include ignore_missing="yes">${escapeMarkup(system)}</include><dir>${escapeMarkup(fonts)}</dir></fontconfig>`,
  );
  return { ...environment, FONTCONFIG_FILE: path };
}
