import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import * as m from '#words/messages.js';
import type { PreviousSecret, Settings } from '#platform/settings.js';
import { storedSecret, writeDurably, readPrivate } from './private-files.js';
import { SharedSecret } from '#platform/shared-secret.js';

/** Files of the data folder: the secret that signs, and those before it. */
export const SESSION_SECRET_FILES = { current: 'jwt-secret', previous: 'jwt-secret-previous' } as const;

const MAX_PREVIOUS = 10;

const previousSchema = z.array(z.object({ secret: z.string().min(32), until: z.coerce.date() }));

const makeSecret = () => randomBytes(48).toString('base64url');

/** The secret that signs sessions where no setting names one, made on first use. */
export function storedSessionSecret(folder: string): string {
  return storedSecret(join(folder, SESSION_SECRET_FILES.current), makeSecret);
}

/** @throws an Error that names the file where it is damaged */
export function storedPreviousSecrets(folder: string): PreviousSecret[] {
  const file = join(folder, SESSION_SECRET_FILES.previous);
  if (!existsSync(file)) return [];
  try {
    return previousSchema.parse(JSON.parse(readPrivate(file)));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(m.start_previous_secrets_unreadable({ file, code: code ?? m.start_damaged() }), {
      cause: error,
    });
  }
}

/**
 * Makes a new secret in place of the kept one. Nobody may use the folder meanwhile: what a running product signs with
 * the old one afterwards would not be accepted for long enough.
 * @param until when what the old secrets signed is accepted for the last time
 */
export function rotateSessionSecret(folder: string, until: Date): void {
  const earlier = storedPreviousSecrets(folder).map(({ secret, until: end }) => ({
    secret,
    until: end && end < until ? end : until,
  }));
  // First, so that a kill between the two loses nobody's session. Those that sign nothing any longer stay too: what
  // they encrypted is encrypted anew at the next start only.
  const previous = [{ secret: storedSessionSecret(folder), until }, ...earlier].slice(0, MAX_PREVIOUS);
  writeDurably(join(folder, SESSION_SECRET_FILES.previous), JSON.stringify(previous));
  writeDurably(join(folder, SESSION_SECRET_FILES.current), makeSecret());
}

/** The file of the data folder with the secret that encrypts the secrets of code apps. */
export const SECOND_FACTOR_SECRET_FILE = 'second-factor-secret';

/**
 * The secret that encrypts the secrets of code apps, made on first use. It is apart from the one that signs sessions, so
 * that this can be changed at any time. Where JWT_SECRET is set, the data folder may be no lasting one, and there is none.
 */
export function storedSecondFactorSecret(
  folder: string,
  { SECOND_FACTOR_SECRET, JWT_SECRET }: Pick<Settings, 'SECOND_FACTOR_SECRET' | 'JWT_SECRET'>,
): Pick<Settings, 'SECOND_FACTOR_SECRET'> {
  const file = join(folder, SECOND_FACTOR_SECRET_FILE);
  if (SECOND_FACTOR_SECRET !== undefined) return { SECOND_FACTOR_SECRET };
  if (JWT_SECRET !== undefined && !existsSync(file)) return {};
  return { SECOND_FACTOR_SECRET: storedSecret(file, () => randomBytes(48).toString('base64url')) };
}

/**
 * Makes a new secret of the embedded event store. A product that runs takes it up by itself.
 * @param old whether the one before is still accepted, for a minute
 * @returns its file
 */
export function rotateStoreSecret(folder: string, old: 'accepted' | 'refused'): string {
  const file = join(folder, 'event-store-secret');
  const before = old === 'accepted' && existsSync(file) ? [new SharedSecret(file).current] : [];
  writeDurably(file, [randomBytes(48).toString('base64url'), ...before].join('\n'));
  return file;
}
