import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { PreviousSecret } from '#platform/settings.js';
import { keptSecret, writeDurably } from './durable-file.js';
import { readOwn } from './own-files.js';

/** Files of the data folder: the secret that signs, and those before it. */
export const SESSION_SECRET_FILES = { current: 'jwt-secret', previous: 'jwt-secret-previous' } as const;

const MOST_PREVIOUS = 10;

const previousSchema = z.array(z.object({ secret: z.string().min(32), until: z.coerce.date() }));

const makeSecret = () => randomBytes(48).toString('base64url');

/** The secret that signs sessions where no setting names one, made on first use. */
export function keptSessionSecret(folder: string): string {
  return keptSecret(join(folder, SESSION_SECRET_FILES.current), makeSecret);
}

/** @throws an Error that names the file where it is damaged */
export function keptPreviousSecrets(folder: string): PreviousSecret[] {
  const file = join(folder, SESSION_SECRET_FILES.previous);
  if (!existsSync(file)) return [];
  try {
    return previousSchema.parse(JSON.parse(readOwn(file)));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `${file} cannot be read (${code ?? 'damaged'}). Without it, those who are signed in may have to do so again, and ` +
        'code apps may have to be set up anew: bring it back from a backup, or remove it.',
      { cause: error },
    );
  }
}

/**
 * Makes a new secret in place of the kept one. Nobody may use the folder meanwhile: what a running product signs with
 * the old one afterwards would not be accepted for long enough.
 * @param until when what the old secrets signed is accepted for the last time
 */
export function rotateSessionSecret(folder: string, until: Date): void {
  const earlier = keptPreviousSecrets(folder).map(({ secret, until: end }) => ({
    secret,
    until: end && end < until ? end : until,
  }));
  // First, so that a kill between the two loses nobody's session. Those that sign nothing any longer stay too: what
  // they encrypted is encrypted anew at the next start only.
  const previous = [{ secret: keptSessionSecret(folder), until }, ...earlier].slice(0, MOST_PREVIOUS);
  writeDurably(join(folder, SESSION_SECRET_FILES.previous), JSON.stringify(previous));
  writeDurably(join(folder, SESSION_SECRET_FILES.current), makeSecret());
}
