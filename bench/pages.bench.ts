/**
 * What a reader waits for in the browser: a cold visit of each of their pages in Chromium with its processor slowed down four
 * times, with the machine's own network and with that of a telephone, and typing in the search of the catalogue. The floor is
 * a bare page with a heading, in turns with them.
 * Run it by `npm run bench:pages [-- --books 10000] [--csv FILE] [--visits 5] [--json FILE]`.
 */
import { spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'puppeteer';
import type { SignedInUser } from '#contracts/accounts/account-views.js';
import { openDatabase } from '#platform/database/database.js';
import { createLogger } from '#platform/logging.js';
import { loadGeneratedBooks } from '../embedded/generate/load-generated.js';
import { startChromium } from './chromium.js';
import { makePeople, type Person } from './library-people.js';
import { median, printTable } from './measure.js';
import { OBSERVE_PAGE, type PageFigures } from './page-figures.js';
import { startProductProcess, type ProductProcess } from './product-process.js';
import { writeRawFigures } from './raw-figures.js';

const SLOWER = 4;
/** A telephone on a slow 4G: Lighthouse's figures. Bytes a second. */
const PHONE_NETWORK = { offline: false, latency: 150, download: 1_600_000 / 8, upload: 750_000 / 8 };
const SCREENS = [
  { name: 'desk', width: 1440, height: 900 },
  { name: 'phone', width: 390, height: 844 },
] as const;
/** Goals: milliseconds, and kB of scripts. */
const LCP_GOAL = 2_000;
/** Of a book's page as the server shows it, by a telephone. */
const PUBLIC_LCP_GOAL = 1_200;
const SCRIPT_GOAL = 100;
/** Milliseconds for what comes after the first look. */
const SETTLE = 2_000;

interface Visit {
  page: string;
  route: string;
  /** What is there when the page is. */
  shows: string;
  signedIn?: true;
}

const VISITS: readonly Visit[] = [
  { page: 'home', route: '/#/home', shows: 'main li svg' },
  { page: 'catalogue', route: '/#/catalog', shows: 'article svg' },
  { page: 'book', route: '/#/book/1', shows: 'article svg' },
  { page: 'login', route: '/#/login', shows: 'input[type=password]' },
  { page: 'profile', route: '/#/profile', shows: '#history', signedIn: true },
];

const { values: options } = parseArgs({
  options: {
    books: { type: 'string', default: '10000' },
    csv: { type: 'string' },
    visits: { type: 'string', default: '5' },
    json: { type: 'string' },
  },
});

const product = await startProductProcess();
const floor = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html');
  response.end('<!doctype html><title>Floor</title><body><h1>A page that only says so</h1></body>');
}).listen(0, '127.0.0.1');
let browser: Browser | undefined;
try {
  await once(floor, 'listening');
  await fill(product);
  const [reader] = await makePeople(product, 1, ['Reader']);
  if (!reader) throw new Error('There is no reader.');
  browser = await startChromium();
  report(await measure(browser, reader));
} finally {
  await browser?.close();
  floor.close();
  await product.stop();
}

async function fill({ databaseUrl }: ProductProcess): Promise<void> {
  if (options.csv !== undefined) {
    const command = fileURLToPath(new URL('../cli/import.js', import.meta.url));
    const loaded = spawnSync(process.execPath, [command, options.csv], {
      env: { ...process.env, DATABASE_URL: databaseUrl },
      encoding: 'utf8',
    });
    if (loaded.status !== 0) throw new Error(loaded.stdout + loaded.stderr);
    return;
  }
  const database = openDatabase(databaseUrl, 4, createLogger('warn'));
  try {
    await loadGeneratedBooks(database, Number(options.books), 1, () => undefined);
  } finally {
    await database.end();
  }
}

interface Measurement extends PageFigures {
  page: string;
  screen: string;
  network: string;
}

