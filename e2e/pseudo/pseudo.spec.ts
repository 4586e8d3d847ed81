import { COUNTRIES } from '#contracts/accounts/countries.js';
import { CURRENCIES } from '#contracts/currency.js';
import { languageName } from '#contracts/catalogue/language.js';
import { BEGIN, buildPseudoSite, END, PSEUDO } from './pseudo-language.js';
import type { BrowserPage } from '../../test-support/browser-page.js';
import { lend } from '../at-the-desk.js';
import { PASSWORDS, signedIn } from '../people.js';
import { openScreen, SCREENS, type Visitor } from '../screens.js';
import { siteUnderTest } from '../site-under-test.js';

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

/** What no language says otherwise, and what the browser says in the language of the page: days, spans of time. */
const NO_WORDS =
  /^([A-Z]|PLN|ISBN|PDF|CSV|Esc|Enter|Ctrl K|yyyy-MM-dd|#rrggbb|Europe\/Warsaw|UTC|UTF-8|WINDOWS-1250|ISO-8859-2|https?:\/\/\S+|JSON|HTML|BibTeX|RIS|APA|MLA|PostgreSQL|Node|\w+day|[\d.]+ (mm|B|kB|MB|GB)|[\d.]+, Node [\d.]+|\d+ \w+ ago)$/;

/** Every text that a person may meet on the page, in sight or by a screen reader. Runs in the page. */
const TEXTS = `(() => {
  const found = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (parent.closest('script,style,noscript,svg[data-cover],body [lang]')) continue;
    found.push(node.data);
  }
  for (const element of document.body.querySelectorAll('*')) {
    for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-roledescription', 'aria-valuetext'])
      if (element.hasAttribute(name) && !element.closest('body [lang]')) found.push(element.getAttribute(name));
  }
  return found;
})()`;

/** What is cut: wider or higher than its place, where that lets nothing stand over. Runs in the page. */
const CUT = `[...document.querySelectorAll('body *')].filter((element) => {
  const { overflowX, textOverflow, display } = getComputedStyle(element);
  return overflowX === 'hidden' && textOverflow !== 'ellipsis' && display !== 'inline' && element.clientWidth > 1
    && element.scrollWidth > element.clientWidth + 1 && element.closest('svg,[data-cover]') === null;
}).map((element) => element.textContent.trim().slice(0, 60))`;

/** What makes the page wider than the window. Runs in the page. */
const WIDE = `document.documentElement.scrollWidth <= document.documentElement.clientWidth ? []
  : [...document.querySelectorAll('body *')].filter((element) =>
      element.getBoundingClientRect().right > document.documentElement.clientWidth + 1 && element.children.length === 0)
    .map((element) => element.tagName + ' ' + element.textContent.trim().slice(0, 60)).slice(0, 3)`;

/** What measures its place draws itself anew a moment after it has another. Runs in the page. */
const LAID_OUT = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))`;

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
/** Of countries and languages, which the site has from lists. */
const NAMES = [
  ...COUNTRIES.map(({ name }) => name),
  ...LETTERS.flatMap((one) => LETTERS.map((other) => languageName(one + other))),
  ...['Lectern', 'English', 'Polski'],
  ...Intl.supportedValuesOf('timeZone'),
  ...CURRENCIES.map((code) => `${code}, ${new Intl.DisplayNames('en', { type: 'currency' }).of(code)}`),
  ...Object.keys(PASSWORDS),
];

describe('in a language that nobody speaks', () => {
  let takeAway: () => void;
  beforeAll(() => {
    takeAway = buildPseudoSite();
  });
  afterAll(() => takeAway());
  const { product, browser } = siteUnderTest();
  const pages = new Map<Visitor, BrowserPage>();
  /** What the server answered: names, titles and whatever else is data. */
  const answered = new Set<string>(NAMES.map(plain));
  /** Answers whose text is still on its way here, though the page may show it already. */
  const readings = new Set<Promise<void>>();

  beforeAll(async () => {
    await lend(product.url);
    for (const visitor of Object.keys(SCREENS) as Visitor[]) {
      const window = await browser.window();
      const page =
        visitor === 'guest'
          ? await window.page(product.url)
          : await signedIn(window, product.url, { username: visitor, password: PASSWORDS[visitor] });
      page.raw.on('response', (response) => {
        if (!response.url().includes('/api/')) return;
        const reading = response
          .text()
          .then(
            (text) => keepStrings(text, answered),
            // It was redirected, or the page has left.
            () => undefined,
          )
          .finally(() => readings.delete(reading));
        readings.add(reading);
      });
      await page.raw.goto(`${product.url}/?lang=${PSEUDO}#/forgot-password`);
      pages.set(visitor, page);
    }
  });

  const pageOf = (visitor: Visitor) => {
    const page = pages.get(visitor);
    if (!page) throw new Error(`Nobody is there as ${visitor}.`);
    return page;
  };
  /** What is on the page in words that are neither a message's nor anybody's data. */
  const untranslated = async (page: BrowserPage): Promise<string[]> => {
    const texts = (await page.raw.evaluate(TEXTS)) as string[];
    await Promise.all(readings);
    const outside = new Set(outsideMessages(texts));
    return [...outside].filter((text) => !NO_WORDS.test(text) && !isData(text, answered));
  };

  it.each(
    (Object.keys(SCREENS) as Visitor[]).flatMap((visitor) =>
      SCREENS[visitor].map((screen) => ({ visitor, ...screen })),
    ),
  )('$visitor: $name says nothing but messages, and cuts none of them', async (screen) => {
    const page = pageOf(screen.visitor);
    await page.raw.setViewport(SIZES[0] ?? null);
    await openScreen(page, screen);
    const faults = await untranslated(page);
    for (const size of SIZES) {
      await page.raw.setViewport(size);
      await page.raw.evaluate(LAID_OUT);
      const [cut, wide] = (await page.raw.evaluate(`[${CUT}, ${WIDE}]`)) as [string[], string[]];
      faults.push(...cut.map((text) => `cut at ${size.width}: ${text}`));
      faults.push(...wide.map((text) => `stands out at ${size.width}: ${text}`));
    }
    expect(faults).toEqual([]);
  });

  it('finds a text that is in the code, and one that is cut', async () => {
    const page = pageOf('guest');
    await openScreen(page, { name: 'login', route: '/login', shows: 'main form' });
    await page.raw.evaluate(`document.querySelector('main form').insertAdjacentHTML('beforeend',
      '<p>Remember this browser</p><button aria-label="Show the password"></button><div data-cut>${BEGIN}a message${END}</div>');
      Object.assign(document.querySelector('[data-cut]').style, { overflow: 'hidden', width: '20px', whiteSpace: 'nowrap' })`);
    expect(await untranslated(page)).toEqual(['Remember this browser', 'Show the password']);
    expect(await page.raw.evaluate(CUT)).toEqual([`${BEGIN}a message${END}`]);
  });
});

