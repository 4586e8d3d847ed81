import * as m from '#words/messages.js';
import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { errors } from 'jose';
import { LRUCache } from 'lru-cache';
import { tokenClaimsSchema, type SignedInUser, type TokenClaims } from '#contracts/accounts/account-views.js';
import { BUILT_IN } from '#contracts/permissions.js';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SigningKeys } from '#platform/signing-keys.js';
import { DATABASE, SETTINGS } from '#platform/tokens.js';
import { lruLimit } from '#platform/lru-limit.js';
import type { Session, SignedIn } from '../../http/access.js';
import { ALGORITHM, beginSession, ISSUER, type ProvenAccount, type SessionGiven } from './begin-session.js';
import { GuessLimits } from '../rate-limiting/guess-limits.js';
import { SessionCache, type SessionStanding } from './session-cache.js';
import { idleMs, LAST_USE_WRITE_INTERVAL_MS } from './session-idle.js';
import { isOfStaff } from '../rights.js';
import type { SessionOrigin } from '../session-origin.js';

const MAX_VERIFIED_TOKENS = 10_000;

/** Starts sessions and verifies tokens. */
@Injectable()
export class Sessions {
  private readonly keys: SigningKeys;
  /** Claims by the digest of their token: the signature is checked once, the session's status every time. */
  private readonly verified = new LRUCache<string, TokenClaims>(lruLimit(MAX_VERIFIED_TOKENS));

  constructor(
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    @Inject(DATABASE) private readonly database: Database,
    private readonly clock: Clock,
    private readonly cache: SessionCache,
    private readonly guesses: GuessLimits,
  ) {
    this.keys = new SigningKeys(settings);
  }

  /**
   * Starts a session of an account whose owner has just proved who they are.
   * @param given whether by a second factor too
   * @throws DomainError `WrongCredentials` if what they proved it by was changed meanwhile
   */
  async start(
    account: ProvenAccount,
    origin: SessionOrigin,
    given: SessionGiven = {},
  ): Promise<{ sid: string; token: string; expiresAt: Date }> {
    const begun = await beginSession(this.database, this.keys, account, origin, this.clock.now(), given);
    if (!begun) throw new DomainError('WrongCredentials', m.sign_in_wrong());
    await this.guesses.known.remember(account.id, origin.source);
    return begun;
  }

  /** The same, as a login answers it. @throws DomainError `WrongCredentials` */
  async signIn(
    account: ProvenAccount,
    origin: SessionOrigin,
    given: SessionGiven = {},
  ): Promise<{ sid: string; user: SignedInUser }> {
    const { sid, token, expiresAt } = await this.start(account, origin, given);
    const { id, username, roles, language } = account;
    const { permissions, mustAddSecondFactor } = await this.standing(sid);
    const may = { roles, permissions: [...permissions], ...(mustAddSecondFactor && { mustAddSecondFactor }) };
    return { sid, user: { id, username, token, language, expiresAt: expiresAt.toISOString(), ...may } };
  }

  /**
   * The caller behind a token, with the account's current name and rights, not the token's.
   * @throws DomainError `NotSignedIn` for an unknown token, `SessionEnded` for one that expired or was revoked
   */
  async verify(token: string): Promise<Session> {
    // Each call comes by here, most of them with a token and a session that are known: nothing is waited for then.
    const digest = hash('sha256', token, 'base64');
    const claims = this.verifiedClaims(digest) ?? (await this.checkSignature(token, digest));
    const known = this.cache.known(claims.sid);
    const standing = known && !this.hasEnded(known) ? known : await this.liveStanding(claims.sid);
    if (standing?.accountId !== claims.sub || standing.session !== claims.session) throw sessionEnded();
    return { ...this.callerOf(claims.sid, standing), expiresAt: new Date(claims.exp * 1000) };
  }

  /**
   * The owner of a session, with the account's current name and rights.
   * @throws DomainError `SessionEnded`
   */
  async standing(sid: string): Promise<SignedIn> {
    const standing = await this.liveStanding(sid);
    if (!standing) throw sessionEnded();
    return this.callerOf(sid, standing);
  }

  /** Notes that a session was used: at most once a minute in the database, and nobody waits for it. */
  use(sid: string): void {
    const now = this.clock.now();
    if (!this.cache.noteUse(sid, now, LAST_USE_WRITE_INTERVAL_MS)) return;
    this.database
      .query('update session set last_used = $2 where id = $1 and last_used < $2', [sid, now])
      .catch(() => this.cache.forget(sid));
  }

  /** The session's standing if it has not ended, by its absolute end or because nobody used it. */
  private async liveStanding(sid: string): Promise<SessionStanding | undefined> {
    const known = await this.cache.get(sid);
    if (!known || !this.hasEnded(known)) return known;
    // Another server may have written a later use meanwhile.
    const stored = await this.cache.fresh(sid);
    return stored && !this.hasEnded(stored) ? stored : undefined;
  }

  private callerOf(sid: string, standing: SessionStanding): SignedIn {
    const { accountId, pseudonym, username, authenticatedAt, confirmedAt, secondFactorAt } = standing;
    const isStaff = isOfStaff(standing.rights);
    const isSafe = standing.hasSecondFactor || standing.hasSecondFactorElsewhere;
    const mustAddSecondFactor = isStaff && !isSafe && this.settings.STAFF_MFA === 'required';
    const roles = mustAddSecondFactor ? ['Reader' as const] : standing.roles;
    const rights = mustAddSecondFactor ? BUILT_IN.Reader : standing.rights;
    return {
      ...{ accountId, pseudonym, username, roles, sid, authenticatedAt, confirmedAt, secondFactorAt },
      ...{ ...rights, isStaff, mustAddSecondFactor },
    };
  }

  private hasEnded({ rights, lastUsed, expires }: SessionStanding): boolean {
    const now = this.clock.now().getTime();
    return now >= expires.getTime() || now - lastUsed.getTime() > idleMs(this.settings, isOfStaff(rights));
  }

  /** The claims of a token whose signature was checked before. */
  private verifiedClaims(digest: string): TokenClaims | undefined {
    const known = this.verified.get(digest);
    if (!known || known.exp * 1000 > this.clock.now().getTime()) return known;
    this.verified.delete(digest);
    throw sessionEnded();
  }

  private async checkSignature(token: string, digest: string): Promise<TokenClaims> {
    const claims = await this.signedClaims(token);
    this.verified.set(digest, claims);
    return claims;
  }

  private async signedClaims(token: string): Promise<TokenClaims> {
    const now = this.clock.now();
    try {
      const payload = await this.keys.verify(token, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        currentDate: now,
        requiredClaims: ['sub', 'iat', 'exp', 'session'],
      });
      return tokenClaimsSchema.parse(payload);
    } catch (error) {
      if (error instanceof DomainError) throw error;
      if (error instanceof errors.JWTExpired) throw sessionEnded();
      throw new DomainError('NotSignedIn', m.account_please_sign_in());
    }
  }
}

function sessionEnded(): DomainError {
  return new DomainError('SessionEnded', m.sign_in_session_ended());
}
