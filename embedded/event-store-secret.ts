import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SharedSecret } from '#platform/shared-secret.js';
import { writeDurably } from './durable-file.js';

/**
 * Makes a new secret of the embedded event store. A product that runs takes it up by itself.
 * @param old whether the one before is still accepted, for a minute
 * @returns its file
 */
export function renewStoreSecret(folder: string, old: 'accepted' | 'refused'): string {
  const file = join(folder, 'event-store-secret');
  const before = old === 'accepted' && existsSync(file) ? [new SharedSecret(file).current] : [];
  writeDurably(file, [randomBytes(48).toString('base64url'), ...before].join('\n'));
  return file;
}
