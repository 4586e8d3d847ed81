import { TimeoutError, type ElementHandle, type Page } from 'puppeteer';
import { REDUCED_MOTION } from './motion.js';
import { KEEP_TOLD, wasTold } from './told.js';
import { TIMEOUT, waitFor } from '../wait-for.js';

/** A page of a real browser, used as a person uses it: by the names and the words on it. */
export interface BrowserPage {
  /** The page itself, for what is not here. */
  raw: Page;
  /** Changes the part of the address behind `#`, without loading the page anew. */
  goTo(route: string): Promise<void>;
  /** The part of the address behind `#`. */
  route(): Promise<string>;
  /** Clicks what has this role and accessible name. */
  click(role: string, name: string): Promise<void>;
  /** Clicks the first element that this CSS selector finds. */
  clickOn(selector: string): Promise<void>;
  /** Types into the field with this label, or chooses in it. */
  fill(label: string, text: string): Promise<void>;
  /** Waits until the page shows these words, or a toast has. */
  sees(text: string): Promise<void>;
  /** Waits until the part of the address behind `#` begins with this. */
  isAt(route: string): Promise<void>;
  /** Waits for the first element that the selector finds. */
  find(selector: string): Promise<ElementHandle>;
  /** Waits until something that the selector finds is there. */
  has(selector: string): Promise<void>;
  /** Waits until the text of the first element that the selector finds is just this. */
  reads(selector: string, text: string): Promise<void>;
  /** The text of the first element that the selector finds; undefined where there is none. */
  text(selector: string): Promise<string | undefined>;
  /** Waits until the probe gives something. */
  until<Result>(probe: () => Promise<Result | undefined | false>, what: string): Promise<Result>;
  /** Whether the document is the one that was there when it was last marked: nothing was loaded anew since. */
  mark(): Promise<void>;
  isStillMarked(): Promise<boolean>;
  /** Errors on the console, uncaught errors and breaches of the content security policy, until now. */
  troubles: string[];
}

/**
 * Follows a page from its first document on.
 * @param kept what the browser has kept of the site before it
 */
export async function openPage(
  page: Page,
  address: string,
  kept?: Record<string, string>,
): Promise<BrowserPage> {
  const troubles: string[] = [];
  page.setDefaultTimeout(TIMEOUT);
  await page.emulateMediaFeatures([REDUCED_MOTION]);
  page.on('console', (message) => {
    if (message.type() === 'error')
      troubles.push(`console: ${message.text()} ${message.location().url ?? ''}`.trim());
  });
  page.on('pageerror', (error) => troubles.push(`uncaught: ${String(error)}`));
  await page.exposeFunction('tellBreach', (what: string) => void troubles.push(`policy: ${what}`));
  await page.evaluateOnNewDocument(
    `addEventListener('securitypolicyviolation', (event) => tellBreach(event.violatedDirective + ' ' + event.blockedURI))`,
  );
  await page.evaluateOnNewDocument(KEEP_TOLD);
  const before =
    kept && (await page.evaluateOnNewDocument(`Object.assign(localStorage, ${JSON.stringify(kept)})`));
  await page.goto(address, { waitUntil: 'load' });
  // Whoever looks sees no difference; whoever clicks would have the server's page in the way.
  await page.waitForFunction(`document.getElementById('public') === null`);
  // Once: who signs out stays so where the page is loaded anew.
  if (before) await page.removeScriptToEvaluateOnNewDocument(before.identifier);

  const until: BrowserPage['until'] = async (probe, what) => {
    try {
      return await waitFor(probe);
    } catch (cause) {
      const shown = await page.evaluate('document.body.innerText').catch(() => '(nothing)');
      // On one line: of a failure, the end of a run tells the first lines.
      const words = String(shown)
        .replaceAll(/\s*\n\s*/g, ' | ')
        .slice(0, 3000);
      throw new Error(
        `${what}: it did not come true.\nAt ${page.url()} the page shows:\n${words}\n${troubles.join('\n')}`,
        { cause },
      );
    }
  };
  const present = (expression: string) => () =>
    ofThisDocument(page.evaluate(expression).then((is) => is === true));

  return {
    raw: page,
    troubles,
    until,
    goTo: async (route) => void (await page.evaluate(`location.hash = ${JSON.stringify(route)}`)),
    // Asked of the document: the browser's own report of a change comes a moment later.
    route: async () => (await page.evaluate('location.hash.slice(1)')) as string,
    click: (role, name) => click(page, `::-p-aria([name="${name}"][role="${role}"])`),
    clickOn: (selector) => click(page, selector),
    find: (selector) => find(page, selector),
    fill: (label, text) => fill(page, `::-p-aria([name="${label}"])`, text),
    sees: async (text) =>
      void (await until(
        present(
          `[${wasTold(text)}, (document.body?.innerText ?? "").includes(${JSON.stringify(text)})].some(Boolean)`,
        ),
        `the words “${text}”`,
      )),
    isAt: async (route) =>
      void (await until(present(`location.hash.startsWith(${JSON.stringify('#' + route)})`), route)),
    has: async (selector) =>
      void (await until(present(`document.querySelector(${JSON.stringify(selector)}) !== null`), selector)),
    reads: async (selector, text) =>
      void (await until(
        present(
          `document.querySelector(${JSON.stringify(selector)})?.textContent === ${JSON.stringify(text)}`,
        ),
        `${selector} reads “${text}”`,
      )),
    text: async (selector) =>
      ((await page.evaluate(`document.querySelector(${JSON.stringify(selector)})?.textContent`)) ??
        undefined) as string | undefined,
    mark: async () => void (await page.evaluate('window.marked = true')),
    isStillMarked: async () => (await page.evaluate('window.marked === true')) === true,
  };
}

