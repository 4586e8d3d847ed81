import { accessibilityFaults } from '../test-support/browser/axe.js';
import type { BrowserPage } from '../test-support/browser/browser-page.js';
import { drawn } from '../test-support/arbitraries/for-all.js';
import { lend } from './at-the-desk.js';
import { PASSWORDS, signedIn } from './people.js';
import { siteUnderTest } from './site-under-test.js';
import { openScreen, SCREENS, type Visitor } from './screens.js';

const DESK = { width: 1440, height: 900 };
const WIDTHS = [DESK, { width: 360, height: 780 }];
const THEMES = ['light', 'dark'] as const;

/** Covers are drawn of up to thousands of strokes: no rule looks at one, and axe takes half of its time to pass them. */
const WITHOUT_STROKES = `document.querySelectorAll('svg[data-cover] path').forEach((stroke) => stroke.remove())`;

describe('every screen, in both themes, on a desk and on a phone', () => {
  const pages = new Map<Visitor, BrowserPage>();

  const { product, browser } = siteUnderTest();
  beforeAll(async () => {
    await lend(product.url);
    for (const visitor of Object.keys(SCREENS) as Visitor[]) {
      const window = await browser.window();
      const page =
        visitor === 'guest'
          ? await window.page(`${product.url}/#/login`)
          : await signedIn(window, product.url, { username: visitor, password: PASSWORDS[visitor] });
      pages.set(visitor, page);
    }
  });

  const all = (Object.keys(SCREENS) as Visitor[]).flatMap((visitor) =>
    SCREENS[visitor].map((screen) => ({ visitor, ...screen })),
  );

  // spec 2.2, 2.22, 4.14
  it.each(drawn(all))(
    '$name has no fault that axe knows, and needs no sideways scrolling',
    async (screen) => {
      const page = pages.get(screen.visitor);
      if (!page) throw new Error(`Nobody is there as ${screen.visitor}.`);
      await page.raw.setViewport(DESK);
      await openScreen(page, screen);
      const faults = await faultsOf(page);
      // The screen goes without whatever the content security policy has stopped.
      faults.push(...page.troubles.filter((trouble) => trouble.startsWith('policy:')));
      expect(faults).toEqual([]);
    },
  );

  it('differ by their theme in colours alone', async () => {
    const page = pages.get('guest');
    const set = await page?.raw.evaluate(
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
    const page = pages.get('guest');
    if (!page) throw new Error('Nobody is there.');
    await page.raw.setViewport(DESK);
    await openScreen(page, { name: 'login', route: '/login', shows: 'main form' });
    await page.raw.evaluate(`{
      const style = new CSSStyleSheet();
      style.replaceSync(\`
        [data-theme='dark'] .faint { color: #555; background: #444; }
        [data-theme='light'] .pale { color: #bbb; background: #aaa; }
        [data-theme='dark'] .words { color: #fff; }
        [data-theme='dark'] .link { color: #eee; text-decoration: none; }
        .wide { width: 500px; }
        @media (min-width: 1000px) { .phone { display: none; } }\`);
      document.adoptedStyleSheets.push(style);
      const seeds = document.createElement('div');
      seeds.className = 'seeds';
      seeds.innerHTML =
        '<p class="faint">Faint</p><p class="pale">Pale</p><p class="words">Words before <a class="link" href="#/">a link</a> and behind</p>' +
        '<img src="data:," class="picture"><button class="phone"></button><div class="wide">Wide</div>';
      document.querySelector('main form').append(seeds);
    }`);
    const faults = await faultsOf(page);
    await page.raw.evaluate(`document.querySelector('.seeds').remove()`);
    expect(faults.map((fault) => /^(?:[^:]+: [^:]+(?=:)|.*)/.exec(fault)?.[0])).toEqual([
      '1440 light: color-contrast',
      '1440 light: image-alt',
      '1440 dark: color-contrast',
      '1440 dark: link-in-text-block',
      expect.stringMatching(/^360: \d+ pixels wide in 360$/),
      '360 light: button-name',
      '360 light: color-contrast',
      '360 light: image-alt',
      '360 dark: color-contrast',
      '360 dark: link-in-text-block',
    ]);
  });
});

/** On both sizes and in both themes. What does not depend on the theme is looked for in the first of them. */
async function faultsOf(page: BrowserPage): Promise<string[]> {
  const faults: string[] = [];
  for (const size of WIDTHS) {
    await page.raw.setViewport(size);
    // The page, and the window over it if there is one.
    const widths = (await page.raw.evaluate(
      `[document.documentElement, ...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')]
        .map((each) => [each.scrollWidth, each.clientWidth])`,
    )) as [number, number][];
    for (const [needed, there] of widths)
      if (needed > there) faults.push(`${size.width}: ${needed} pixels wide in ${there}`);
    for (const theme of THEMES) {
      await page.raw.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      // Each time: shelves may come in between.
      await page.raw.evaluate(WITHOUT_STROKES);
      const found = await accessibilityFaults(page.raw, theme === THEMES[0] ? undefined : 'colours');
      faults.push(...found.map((fault) => `${size.width} ${theme}: ${fault}`));
    }
  }
  return faults;
}
