import type { Settings } from './settings.js';

/**
 * Where people reach this installation, without a slash at the end: `PUBLIC_URL`, or else what follows from
 * `HOST` and `PORT`.
 */
export function publicUrl(settings: Pick<Settings, 'PUBLIC_URL' | 'HOST' | 'PORT'>): string {
  if (settings.PUBLIC_URL) return settings.PUBLIC_URL.replace(/\/+$/, '');
  const { HOST, PORT } = settings;
  // What listens on every address is reached from the same machine by this name.
  const everywhere = ['0.0.0.0', '::', '[::]'].includes(HOST);
  const host = everywhere ? 'localhost' : HOST.includes(':') && !HOST.startsWith('[') ? `[${HOST}]` : HOST;
  return `http://${host}:${PORT}`;
}