/** Every string in an answer, of JSON or not. */
function keepStrings(answer: string, kept: Set<string>): void {
  const keep = (value: unknown): void => {
    if (typeof value === 'string') kept.add(plain(value));
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(keep);
  };
  try {
    keep(JSON.parse(answer));
  } catch {
    kept.add(plain(answer));
  }
}

function plain(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ').trim().toLowerCase();
}

/** What stands before, between and after messages, in its parts. A message may go through several texts of the page. */
function outsideMessages(texts: readonly string[]): string[] {
  let depth = 0;
  const outside = [...texts.join('\n')].map((letter) => {
    if (letter === BEGIN) depth += 1;
    const isOut = depth === 0;
    if (letter === END) depth -= 1;
    return isOut ? letter : '\n';
  });
  return outside
    .join('')
    .split(/[\n·|•→–—]+/)
    .map((part) => part.replaceAll(/^[\s,;:.()“”„"]+|[\s,;:.()“”„"]+$/g, ''))
    .filter((part) => /\p{L}{3,}/u.test(part));
}

/** An answer has it, or all of its parts: a name is put together, titles are listed. */
function isData(text: string, answered: ReadonlySet<string>): boolean {
  const wanted = plain(text);
  for (const value of answered) if (value.includes(wanted)) return true;
  const words = wanted.split(' ');
  const isName = words.some(
    (_, at) =>
      at > 0 && answered.has(words.slice(0, at).join(' ')) && answered.has(words.slice(at).join(' ')),
  );
  const parts = wanted.split(/, | \(/);
  return (
    isName || (parts.length > 1 && parts.every((part) => /^[\d.]*$/.test(part) || isData(part, answered)))
  );
}
