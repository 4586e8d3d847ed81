import { hkdfSync } from 'node:crypto';
import { errors, jwtVerify, type JWTPayload, type JWTVerifyOptions, type SignJWT } from 'jose';
import type { PreviousSecret, ResolvedSettings } from './settings.js';

type SigningSecrets = Pick<ResolvedSettings, 'JWT_SECRET'> &
  Partial<Pick<ResolvedSettings, 'JWT_SECRET_PREVIOUS' | 'storedPreviousSecrets'>>;

interface Key {
  bytes: Uint8Array;
  until?: Date;
}

/**
 * The keys of one kind of token: JWT_SECRET signs, and what it was before still verifies for as long as that is
 * accepted, so that a change of it signs nobody out.
 */
export class SigningKeys {
  private readonly current: Uint8Array;
  private readonly accepted: readonly Key[];

  /** @param purpose of tokens other than sessions: each kind has keys of its own, and none is taken for another */
  constructor(settings: SigningSecrets, purpose?: string) {
    const bytes = (secret: string) =>
      purpose === undefined ? new TextEncoder().encode(secret) : derivedKey(secret, purpose);
    this.current = bytes(settings.JWT_SECRET);
    const previous: PreviousSecret[] = [
      ...(settings.JWT_SECRET_PREVIOUS ?? []).map((secret) => ({ secret })),
      ...(settings.storedPreviousSecrets ?? []),
    ];
    this.accepted = [
      { bytes: this.current },
      ...previous.map(({ secret, until }) => ({ bytes: bytes(secret), ...(until && { until }) })),
    ];
  }

  sign(token: SignJWT): Promise<string> {
    return token.sign(this.current);
  }

  /**
   * @returns what the token claims; it is valid no longer than the key that signed it
   * @throws an error of jose for a token that does not hold
   */
  async verify(token: string, options: JWTVerifyOptions & { currentDate: Date }): Promise<JWTPayload> {
    let refusal: unknown;
    for (const { bytes, until } of this.accepted) {
      if (until && until <= options.currentDate) continue;
      try {
        const { payload } = await jwtVerify(token, bytes, options);
        if (until === undefined || payload.exp === undefined) return payload;
        return { ...payload, exp: Math.min(payload.exp, Math.floor(until.getTime() / 1000)) };
      } catch (error) {
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
        refusal = error;
      }
    }
    throw refusal;
  }
}

/** A key for one purpose, from which neither the secret nor any other key can be found. */
export function derivedKey(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', `lectern: ${purpose}`, 32));
}
