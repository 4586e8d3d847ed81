import { findChromium } from '#platform/chromium/find-chromium.js';
import { canaryTexts, startCanary } from '../../../test-support/arbitraries/canary-texts.js';
import { shared, sharedFolder } from '../../../test-support/shared.js';
import { htmlDocument } from './html.js';
import { readPdf, textOfPages } from './printed-text.js';
import { Printer } from './printer.js';

describe('the browser that prints', () => {
  const folder = sharedFolder();

  const canary = shared(() => startCanary());
  const chromium = shared(() => findChromium());
  const printer = shared(() => Printer.open(chromium, { sandbox: false, folder }));

  const printed = async (html: string) => textOfPages(await readPdf(await printer.print(html))).join('');

  // As if a text had come into a page as it is: nothing but the browser itself stands in its way then.
  it('runs no script, calls nobody and shows no file, even of a page that is all of it', async () => {
    const bodies = canaryTexts(canary.host);
    for (const body of [...bodies, bodies.join('\n')]) {
      for (const html of [htmlDocument('Canary', '', body), `<!doctype html><body><p>bare</p>${body}`]) {
        // A page that leads elsewhere is not printed at all.
        const text = await printed(html).catch((error: unknown) => String(error));
        expect(text).not.toMatch(/(?<!')RAN|root:x|found/);
        await printer.refresh();
      }
    }
    expect(canary.calls).toEqual([]);
    expect(await printer.measure('<p>one</p><p>two</p>', 'p')).toHaveLength(2);
  });

  it('is heard by the canary where nothing is in its way', async () => {
    expect((await fetch(`http://${canary.host}/`)).status).toBe(200);
    expect(canary.calls).toEqual(['connection', 'GET /']);
  });
});
