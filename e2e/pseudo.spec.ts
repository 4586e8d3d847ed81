import type { BrowserPage } from '../test-support/browser/browser-page.js';
import { drawn } from '../test-support/arbitraries/for-all.js';
import { startInstallation } from '../test-support/installation/installation-process.js';
import { shared } from '../test-support/shared.js';
import { lend } from './at-the-desk.js';
import { PASSWORDS, signedIn } from './people.js';
import { BEGIN, buildPseudoSite, END, PSEUDO } from './pseudo-language.js';
import { openScreen, SCREENS, type Visitor } from './screens.js';
import { ShownTexts } from './shown-texts.js';
import { siteOf } from './site-under-test.js';

const DESK = { width: 1440, height: 900 };
const SIZES = [DESK, { width: 390, height: 844 }, { width: 360, height: 780 }];
const VISITORS = Object.keys(SCREENS) as Visitor[];

/** What is cut: wider or higher than its place, where that lets nothing stand over. Runs in the page. */
const CUT = `[...document.querySelectorAll('body *')].filter((element) => {
  const { overflowX, textOverflow, display } = getComputedStyle(element);
  return overflowX === 'hidden' && textOverflow !== 'ellipsis' && display !== 'inline' && element.clientWidth > 1
    && element.scrollWidth > element.clientWidth + 1 && element.closest('svg,[data-cover]') === null;
}).map((element) => element.textContent.trim().slice(0, 60))`;

/** What makes the page, or a window over it, wider than there is room. Runs in the page. */
const WIDE = `[document.documentElement, ...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')].flatMap((whole) => {
  if (whole.scrollWidth <= whole.clientWidth) return [];
  const end = whole.getBoundingClientRect().left + whole.clientWidth + 1;
  const isBeyond = (element) => element.getBoundingClientRect().right > end;
  const beyond = [...whole.querySelectorAll('*')].filter((each) => isBeyond(each) && ![...each.children].some(isBeyond));
  return [whole.scrollWidth + ' pixels in ' + whole.clientWidth,
    ...beyond.slice(0, 3).map((each) => each.tagName + ' ' + each.textContent.trim().slice(0, 60))].join(', ');
})`;

/** What measures its place draws itself anew a moment after it has another. Runs in the page. */
const LAID_OUT = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))`;

describe('in a language that nobody speaks, a third longer than English', () => {
  let takeAway: () => void;
  beforeAll(() => {
    takeAway = buildPseudoSite();
  });
  afterAll(() => takeAway());
  // An installation of its own: a process keeps the site that it found when it began.
  const { product, browser } = siteOf(shared(() => startInstallation()));
  const pages = new Map<Visitor, BrowserPage>();
  const texts = new ShownTexts();

  beforeAll(async () => {
    await lend(product.url);
    for (const visitor of VISITORS) {
      const window = await browser.window();
      const page =
        visitor === 'guest'
          ? await window.page(product.url)
          : await signedIn(window, product.url, { username: visitor, password: PASSWORDS[visitor] });
      await texts.listenTo(page);
      await page.raw.goto(`${product.url}/?lang=${PSEUDO}#/forgot-password`);
      pages.set(visitor, page);
    }
  });

  /** The page of a visitor on a desk, at this screen. */
  const at = async (visitor: Visitor, screen: Parameters<typeof openScreen>[1]) => {
    const page = pages.get(visitor);
    if (!page) throw new Error(`Nobody is there as ${visitor}.`);
    await page.raw.setViewport(DESK);
    await openScreen(page, screen);
    return page;
  };

  it.each(drawn(VISITORS.flatMap((visitor) => SCREENS[visitor].map((screen) => ({ visitor, ...screen })))))(
    '$visitor: $name says nothing but messages, and cuts none of them',
    async (screen) => {
      const page = await at(screen.visitor, screen);
      expect([...(await texts.untranslated(page)), ...(await misfits(page))]).toEqual([]);
    },
  );

  it('finds a text that is in the code, one that is cut, and one that is too wide', async () => {
    const page = await at('guest', { name: 'login', route: '/login', shows: 'main form' });
    await page.raw.evaluate(`document.querySelector('main form').insertAdjacentHTML('beforeend',
      '<p>Remember this browser</p><button aria-label="Show the password"></button><div data-wide>-</div><div data-cut>${BEGIN}a message${END}</div>');
      Object.assign(document.querySelector('[data-cut]').style, { overflow: 'hidden', width: '20px', whiteSpace: 'nowrap' });
      document.querySelector('[data-wide]').style.width = '500px'`);
    expect(await texts.untranslated(page)).toEqual(['Remember this browser', 'Show the password']);
    expect(await misfits(page)).toEqual([
      `1440 cut: ${BEGIN}a message${END}`,
      `390 cut: ${BEGIN}a message${END}`,
      expect.stringMatching(/^390 wider: .*DIV -/),
      `360 cut: ${BEGIN}a message${END}`,
      expect.stringMatching(/^360 wider: .*DIV -/),
    ]);
  });
});

/** What does not fit in, on each of the sizes. */
async function misfits({ raw }: BrowserPage): Promise<string[]> {
  const found: string[] = [];
  for (const size of SIZES) {
    await raw.setViewport(size);
    await raw.evaluate(LAID_OUT);
    const [cut, wide] = (await raw.evaluate(`[${CUT}, ${WIDE}]`)) as [string[], string[]];
    found.push(...cut.map((text) => `${size.width} cut: ${text}`));
    found.push(...wide.map((text) => `${size.width} wider: ${text}`));
  }
  return found;
}
