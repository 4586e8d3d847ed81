import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '#platform/settings.js';
import { keptSecret } from './durable-file.js';

/** The file of the data folder with the secret that encrypts the secrets of code apps. */
export const SECOND_FACTOR_SECRET_FILE = 'second-factor-secret';

/**
 * The secret that encrypts the secrets of code apps, made on first use. It is apart from the one that signs sessions, so
 * that this can be changed at any time. Where JWT_SECRET is set, the data folder may be no lasting one, and there is none.
 */
export function keptSecondFactorSecret(
  folder: string,
  { SECOND_FACTOR_SECRET, JWT_SECRET }: Pick<Settings, 'SECOND_FACTOR_SECRET' | 'JWT_SECRET'>,
): Pick<Settings, 'SECOND_FACTOR_SECRET'> {
  const file = join(folder, SECOND_FACTOR_SECRET_FILE);
  if (SECOND_FACTOR_SECRET !== undefined) return { SECOND_FACTOR_SECRET };
  if (JWT_SECRET !== undefined && !existsSync(file)) return {};
  return { SECOND_FACTOR_SECRET: keptSecret(file, () => randomBytes(48).toString('base64url')) };
}