/** How long a locator may wait for one element to keep still and be usable, in milliseconds. */
const ONE_ELEMENT = 10_000;

/**
 * Waits for the first element that the selector finds. A locator would look at each frame, and for a name each look has the
 * browser make its tree for people who hear the page: a quarter of a processor for as long as it waits.
 */
async function find(page: Page, selector: string): Promise<ElementHandle> {
  try {
    return await waitFor(() => ofThisDocument(page.$(selector)));
  } catch (cause) {
    throw new Error(`${selector}: there is none.`, { cause });
  }
}

/** Nothing, if the page was left while it was asked: the one that comes next may be it. */
async function ofThisDocument<Result>(asked: Promise<Result | null>): Promise<Result | undefined> {
  try {
    return (await asked) ?? undefined;
  } catch (error) {
    if (/Execution context was destroyed|Cannot find context|same JavaScript world/.test(String(error)))
      return undefined;
    throw error;
  }
}

/**
 * A locator waits for one element, also where another has taken its place: then it is looked for again. So it is where the
 * element moved away under the pointer, as one that a late message pushes down.
 */
async function click(page: Page, selector: string): Promise<void> {
  await page.bringToFront();
  const deadline = Date.now() + TIMEOUT;
  do {
    const found = await find(page, selector);
    const aim = await found.evaluateHandle(aimAt);
    const inTime = await withoutTimeout(found.asLocator().setTimeout(ONE_ELEMENT).click());
    const end = await ofThisDocument(aim.evaluate(endOf));
    // A page that was left, and an element that is gone, went with the click, unless that was never made.
    if (end === 'met' || (inTime && end !== 'missed')) return;
  } while (Date.now() < deadline);
  throw new Error(`${selector}: it could not be clicked.`);
}

/** Whether it was done in time. */
async function withoutTimeout(done: Promise<void>): Promise<boolean> {
  try {
    await done;
    return true;
  } catch (error) {
    if (error instanceof TimeoutError) return false;
    throw error;
  }
}

