import { accessibilityFaults } from '../test-support/axe.js';
import type { BrowserPage } from '../test-support/browser-page.js';
import { startInstallation } from '../test-support/installation-process.js';
import { shared } from '../test-support/shared.js';
import { lend } from './at-the-desk.js';
import { PASSWORDS, signedIn } from './people.js';
import { BEGIN, buildPseudoSite, END, PSEUDO } from './pseudo-language.js';
import { openScreen, SCREENS, type Visitor } from './screens.js';
import { ShownTexts } from './shown-texts.js';
import { siteOf } from './site-under-test.js';

const DESK = { width: 1440, height: 900 };
const SIZES = [DESK, { width: 360, height: 780 }];
const THEMES = ['light', 'dark'] as const;

/** What is cut: wider or higher than its place, where that lets nothing stand over. Runs in the page. */
const CUT = `[...document.querySelectorAll('body *')].filter((element) => {
  const { overflowX, textOverflow, display } = getComputedStyle(element);
  return overflowX === 'hidden' && textOverflow !== 'ellipsis' && display !== 'inline' && element.clientWidth > 1
    && element.scrollWidth > element.clientWidth + 1 && element.closest('svg,[data-cover]') === null;
}).map((element) => element.textContent.trim().slice(0, 60))`;

/** What makes the page, or a window over it, wider than there is room. Runs in the page. */
const WIDE = `[document.documentElement, ...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')].flatMap((whole) =>
  whole.scrollWidth <= whole.clientWidth ? []
    : [whole.scrollWidth + ' pixels in ' + whole.clientWidth,
        ...[...whole.querySelectorAll('*')].filter((element) => element.children.length === 0
          && element.getBoundingClientRect().right > whole.getBoundingClientRect().left + whole.clientWidth + 1)
        .map((element) => element.tagName + ' ' + element.textContent.trim().slice(0, 60)).slice(0, 3)].join(', '))`;

/** What measures its place draws itself anew a moment after it has another. Runs in the page. */
const LAID_OUT = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))`;

/** Covers are drawn of up to thousands of strokes: no rule looks at one, and axe takes half of its time to pass them. */
const WITHOUT_STROKES = `document.querySelectorAll('svg[data-cover] path').forEach((stroke) => stroke.remove())`;

const LOGIN = { name: 'login', route: '/login', shows: 'main form' };
const VISITORS = Object.keys(SCREENS) as Visitor[];

// In a language that nobody speaks, a third longer than English: what stands this stands others.
describe('every screen, in both themes, on a desk and on a phone', () => {
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
      texts.listenTo(page);
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

  // spec 2.2, 2.22, 4.14
  it.each(VISITORS.flatMap((visitor) => SCREENS[visitor].map((screen) => ({ visitor, ...screen }))))(
    '$visitor: $name has no fault that axe knows, says nothing but messages, and cuts none of them',
    async (screen) => {
      const page = await at(screen.visitor, screen);
      const faults = await texts.untranslated(page);
      faults.push(...(await faultsOf(page)));
      // What the content security policy stopped, the screen goes without.
      faults.push(...page.troubles.filter((trouble) => trouble.startsWith('policy:')));
      expect(faults).toEqual([]);
    },
  );

  it('differ by their theme in colours alone', async () => {
    const set = await pages.get('guest')?.raw.evaluate(
      `(() => {
        const within = (rule) => [rule, ...[...(rule.cssRules ?? [])].flatMap(within)];
        const themes = [...document.styleSheets].flatMap(within).filter(({ cssText }) => cssText?.includes('[data-theme'));
        return [...new Set(themes.flatMap(({ style }) => [...(style ?? [])]))];
      })()`,
    );
    expect(set).toContain('--paper');
    expect((set as string[]).filter((name) => !name.startsWith('--'))).toEqual(['color-scheme']);
  });

  it('would be found to have faults of every kind, in the theme and on the size that has them', async () => {
    const page = await at('guest', LOGIN);
    await page.raw.evaluate(`{
      const style = new CSSStyleSheet();
      style.replaceSync(\`
        [data-theme='dark'] .faint { color: #555; background: #444; }
        [data-theme='light'] .pale { color: #bbb; background: #aaa; }
        [data-theme='dark'] .words { color: #fff; }
        [data-theme='dark'] .link { color: #eee; text-decoration: none; }
        .wide { width: 500px; }
        .cut { overflow: hidden; width: 20px; white-space: nowrap; }
        @media (min-width: 1000px) { .phone { display: none; } }\`);
      document.adoptedStyleSheets.push(style);
      const seeds = document.createElement('div');
      seeds.className = 'seeds';
      seeds.innerHTML =
        '<p class="faint">Remember this browser</p><p class="pale">Pale</p><p class="words">Words before <a class="link" href="#/">a link</a> and behind</p>' +
        '<img src="data:," class="picture"><button class="phone"></button><div class="wide">Wide</div><div class="cut">${BEGIN}a message${END}</div>' +
        '<input type="image" alt="Show the password">';
      document.querySelector('main form').append(seeds);
    }`);
    expect(await texts.untranslated(page)).toEqual(
      expect.arrayContaining(['Remember this browser', 'Show the password']),
    );
    const faults = await faultsOf(page);
    await page.raw.evaluate(`document.querySelector('.seeds').remove()`);
    expect(faults.map((fault) => /^(?:[^:]+: [^:]+(?=:)|.*)/.exec(fault)?.[0])).toEqual([
      `1440 cut: ${BEGIN}a message${END}`,
      '1440 light: color-contrast',
      '1440 light: image-alt',
      '1440 dark: color-contrast',
      '1440 dark: link-in-text-block',
      `360 cut: ${BEGIN}a message${END}`,
      expect.stringMatching(/^360 wider: /),
      '360 light: button-name',
      '360 light: color-contrast',
      '360 light: image-alt',
      '360 dark: color-contrast',
      '360 dark: link-in-text-block',
    ]);
  });
});

/** On both sizes and in both themes. What does not depend on the theme is looked for in the first of them. */
async function faultsOf({ raw }: BrowserPage): Promise<string[]> {
  const faults: string[] = [];
  for (const size of SIZES) {
    await raw.setViewport(size);
    await raw.evaluate(LAID_OUT);
    const [cut, wide] = (await raw.evaluate(`[${CUT}, ${WIDE}]`)) as [string[], string[]];
    faults.push(...cut.map((text) => `${size.width} cut: ${text}`));
    faults.push(...wide.map((text) => `${size.width} wider: ${text}`));
    for (const theme of THEMES) {
      await raw.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      // Each time: shelves may come in between.
      await raw.evaluate(WITHOUT_STROKES);
      const found = await accessibilityFaults(raw, theme === THEMES[0] ? undefined : 'colours');
      faults.push(...found.map((fault) => `${size.width} ${theme}: ${fault}`));
    }
  }
  return faults;
}
