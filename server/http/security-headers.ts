import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Settings } from '#platform/settings.js';
import { isHttps } from './cookies.js';

/** A year, as ASVS 3.4.1 asks for. */
const HTTPS_ONLY = 'max-age=31536000; includeSubDomains';

/**
 * Nothing here measures or pays by the browser, and it is filmed only by the desk's own page, which reads labels so. Passkeys and
 * the clipboard stay as they are.
 */
const PERMISSIONS = [
  'accelerometer',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .concat('camera=(self)')
  .join(', ');

/**
 * What a page may load: what comes from here. The live socket is at the own origin too, which `'self'` covers with its
 * ws: or wss: address. A library on a loopback address has no https that requests could be upgraded to.
 * @param style further sources of styles: a nonce, or `'unsafe-inline'` for a page that is not of our making
 * @param script further sources of scripts
 */
export function contentPolicy(style = '', script = ''): string {
  return [
    "default-src 'self'",
    `script-src 'self' ${script}`.trimEnd(),
    "script-src-attr 'none'",
    `style-src 'self' ${style}`.trimEnd(),
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The headers of every answer. A page with needs of its own sets another policy. */
export function securityHeaders(settings: Pick<Settings, 'PUBLIC_URL'>): RequestHandler {
  const headers = [
    ...usualHeaders(),
    ['content-security-policy', contentPolicy()] as const,
    ['permissions-policy', PERMISSIONS] as const,
  ];
  return (request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    if (isHttps(request, settings)) response.setHeader('strict-transport-security', HTTPS_ONLY);
    next();
  };
}

/** What helmet sets. They are the same for every answer, so it is asked once. */
function usualHeaders(): [string, string][] {
  const headers: [string, string][] = [];
  const recorder = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => undefined,
  };
  const setUsual = helmet({
    contentSecurityPolicy: false,
    strictTransportSecurity: false,
    // The older header says what `frame-ancestors` says.
    xFrameOptions: { action: 'deny' },
  });
  setUsual({} as IncomingMessage, recorder as unknown as ServerResponse, (error) => {
    if (error !== undefined) throw new Error('The usual headers could not be made.', { cause: error });
  });
  return headers;
}

/** Answers of the API are personal unless a handler says otherwise, as that of a cover does. */
export const noStore: RequestHandler = (_request, response, next) => {
  response.setHeader('cache-control', 'no-store');
  next();
};
