import type { Request } from 'express';
import { publicUrl } from '#platform/public-url.js';
import type { Settings } from '#platform/settings.js';

/** The address of the site that a caller used: a page of our own opens there. */
export function askedOrigin(
  request: Request,
  settings: Pick<Settings, 'PUBLIC_URL' | 'HOST' | 'PORT'>,
): string {
  const host = request.get('host');
  if (settings.PUBLIC_URL !== undefined || host === undefined) return publicUrl(settings);
  return `${request.protocol}://${host}`;
}
