import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { errors, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { tokenClaimsSchema, type Role, type TokenClaims } from '#contracts/accounts/account-views.js';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import type { Session, SignedIn } from '../http/access.js';
import { AccountCache } from './account-cache.js';

const ISSUER = 'lectern';
const ALGORITHM = 'HS256';
const SESSION_HOURS = 8;
const MAX_VERIFIED_TOKENS = 10_000;

/** Starts sessions and verifies tokens. */
@Injectable()
export class Sessions {
  private readonly key: Uint8Array;
  /** Claims by the digest of their token: the signature is checked once, the account's status every time. */
  private readonly verified = new LRUCache<string, TokenClaims>({ max: MAX_VERIFIED_TOKENS });

  constructor(
    @Inject(SETTINGS) settings: ResolvedSettings,
    private readonly clock: Clock,
    private readonly accounts: AccountCache,
  ) {
    this.key = new TextEncoder().encode(settings.JWT_SECRET);
  }

  /** Generates the token of a new session, valid for eight hours or until the account's sessions are ended. */
  async start(account: {
    id: string;
    username: string;
    roles: Role[];
    session: number;
  }): Promise<{ token: string; expiresAt: Date }> {
    const issued = Math.floor(this.clock.now().getTime() / 1000);
    const expires = issued + SESSION_HOURS * 3600;
    const [onlyRole, ...furtherRoles] = account.roles;
    const claims: TokenClaims = {
      sub: account.id,
      name: account.username,
      role: onlyRole !== undefined && furtherRoles.length === 0 ? onlyRole : account.roles,
      session: account.session,
      iat: issued,
      exp: expires,
    };
    const token = await new SignJWT({ ...claims })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setIssuer(ISSUER)
      .sign(this.key);
    return { token, expiresAt: new Date(expires * 1000) };
  }

  /**
   * The caller behind a token, with the account's current name and roles, not the token's.
   * @throws DomainError `NotSignedIn` for an unknown token, `SessionEnded` for one that expired or was revoked
   */
  async verify(token: string): Promise<Session> {
    const claims = await this.claims(token);
    const standing = await this.standing(claims.sub, claims.session);
    return { ...standing, expiresAt: new Date(claims.exp * 1000) };
  }

  /**
   * The current state of an account.
   * @throws DomainError `SessionEnded` if it is gone, or its sessions of this number have ended
   */
  async standing(accountId: string, session: number): Promise<SignedIn> {
    const account = await this.accounts.standing(accountId);
    if (account?.session !== session) throw sessionEnded();
    const { pseudonym, username, roles } = account;
    return { accountId, pseudonym, username, roles, session };
  }

  private async claims(token: string): Promise<TokenClaims> {
    const digest = createHash('sha256').update(token).digest('base64');
    const now = this.clock.now();
    const known = this.verified.get(digest);
    if (known) {
      if (known.exp * 1000 > now.getTime()) return known;
      this.verified.delete(digest);
      throw sessionEnded();
    }
    const claims = await this.checkSignature(token, now);
    this.verified.set(digest, claims);
    return claims;
  }

  private async checkSignature(token: string, now: Date): Promise<TokenClaims> {
    try {
      const { payload } = await jwtVerify(token, this.key, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        currentDate: now,
        requiredClaims: ['sub', 'iat', 'exp', 'session'],
      });
      return tokenClaimsSchema.parse(payload);
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw sessionEnded();
      throw new DomainError('NotSignedIn', 'Please sign in.');
    }
  }
}

function sessionEnded(): DomainError {
  return new DomainError('SessionEnded', 'Your session has ended. Please sign in again.');
}
