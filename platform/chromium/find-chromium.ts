import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../package-root.js';
import { browserUser, makeReadable } from '../unprivileged-user.js';
import type { LaunchOptions } from 'puppeteer';

const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
];

/** A Chromium that can be launched. */
export interface FoundChromium {
  executablePath: string;
  /** `shell` for a build that has no windows at all. */
  headless: true | 'shell';
  environment: Record<string, string>;
  /** Removes what was unpacked for it. */
  remove(): void;
}

/**
 * The Chromium that PUPPETEER_EXECUTABLE_PATH names, else npm's where another process unpacked it for this one, else the
 * system's, else npm's.
 * @throws an Error when the variable names nothing, or the one of npm cannot be unpacked
 */
export async function findChromium(): Promise<FoundChromium> {
  const named = process.env['PUPPETEER_EXECUTABLE_PATH'];
  if (named && !existsSync(named)) {
    throw new Error(`PUPPETEER_EXECUTABLE_PATH names ${named}, where nothing is.`);
  }
  const shared = named ? undefined : sharedChromium();
  if (shared) return shared;
  const executablePath = named || USUAL_PLACES.find((place) => existsSync(place));
  if (executablePath) return { executablePath, headless: true, environment: {}, remove: () => undefined };
  return unpackChromium();
}

/** npm's Chromium, unpacked by another process unless that has to be done here. */
export async function npmsChromium(): Promise<FoundChromium> {
  return sharedChromium() ?? (await unpackChromium());
}

/**
 * What `unpackChromium` gave another process, which removes it later: CHROMIUM_UNPACKED has it as JSON, for who runs many
 * processes. Unpacking takes two seconds of a processor.
 */
function sharedChromium(): FoundChromium | undefined {
  const shared = process.env['CHROMIUM_UNPACKED'];
  if (!shared) return undefined;
  return { ...(JSON.parse(shared) as Omit<FoundChromium, 'remove'>), remove: () => undefined };
}

/** Whether there is one, without unpacking it. */
export function isChromiumThere(): boolean {
  const named = process.env['PUPPETEER_EXECUTABLE_PATH'];
  if (named) return existsSync(named);
  return (
    USUAL_PLACES.some((place) => existsSync(place)) ||
    existsSync(join(packageRoot(), 'node_modules/@sparticuz/chromium/bin/chromium.br'))
  );
}

/** Unpacks it into a folder of its own: two runs that begin at once must not write over each other. */
export async function unpackChromium(): Promise<FoundChromium> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-chromium-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      // The compiled file, also for whoever runs from the sources: Node runs no TypeScript.
      [join(packageRoot(), 'dist/platform/chromium/unpack-chromium.js')],
      // With this variable the package brings its own system libraries as well.
      { env: { ...process.env, NODE_OPTIONS: '', TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' } },
    );
    // As root the browser runs as somebody else.
    if (browserUser()) makeReadable(folder);
    const unpacked = JSON.parse(stdout) as Pick<FoundChromium, 'executablePath' | 'environment'>;
    return { ...unpacked, headless: 'shell', remove };
  } catch (error) {
    remove();
    throw error;
  }
}

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
