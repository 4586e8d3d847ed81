import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { Page } from 'puppeteer';
import { motionOver } from './motion.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const OPTIONS = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  // What holds is not asked for: describing it took longer than finding it.
  resultTypes: ['violations'],
};

/** All rules above that look at colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

interface Result {
  id: string;
  help: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/**
 * What axe finds against WCAG 2.2 A and AA in the page as it is now, one line for each element.
 * An empty list is a clean page.
 * @param only for a page that was looked at in another theme: themes differ in colours alone
 */
export async function accessibilityFaults(page: Page, only?: 'colours'): Promise<string[]> {
  await motionOver(page);
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(AXE);
  const options = only ? { ...OPTIONS, runOnly: COLOUR_RULES } : OPTIONS;
  const violations = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as Result[];
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${id}: ${help}: ${target.join(' ')}: ${failureSummary.replaceAll('\n', ' ')}`,
    ),
  );
}
