import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Settings } from '#platform/settings.js';
import { comesByHttps } from './cookies.js';

/** A year, as ASVS 3.4.1 asks for. */
const HTTPS_ONLY = 'max-age=31536000; includeSubDomains';

/** Nothing here measures, films or pays by the browser. Passkeys and the clipboard stay as they are. */
const PERMISSIONS = [
  'accelerometer',
  'camera',
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
  .join(', ');

const POLICY = {
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'"],
  // Dialogs and notices bring style elements of their own.
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:', 'blob:'],
  fontSrc: ["'self'", 'data:'],
  // The live socket is at the own origin, which this covers with its ws: or wss: address.
  connectSrc: ["'self'"],
  frameSrc: ["'self'"],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
  // A library on a loopback address has no https to upgrade to.
  upgradeInsecureRequests: null,
};

/** The headers of every answer. A page with needs of its own sets another policy. */
export function securityHeaders(settings: Pick<Settings, 'PUBLIC_URL'>): RequestHandler[] {
  return [
    helmet({
      contentSecurityPolicy: { directives: POLICY },
      strictTransportSecurity: false,
      // The older header says what `frame-ancestors` says.
      xFrameOptions: { action: 'deny' },
    }),
    (request, response, next) => {
      response.setHeader('permissions-policy', PERMISSIONS);
      if (comesByHttps(request, settings)) response.setHeader('strict-transport-security', HTTPS_ONLY);
      next();
    },
  ];
}

/** Answers of the API are personal unless a handler says otherwise, as that of a cover does. */
export const keepNoCopy: RequestHandler = (_request, response, next) => {
  response.setHeader('cache-control', 'no-store');
  next();
};
