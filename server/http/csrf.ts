import { randomBytes } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { DomainError } from '#contracts/domain-error.js';
import { isSameSecret } from '#platform/shared-secret.js';
import type { Settings } from '#platform/settings.js';
import * as m from '#words/messages.js';
import { isHttps, cookieNamed } from './cookies.js';

const COOKIE = 'XSRF-TOKEN';
const HEADER = 'x-xsrf-token';
const TOKEN_FORM = /^[\w-]{43}$/;
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Sets the browser's cross-site token, unless it has one (`docs/decisions/042-cross-site-token.md`). */
export function setCsrfToken(
  request: Request,
  response: Response,
  settings: Pick<Settings, 'PUBLIC_URL'>,
): void {
  if (TOKEN_FORM.test(tokenOf(request) ?? '')) return;
  response.cookie(COOKIE, randomBytes(32).toString('base64url'), {
    path: '/',
    sameSite: 'lax',
    // The site's own script copies it into the header.
    httpOnly: false,
    secure: isHttps(request, settings),
  });
}

/**
 * Refuses changes that another site's page has begun. A caller without cookies is no browser of ours; their only
 * authority is the token that they send themselves.
 */
export function requireCsrfToken(request: Request, _response: Response, next: NextFunction): void {
  if (READING.has(request.method)) return next();
  const cookie = tokenOf(request);
  const isForeign = request.header('sec-fetch-site') === 'cross-site';
  if (isForeign || (cookie !== undefined && !isSameSecret(cookie, request.header(HEADER) ?? ''))) {
    return next(new DomainError('CrossSiteRequest', m.error_cross_site()));
  }
  next();
}

function tokenOf(request: Request): string | undefined {
  return cookieNamed(COOKIE, request);
}
