import { randomBytes } from 'node:crypto';
import express, { Router, type Request, type RequestHandler, type Response } from 'express';
import sirv from 'sirv';
import { accentColours, type AccentColours } from '#contracts/library/accent.js';
import { LANGUAGES, type Language } from '#contracts/languages.js';
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

/** A page that can be read without scripts; the site takes its place where they run. */
export interface ReadablePage {
  /** Without the host: whoever came by another address is led there. */
  address: string;
  title: string;
  description: string;
  /** An address of a picture, without the host. */
  picture?: string | undefined;
  /** What search engines read of it (schema.org). */
  data: object;
  /** HTML of which nothing but texts is anybody's. */
  html: string;
}

/** What of the library can be read without scripts, and is found by search engines. */
export interface ReadablePages {
  /** @returns nothing where there is no such book */
  book(number: string): Promise<ReadablePage | undefined>;
  /** The whole of an address of ours. */
  absolute(address: string): string;
  /** How many parts the sitemap has. */
  parts(): Promise<number>;
  /** The addresses of books in a part of the sitemap, from 1. */
  addresses(part: number): Promise<string[]>;
}

/** The same page in each language, for who finds it by a search. */
const alternates = (address: string) =>
  LANGUAGES.map(
    (language) => `<link rel="alternate" hreflang="${language}" href="${address}?lang=${language}">`,
  ).join('');
const YEAR_IN_SECONDS = 365 * 86_400;

/**
 * Serves the built site. Its routes are behind the `#`, so there is one page; its files have a digest in their names
 * and are cached for ever.
 * @param library its time zone and the rules that readers are told: may change while it runs
 */
export function site(
  built: BuiltSite,
  settings: Settings,
  library: () => ServedFacts,
  readable: ReadablePages,
): Router {
  const router = Router();
  const { folder, build } = built;
  const pages = new Map([...built.pages].map(([locale, page]) => [locale, filled(page, { build })]));
  const languageFor = (request: Request, response: Response) =>
    chosenLanguage(request, response, settings) ?? currentLanguage();
  const serve = (request: Request, response: Response, language: Language, shown?: ReadablePage) => {
    setCsrfToken(request, response, settings);
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
        .replace(
          /(<title>)[^<]*/,
          () => `<title>${escapeAttribute(shown ? `${shown.title} · ${name}` : name)}`,
        )
        .replace(LOADING, (loading) => shown?.html ?? loading)
        .replace(NO_SCRIPT, (words) => (shown ? '' : words))
        .replace(/(<meta name="description" content=")[^"]*/, (usual, start: string) =>
          shown ? start + escapeAttribute(shown.description) : usual,
        )
        .replace(/(<meta property="csp-nonce" nonce=")[^"]*/, `$1${nonce}`)
        .replace(
          '</head>',
          () =>
            `${alternates(shown?.address ?? '/')}${shown ? headOf(shown, name) : ''}${accentStyle(all.accent, nonce)}</head>`,
        ),
    );
  };
  /** What tells others of a page: where it is, and what it is about. */
  const headOf = ({ address, title, description, picture, data }: ReadablePage, name: string) => {
    const properties = {
      ...{ 'og:type': 'book', 'og:site_name': name, 'og:title': title, 'og:description': description },
      ...{ 'og:url': readable.absolute(address), ...(picture && { 'og:image': readable.absolute(picture) }) },
    };
    const metas = Object.entries(properties).map(
      ([property, value]) => `<meta property="${property}" content="${escapeAttribute(value)}">`,
    );
    const canonical = `<link rel="canonical" href="${escapeAttribute(readable.absolute(address))}">`;
    const json = JSON.stringify(data).replaceAll('<', '\\u003c');
    return `${canonical}${metas.join('')}<script type="application/ld+json">${json}</script>`;
  };
  router.get(['/', '/index.html'], (request, response) =>
    serve(request, response, languageFor(request, response)),
  );
  router.get(/^\/book\/(\d+)(?:-.*)?$/, async (request, response) => {
    const [, number = ''] = /^\/book\/(\d+)/.exec(request.path) ?? [];
    const language = languageFor(request, response);
    const page = await inLanguage(language, () => readable.book(number));
    if (page && decodeURI(request.path) !== page.address) {
      const { search } = new URL(request.url, 'http://localhost');
      response.redirect(301, encodeURI(page.address) + search);
      return;
    }
    // Who reads it sees that there is none; the site says so in its own words.
    if (!page) response.status(404);
    serve(request, response, language, page);
  });
  router.get('/robots.txt', (_request, response) => {
    response
      .type('text')
      .send(
        `User-agent: *\nDisallow: /api/\nAllow: /api/Book/*/cover\nSitemap: ${readable.absolute('/sitemap.xml')}\n`,
      );
  });
  router.get('/sitemap.xml', async (_request, response) => {
    const parts = Array.from({ length: await readable.parts() }, (_, at) => `/sitemap-${at + 1}.xml`);
    response
      .type('xml')
      .send(sitemap('sitemapindex', 'sitemap', parts.map(readable.absolute.bind(readable))));
  });
  router.get(/^\/sitemap-(\d{1,6})\.xml$/, async (request, response) => {
    const addresses = await readable.addresses(Number(/\d+/.exec(request.path)?.[0]));
    if (addresses.length === 0) response.status(404);
    response.type('xml').send(sitemap('urlset', 'url', addresses.map(encodeURI)));
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

/** What stands in a page until the site is there. */
const LOADING = /<div class="loading-screen"[^]*?<\/div>/;

/** What says that nothing can be read without scripts. */
const NO_SCRIPT = /<noscript>[^<]*<\/noscript>/;

const sitemap = (list: string, entry: string, addresses: readonly string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${list} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${addresses
    .map((address) => `<${entry}><loc>${escapeAttribute(address)}</loc></${entry}>\n`)
    .join('')}</${list}>\n`;

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
