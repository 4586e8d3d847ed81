import type { CDPSession, Protocol } from 'puppeteer';
import { COUNTRIES } from '#contracts/accounts/countries.js';
import { languageName } from '#contracts/catalogue/language.js';
import { CURRENCIES } from '#contracts/currency.js';
import type { BrowserPage } from '../test-support/browser/browser-page.js';
import { networkOf } from '../test-support/browser/network.js';
import { waitFor } from '../test-support/wait-for.js';
import { PASSWORDS } from './people.js';
import { BEGIN, END } from './pseudo-language.js';

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

/** Milliseconds in which an answer that the page shows comes here too. */
const ANSWER_WITHIN = 3_000;

/** The texts of pages, beside what the server answered to them: names, titles and whatever else is data. */
export class ShownTexts {
  private readonly answered = new Set<string>(NAMES.map(plain));

  /** Reads the server's answers to a page from here on, each when it has ended: one that the page gave up never does. */
  async listenTo({ raw }: BrowserPage): Promise<void> {
    const network = await networkOf(raw);
    const answers = new Set<Protocol.Network.RequestId>();
    network.on('Network.responseReceived', ({ requestId, response }) => {
      if (response.url.includes('/api/')) answers.add(requestId);
    });
    network.on('Network.loadingFinished', ({ requestId }) => {
      if (answers.delete(requestId)) void this.read(network, requestId);
    });
  }

  private async read(network: CDPSession, requestId: Protocol.Network.RequestId): Promise<void> {
    // The page may have left meanwhile, and the text with it.
    const answer = await network.send('Network.getResponseBody', { requestId }).catch(() => undefined);
    const { body = '', base64Encoded = false } = answer ?? {};
    keepStrings(base64Encoded ? Buffer.from(body, 'base64').toString() : body, this.answered);
  }

  /** What is on the page in words that are neither a message's nor anybody's data. */
  async untranslated({ raw }: BrowserPage): Promise<string[]> {
    const outside = new Set(outsideMessages((await raw.evaluate(TEXTS)) as string[]));
    const left = () => [...outside].filter((text) => !NO_WORDS.test(text) && !isData(text, this.answered));
    await waitFor(() => left().length === 0, ANSWER_WITHIN).catch(() => undefined);
    return left();
  }
}

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

/** An answer has it, or all of its parts: a name is put together or has an initial, titles are listed. */
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
    isName ||
    (parts.length > 1 && parts.every((part) => /^(\p{L}\.|[\d.]*)$/u.test(part) || isData(part, answered)))
  );
}
