import { createHash, randomBytes } from 'node:crypto';
import { RECOVERY_CODES } from '#contracts/accounts/second-factor.js';

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
