import { randomBytes } from 'node:crypto';
import express, { Router, type Request, type RequestHandler, type Response } from 'express';
import sirv from 'sirv';
import { accentColours, type AccentColours } from '#contracts/library/accent.js';
import { LANGUAGES, type Language } from '#contracts/languages.js';
import { LIBRARY_PAGES } from '#contracts/library/library-facts.js';
import { PUBLIC_PAGES, publicThingAt, type PublicThing } from '#contracts/public-address.js';
import { currentLanguage, inLanguage, localeOf } from '#platform/language.js';
import type { LibraryFacts } from '#platform/library-facts.js';
import type { Logger } from '#platform/logging.js';
import { escapeMarkup, Markup, markup } from '#platform/markup.js';
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
  /** What it is, as Open Graph has it. */
  type: 'website' | 'book' | 'profile';
  /** An address of a picture, without the host. */
  picture?: string | undefined;
  /** What search engines read of it (schema.org). */
  data: object;
  html: Markup;
  /** What else belongs to it: pages beside it, feeds. */
  links: readonly PageLink[];
}

interface PageLink {
  rel: string;
  href: string;
  type?: string;
  title?: string;
}

/** What of the library can be read without scripts, and is found by search engines. */
export interface ReadablePages {
  /** @returns the status to answer with where there is no such page: 410 where there was one */
  find(thing: PublicThing, pageNumber: number): Promise<ReadablePage | 404 | 410>;
  /** The whole of an address of ours. */
  absolute(address: string): string;
}

/** The page of a list that the address names, counted from 1. */
export function pageIn({ query }: Request): number {
  const { page } = query;
  return typeof page === 'string' && /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1;
}

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
  logger: Logger,
): Router {
  const router = Router();
  const { folder, build } = built;
  const pages = new Map([...built.pages].map(([locale, page]) => [locale, filled(page, { build })]));
  const languageFor = (request: Request, response: Response) =>
    chosenLanguage(request, response, settings) ?? currentLanguage();
  const serve = (
    request: Request,
    response: Response,
    language: Language,
    route: string,
    shown?: ReadablePage,
  ) => {
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
      route,
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
        .replace(/(<title>)[^<]*/, () => String(markup`<title>${titleOf(shown?.title, name)}`))
        .replace(ROOT, (root) => (shown ? `${shown.html.toString()}${root}` : root))
        .replace(NO_SCRIPT, (words) => (shown ? '' : words))
        .replace(SCRIPTS, (script, source: string) => (shown ? preloading(source) : script))
        .replace(/(<meta name="description" content=")[^"]*/, (usual, start: string) =>
          shown ? start + escapeMarkup(shown.description) : usual,
        )
        .replace(/(<meta property="csp-nonce" nonce=")[^"]*/, `$1${nonce}`)
        .replace(
          '</head>',
          () =>
            `${shown ? headOf(shown, name, namedIn(request)).toString() : ''}${accentStyle(all.accent, nonce)}</head>`,
        ),
    );
  };
  /** What tells others of a page: where it is, in which languages, and what it is about. */
  const headOf = (page: ReadablePage, name: string, named: string) => {
    const { address, title, description, type, picture, data, links } = page;
    const addressIn = (language?: string) =>
      readable.absolute(
        language ? `${address}${address.includes('?') ? '&' : '?'}lang=${language}` : address,
      );
    const canonical = addressIn(LANGUAGES.find((language) => language === named));
    const properties = {
      ...{ 'og:type': type, 'og:site_name': name, 'og:title': title, 'og:description': description },
      ...{ 'og:url': canonical, ...(picture !== undefined && { 'og:image': readable.absolute(picture) }) },
    };
    const languages = [...LANGUAGES.map((language) => [language, language]), ['x-default', undefined]];
    return markup`<link rel="canonical" href="${canonical}">${languages.map(
      ([hreflang, language]) =>
        markup`<link rel="alternate" hreflang="${hreflang}" href="${addressIn(language)}">`,
    )}${links.map(
      ({ rel, href, type: media, title: about }) =>
        markup`<link rel="${rel}" href="${href}"${media !== undefined && markup` type="${media}"`}${about !== undefined && markup` title="${about}"`}>`,
    )}${Object.entries(properties).map(
      ([property, value]) => markup`<meta property="${property}" content="${value}">`,
    )}<script type="application/ld+json">${new Markup(JSON.stringify(data).replaceAll('<', '\\u003c'))}</script>`;
  };
  /** Whoever reads a page that cannot be made just now gets the site's own, which says so. */
  const found = async (thing: PublicThing, request: Request) => {
    try {
      return await readable.find(thing, pageIn(request));
    } catch (error) {
      logger.error({ error, kind: thing.kind }, 'a page that is read without scripts could not be made');
      return 503;
    }
  };
  // Of no pattern that would read an address which is none.
  router.get(/^/, async (request, response, next) => {
    const thing = publicThingAt(request.path === '/index.html' ? '/' : request.path);
    if (!thing) return next();
    const language = languageFor(request, response);
    const route = PUBLIC_PAGES[thing.kind].route(thing.id, pageIn(request)).replace(/[?&]page=1$/, '');
    const isHome = thing.kind === 'home';
    // Nobody has an account yet: there is nothing to see but how that is changed.
    const page = isHome && library().isNew ? 404 : await inLanguage(language, () => found(thing, request));
    if (typeof page === 'number') {
      if (!isHome) response.status(page);
      return serve(request, response, language, route);
    }
    const path = encodeURI(page.address.replace(/\?.*/, ''));
    if (!isHome && request.path !== path) {
      return response.redirect(301, path + new URL(request.url, 'http://localhost').search);
    }
    serve(request, response, language, route, page);
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

const titleOf = (title: string | undefined, name: string) => [...new Set([title ?? name, name])].join(' · ');

/** Where the site is drawn. */
const ROOT = '<div id="root">';

/** The site's scripts. Where there is something to see before them they are only fetched, and `theme.js` begins them. */
const SCRIPTS = /<script type="module" crossorigin src="([^"]*)"><\/script>/g;
const preloading = (source: string) => `<link rel="modulepreload" crossorigin href="${source}" data-site>`;

/** What says that nothing can be read without scripts. */
const NO_SCRIPT = /<noscript>[^<]*<\/noscript>/;

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
      return value === undefined ? element : start + escapeMarkup(String(value));
    },
  );
}

/** The library's own colour in both themes, above those of the style sheets. */
function accentStyle(accent: string, nonce: string): string {
  const colours = accentColours(accent);
  if (!colours) return '';
  const set = ({ accent: button, accentDeep, onAccent, accentText, accentWash }: AccentColours) =>
    `--accent:${button};--accent-deep:${accentDeep};--on-accent:${onAccent};--accent-text:${accentText};--accent-wash:${accentWash}`;
  const night = set(colours.night);
  return `<style nonce="${nonce}">html:root{${set(colours.day)}}html:root[data-theme='dark']{${night}}@media(prefers-color-scheme:dark){html:root:not([data-theme]){${night}}}</style>`;
}
