import { randomBytes } from 'node:crypto';
import express, { Router, type RequestHandler } from 'express';
import sirv from 'sirv';
import { libraryName } from '#platform/library-name.js';
import type { Settings } from '#platform/settings.js';
import { setCsrfToken } from './csrf.js';
import { contentPolicy } from './security-headers.js';
import type { BuiltSite } from './site-build.js';

/** What every page says of the library, before anything is asked for. */
interface LibraryFacts {
  timeZone: string;
  /** Of an adult's loan of a book of the usual kind. */
  loanDays: number;
  renewals: number;
}

const YEAR_IN_SECONDS = 365 * 86_400;

/**
 * Serves the built site. Its routes are behind the `#`, so there is one page; its files have a digest in their names
 * and are cached for ever.
 * @param library its time zone and the rules that readers are told: may change while it runs
 */
export function site(built: BuiltSite, settings: Settings, library: () => LibraryFacts): Router {
  const router = Router();
  const { folder, build } = built;
  const page = built.page
    .replace(/(<title>)[^<]*/, `$1${escapeAttribute(libraryName(settings))}`)
    .replace(/(<meta name="lectern-build" content=")[^"]*/, `$1${build}`)
    .replace(/(<meta name="lectern-labels" content=")[^"]*/, `$1${settings.LABELS}`)
    .replace(/(<meta name="lectern-title" content=")[^"]*/, `$1${escapeAttribute(settings.APP_TITLE ?? '')}`)
    .replace(/(<meta name="lectern-contact" content=")[^"]*/, `$1${escapeAttribute(settings.CONTACT ?? '')}`);
  router.get(['/', '/index.html'], (request, response) => {
    setCsrfToken(request, response, settings);
    const { timeZone, loanDays, renewals } = library();
    const nonce = randomBytes(18).toString('base64');
    response.setHeader('content-security-policy', contentPolicy(`'nonce-${nonce}'`));
    response.setHeader('cache-control', 'no-cache');
    response.type('html').send(
      page
        .replace(/(<meta property="csp-nonce" nonce=")[^"]*/, `$1${nonce}`)
        .replace(/(<meta name="lectern-time-zone" content=")[^"]*/, `$1${timeZone}`)
        .replace(/(<meta name="lectern-loan-days" content=")[^"]*/, `$1${loanDays}`)
        .replace(/(<meta name="lectern-renewals" content=")[^"]*/, `$1${renewals}`),
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

function escapeAttribute(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
