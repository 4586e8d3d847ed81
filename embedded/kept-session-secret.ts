import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { PreviousSecret } from '#platform/settings.js';
import { keptSecret, writeDurably } from './durable-file.js';

/** Files of the data folder: the secret that signs, and those before it whose tokens have not all run out. */
export const SESSION_SECRET_FILES = { current: 'jwt-secret', previous: 'jwt-secret-previous' } as const;

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
    return previousSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `${file} cannot be read (${code ?? 'damaged'}). Without it those who are signed in have to do so again: ` +
        'remove it to let them.',
      { cause: error },
    );
  }
}

/**
 * Makes a new secret in place of the kept one. Nobody may use the folder meanwhile: what a running product signs with
 * the old one afterwards would not be accepted for long enough.
 * @param until when the last token that the old secret signed runs out; nothing where it is not accepted any longer
 */
export function rotateSessionSecret(folder: string, now: Date, until: Date | undefined): void {
  const current = join(folder, SESSION_SECRET_FILES.current);
  const previous = join(folder, SESSION_SECRET_FILES.previous);
  if (until === undefined) rmSync(previous, { force: true });
  else {
    const still = keptPreviousSecrets(folder).filter((each) => each.until && each.until > now);
    // First, so that a kill between the two loses nobody's session.
    writeDurably(previous, JSON.stringify([{ secret: keptSessionSecret(folder), until }, ...still]));
  }
  writeDurably(current, makeSecret());
}