async function measure(chromium: Browser, reader: Person): Promise<Measurement[]> {
  const all: Measurement[] = [];
  for (let visit = 0; visit < Number(options.visits); visit += 1) {
    for (const screen of SCREENS) {
      const network = screen.name === 'phone' ? 'slow 4G' : 'own';
      const one = async (page: string, address: string, shows: string, person?: Person, typing = false) => {
        const figures = await inFreshWindow(chromium, screen, network === 'slow 4G', async (window) => {
          if (person) await signIn(window, person);
          await window.goto(address);
          await window.waitForSelector(shows, { timeout: 60_000 });
          await sleep(SETTLE);
          if (typing) await typeSearch(window);
        });
        all.push({ page, screen: screen.name, network, ...figures });
      };
      await one('floor', addressOf(floor), 'h1');
      for (const { page, route, shows, signedIn } of VISITS)
        await one(page, product.url + route, shows, signedIn && reader);
      await one('public book', await addressOfBook(), '#book-copies');
      await one('catalogue, typing', `${product.url}/#/catalog`, 'article svg', undefined, true);
    }
  }
  return all;
}

/** A book's address for everybody, to which its number leads. */
async function addressOfBook(): Promise<string> {
  const { headers } = await fetch(`${product.url}/book/1`, { redirect: 'manual' });
  return product.url + (headers.get('location') ?? '/book/1');
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** A window of its own: nothing is cached, nobody signed in. */
async function inFreshWindow(
  chromium: Browser,
  screen: { width: number; height: number },
  slowNetwork: boolean,
  use: (page: Page) => Promise<void>,
): Promise<PageFigures> {
  const context = await chromium.createBrowserContext();
  try {
    const page = await context.newPage();
    await page.setViewport(screen);
    await page.evaluateOnNewDocument(OBSERVE_PAGE);
    await page.emulateCPUThrottling(SLOWER);
    if (slowNetwork) await page.emulateNetworkConditions(PHONE_NETWORK);
    await use(page);
    return (await page.evaluate('window.pageFigures()')) as PageFigures;
  } finally {
    await context.close();
  }
}

async function signIn(page: Page, { id, username, token }: Person): Promise<void> {
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const user: SignedInUser = { id, username, token, roles: ['Reader'], permissions: [], expiresAt };
  await page.evaluateOnNewDocument(`localStorage.setItem('user', ${JSON.stringify(JSON.stringify(user))})`);
}

/** Types two searches, the second one while the covers of the first are being drawn. */
async function typeSearch(page: Page): Promise<void> {
  await page.evaluate('window.beginTyping()');
  await page.focus('input[type=search]');
  await page.keyboard.type('the house', { delay: 90 });
  await page.keyboard.press('Enter');
  await page.keyboard.type(' of stone', { delay: 90 });
  await sleep(SETTLE);
}

function report(all: readonly Measurement[]): void {
  const rows = [...grouped(all).values()].map((group) => {
    const [first] = group;
    const of = (pick: (one: Measurement) => number) => median(group.map(pick));
    return {
      page: first?.page ?? '',
      screen: first?.screen ?? '',
      network: first?.network ?? '',
      FCP: Math.round(of(({ fcp }) => fcp)),
      LCP: Math.round(of(({ lcp }) => lcp)),
      CLS: Number(of(({ cls }) => cls).toFixed(4)),
      'scripts to FCP kB': Number(of(({ scriptsToFirstPaint }) => scriptsToFirstPaint / 1000).toFixed(1)),
      'scripts to LCP kB': Number(of(({ scriptsToLargestPaint }) => scriptsToLargestPaint / 1000).toFixed(1)),
      'longest task': Math.round(of(({ longestTask }) => longestTask)),
      INP: Math.round(of(({ slowestKey }) => slowestKey)),
    };
  });
  printTable(rows);
  const catalogue = rows.filter(({ page }) => page === 'catalogue');
  const slowest = Math.max(...catalogue.map(({ LCP }) => LCP));
  const byPhone =
    rows.find(({ page, screen }) => page === 'public book' && screen === 'phone')?.LCP ?? Infinity;
  process.stdout.write(
    `Goals: LCP of the catalogue at most ${LCP_GOAL} ms ${slowest <= LCP_GOAL ? 'reached' : 'missed'}, of a book's page for ` +
      `everybody at most ${PUBLIC_LCP_GOAL} ms ${byPhone <= PUBLIC_LCP_GOAL ? 'reached' : 'missed'}; ` +
      `scripts are compared with ${SCRIPT_GOAL} kB (gzipped) by e2e/site/weight.spec.ts.\n`,
  );
  writeRawFigures({ slower: SLOWER, rows, visits: all });
}

function grouped(all: readonly Measurement[]): Map<string, Measurement[]> {
  const groups = new Map<string, Measurement[]>();
  for (const one of all) {
    const name = `${one.page}, ${one.screen}`;
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  return groups;
}