/** Puts a text in the place of what is in a field, at once, where no list follows each letter of it; or chooses it. */
async function fill(page: Page, selector: string, text: string): Promise<void> {
  await page.bringToFront();
  let found = await find(page, selector);
  let kind: string;
  try {
    kind = await waitFor(async () => {
      const entered = await ofThisDocument(found.evaluate(enter));
      if (!entered) found = (await ofThisDocument(page.$(selector))) ?? found;
      return entered;
    });
  } catch (cause) {
    throw new Error(`${selector}: it could not be filled in.`, { cause });
  }
  if (kind === 'select') await found.select(text);
  else if (text === '') await page.keyboard.press('Backspace');
  else if (kind === 'suggests') await page.keyboard.type(text);
  else await page.keyboard.sendCharacter(text);
}

/** Goes into a field and chooses all that is in it; gives what kind of field it is, once it is usable. Runs in the page. */
function enter(found: unknown): 'select' | 'suggests' | 'plain' | undefined {
  const field = found as OnPage;
  if (field.matches(':disabled') || !field.checkVisibility()) return undefined;
  field.focus();
  if (field.matches('select')) return 'select';
  field.select();
  return field.matches('[type="search"], [role="combobox"], [list]') ? 'suggests' : 'plain';
}

/** An element as the page has it: the tests themselves know no document. */
interface OnPage {
  getBoundingClientRect?(): { x: number; y: number; width: number; height: number };
  nodeType: number;
  parentElement: OnPage | null;
  isConnected: boolean;
  contains(other: OnPage): boolean;
  matches(selector: string): boolean;
  checkVisibility(): boolean;
  focus(): void;
  select(): void;
  scrollIntoView(options: { block: 'center' }): void;
}

/** What is to be clicked, as the page has it, and whether the pointer met it. */
interface Aim {
  element: OnPage;
  met: boolean;
  stopLooking: () => void;
}

/** Brings an element into sight, and sees from then on whether the pointer meets it. Runs in the page. */
function aimAt(found: unknown): Aim {
  // A text has no place of its own, nor is it what an event says.
  const isText = (found as OnPage).nodeType === 3;
  const element = (isText ? (found as OnPage).parentElement : found) as OnPage;
  const looking = new AbortController();
  const aim = { element, met: false, stopLooking: () => looking.abort() };
  const placeOf = () => JSON.stringify(element.getBoundingClientRect?.());
  let pressedAt = '';
  const look = (event: { type: string; composedPath(): unknown[] }) => {
    const isOnIt = event.composedPath().includes(element);
    if (isOnIt && event.type === 'pointerdown') pressedAt = placeOf();
    // It was pressed, and moved before it was let go.
    const hasMoved = aim.met && !isOnIt && element.isConnected && placeOf() !== pressedAt;
    aim.met = (aim.met || isOnIt) && !hasMoved;
  };
  const target = globalThis as unknown as {
    addEventListener(
      kind: string,
      listener: typeof look,
      options: { capture: true; signal: AbortSignal },
    ): void;
  };
  // What opens at the press itself may lie over it at the click; what lies in a label has the click alone.
  for (const kind of ['pointerdown', 'click'])
    target.addEventListener(kind, look, { capture: true, signal: looking.signal });

  const place = isText ? undefined : element.getBoundingClientRect?.();
  if (place) {
    const { document } = globalThis as unknown as {
      document: { elementFromPoint(x: number, y: number): OnPage | null };
    };
    const hit = document.elementFromPoint(place.x + place.width / 2, place.y + place.height / 2);
    // What stays in place over a list that is scrolled, as its head, may be over the element: a person scrolls on then.
    if (hit && !element.contains(hit) && !hit.contains(element)) element.scrollIntoView({ block: 'center' });
  }
  return aim;
}

/** How it ended: the pointer met it, or did not though it is still there, or it is gone. Runs in the page. */
function endOf({ element, met, stopLooking }: Aim): 'met' | 'missed' | 'gone' {
  stopLooking();
  if (met) return 'met';
  return element.isConnected ? 'missed' : 'gone';
}
