import { Secret, TOTP } from 'otpauth';
import { createHash, randomBytes } from 'node:crypto';
import { RECOVERY_CODES } from '#contracts/accounts/second-factor.js';

/** Seconds that one code is shown. */
const PERIOD = 30;
/** Steps before and after the present one whose codes are taken: clocks differ, and typing takes time. */
const WINDOW = 1;
/** Bytes of a secret, as RFC 4226 recommends. */
const SECRET_BYTES = 20;

/** What every app knows: HMAC-SHA-1, six digits, 30 seconds (RFC 6238). */
const totpOf = (secret: Secret, issuer = '', label = '') =>
  new TOTP({ secret, issuer, label, period: PERIOD, algorithm: 'SHA1', digits: 6 });

/** The secret of a new code app. */
export function newTotpSecret(): Buffer {
  return Buffer.from(new Secret({ size: SECRET_BYTES }).bytes);
}

/** A secret as a person types it, and as the address that an app reads from a QR code. */
export function totpForApps(
  secret: Buffer,
  issuer: string,
  username: string,
): { base32: string; uri: string } {
  const totp = totpOf(secretOf(secret), issuer, username);
  return { base32: totp.secret.base32, uri: totp.toString() };
}

/**
 * The time step that a code belongs to, or undefined for a wrong code and for one whose step is not after `lastStep`:
 * each code counts once.
 */
export function stepOfCode(secret: Buffer, code: string, now: Date, lastStep: number): number | undefined {
  const timestamp = now.getTime();
  const delta = totpOf(secretOf(secret)).validate({ token: code, timestamp, window: WINDOW });
  if (delta === null) return undefined;
  const step = Math.floor(timestamp / 1000 / PERIOD) + delta;
  return step > lastStep ? step : undefined;
}

function secretOf(secret: Buffer): Secret {
  return new Secret({ buffer: new Uint8Array(secret).buffer });
}

/** Without letters that pass for digits: Crockford's base32, in small letters. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 16 characters are 80 bits: nobody guesses one, nor finds it by its digest. */
const LENGTH = 16;

/** New codes for the day when phone and passkeys are gone, in groups of four. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    [...randomBytes(LENGTH)]
      .map((byte) => ALPHABET[byte % ALPHABET.length])
      .join('')
      .replace(/(.{4})(?=.)/g, '$1-'),
  );
}

/** What is stored of a code. Blanks, hyphens and capitals make no difference, nor the letters that pass for digits. */
export function recoveryCodeDigest(code: string): Buffer {
  const plain = code
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/o/g, '0')
    .replace(/[il]/g, '1');
  return createHash('sha256').update(plain).digest();
}
