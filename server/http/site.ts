import { randomBytes } from 'node:crypto';
import express, { Router, type RequestHandler } from 'express';
import sirv from 'sirv';
import { accentColours, type AccentColours } from '#contracts/library/accent.js';
import { LANGUAGES } from '#contracts/languages.js';
import { LIBRARY_PAGES } from '#contracts/library/library-facts.js';
import { currentLanguage, inLanguage, localeOf } from '#platform/language.js';
import type { LibraryFacts } from '#platform/library-facts.js';
import type { Settings } from '#platform/settings.js';
import * as m from '#words/messages.js';
import { setCsrfToken } from './csrf.js';
import { htmlOf } from './markdown.js';
import { chosenLanguage, namedIn } from './request-language.js';
import { contentPolicy } from './security-headers.js';
import type { BuiltSite } from './site-build.js';

/** What every page says of the library, before anything is asked for. */
interface ServedFacts {
  facts: LibraryFacts;
  timeZone: string;
  /** Of an adult's loan of a book of the usual kind. */
  loanDays: number;
  renewals: number;
  /** Nobody has an account yet. */
  isNew: boolean;
}

/** The same page in each language, for who finds it by a search. */
const alternates = LANGUAGES.map(
  (language) => `<link rel="alternate" hreflang="${language}" href="/?lang=${language}">`,
).join('');
const YEAR_IN_SECONDS = 365 * 86_400;

/**
 * Serves the built site. Its routes are behind the `#`, so there is one page; its files have a digest in their names
 * and are cached for ever.
 * @param library its time zone and the rules that readers are told: may change while it runs
 */
export function site(built: BuiltSite, settings: Settings, library: () => ServedFacts): Router {
  const router = Router();
  const { folder, build } = built;
  const pages = new Map([...built.pages].map(([locale, page]) => [locale, filled(page, { build })]));
  router.get(['/', '/index.html'], (request, response) => {
    setCsrfToken(request, response, settings);
    const language = chosenLanguage(request, response, settings) ?? currentLanguage();
    // A site that somebody built besides is served to whoever names it.
    const page = pages.get(namedIn(request)) ?? pages.get(localeOf(language)) ?? '';
    const { facts, timeZone, loanDays, renewals, isNew } = library();
    const { name, contact, all } = facts;
    const nonce = randomBytes(18).toString('base64');
    response.setHeader('content-security-policy', contentPolicy(`'nonce-${nonce}'`));
    response.setHeader('cache-control', 'no-cache');
    response.setHeader('vary', 'cookie, accept-language');
    const values = {
      ...{ title: name, contact, 'loan-days': loanDays, renewals, 'time-zone': timeZone },
      'set-up': isNew ? 'awaited' : '',
      currency: all.currency,
      'fixed-time-zone': settings.TIME_ZONE ?? '',
      ...{ 'short-title': all.shortName, logo: all.logo ?? '', 'house-rules': all.houseRules },
      pages: LIBRARY_PAGES.filter((each) => all[each] !== '').join(' '),
      ...inLanguage(language, () => ({
        'slip-head': htmlOf(m.paper_slip_head()),
        'slip-foot': htmlOf(m.paper_slip_foot()),
      })),
    };
    response.type('html').send(
      filled(page, values)
        .replace(/(<title>)[^<]*/, () => `<title>${escapeAttribute(name)}`)
        .replace(/(<meta property="csp-nonce" nonce=")[^"]*/, `$1${nonce}`)
        .replace('</head>', () => `${alternates}${accentStyle(all.accent, nonce)}</head>`),
    );
  });
  // A worker has the policy of its own file: what reads barcodes in pictures is compiled, and no page may compile anything.
  router.get(/^\/assets\/barcode-worker-[\w-]+\.js$/, (_request, response, next) => {
    response.setHeader('content-security-policy', contentPolicy('', "'wasm-unsafe-eval'"));
    next();
  });
  // Compressed by the build: what the browser takes is sent as it lies there.
  router.get(
    '/assets/*file',
    sirv(folder, { brotli: true, gzip: true, immutable: true, maxAge: YEAR_IN_SECONDS, extensions: [] }),
  );
  router.use(express.static(folder, { index: false, maxAge: '1h' }));
  return router;
}

/** Pages and files are none of the API's: its calls are not looked for among them. */
export function outsideApi(pages: RequestHandler): RequestHandler {
  return (request, response, next) => {
    if (request.path.startsWith('/api/')) next();
    else pages(request, response, next);
  };
}

/** The page with what its `lectern-…` elements say. */
function filled(page: string, values: Record<string, string | number>): string {
  return page.replace(
    /(<meta name="lectern-([a-z-]+)" content=")[^"]*/g,
    (element, start: string, name: string) => {
      const value = values[name];
      return value === undefined ? element : start + escapeAttribute(String(value));
    },
  );
}

/** The library's own colour in both themes, above those of the style sheets. */
function accentStyle(accent: string, nonce: string): string {
  const colours = accentColours(accent);
  if (!colours) return '';
  const set = ({ accent: button, accentDeep, onAccent, accentText, accentWash }: AccentColours) =>
    `--accent:${button};--accent-deep:${accentDeep};--on-accent:${onAccent};--accent-text:${accentText};--accent-wash:${accentWash}`;
  return `<style nonce="${nonce}">html:root{${set(colours.day)}}html:root[data-theme='dark']{${set(colours.night)}}</style>`;
}

function escapeAttribute(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
