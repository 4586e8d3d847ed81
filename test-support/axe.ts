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

interface Result {
  id: string;
  help: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/**
 * What axe finds against WCAG 2.2 A and AA in the page as it is now, one line for each element.
 * An empty list is a clean page.
 */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await motionOver(page);
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(AXE);
  const violations = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(OPTIONS)}).then(({ violations }) => violations)`,
  )) as Result[];
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${id}: ${help}: ${target.join(' ')}: ${failureSummary.replaceAll('\n', ' ')}`,
    ),
  );
}
