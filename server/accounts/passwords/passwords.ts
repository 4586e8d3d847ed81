import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** OWASP's parameters for argon2id, the library's default algorithm: 19 MiB, two passes, one lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A password as it is stored: an argon2id hash with its salt and parameters. */
export function hashPassword(password: string): Promise<string> {
  return hash(normalized(password), PARAMETERS);
}

/** A hash that no password matches. Made at load, so that even the first unknown name takes no longer than a known one. */
const nobodysHash = hashPassword(randomBytes(24).toString('base64url'));
nobodysHash.catch(() => undefined);

/**
 * Whether the password matches the hash. Without a hash, because there is no such account, it does the same work and
 * returns false: its duration must not reveal who has an account.
 */
export async function passwordMatches(stored: string | undefined, password: string): Promise<boolean> {
  const against = stored ?? (await nobodysHash);
  const matches = await verify(against, normalized(password));
  return stored !== undefined && matches;
}

/** One form for what looks the same: keyboards send `ó` as one character or as two (NIST SP 800-63B). */
function normalized(password: string): string {
  return password.normalize('NFKC');
}
