import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, SETTINGS } from '#platform/tokens.js';
import { AttemptLimit } from './attempt-limit.js';

const QUARTER_OF_AN_HOUR = 15 * 60 * 1000;

/** The rate limits of public calls. Behind a proxy, `TRUST_PROXY` must be set, or all callers share one address. */
@Injectable()
export class AttemptLimits {
  /** Wrong sign-ins, by name and address: a stranger elsewhere cannot lock a reader out. */
  readonly signIn: AttemptLimit;
  /** Wrong codes, passkeys and confirmations, by account: who gets there has its password, or a session of it. */
  readonly secondFactor: AttemptLimit;
  /** New accounts, by address: generous, since a whole school may share one. */
  readonly register: AttemptLimit;
  /** Requests for another confirmation e-mail, by address. */
  readonly resend: AttemptLimit;
  /** Requests for a password link, by the caller's address. */
  readonly forgotPassword: AttemptLimit;
  /** The same by e-mail address: nobody can flood a mailbox from many addresses. */
  readonly forgotPasswordOfMailbox: AttemptLimit;
  /** New passwords, by address: each costs a hash. */
  readonly resetPassword: AttemptLimit;

  constructor(
    @Inject(DATABASE) database: Database,
    clock: Clock,
    @Inject(SETTINGS) { JWT_SECRET }: ResolvedSettings,
  ) {
    // A separate key: the one that signs sessions hashes nothing else.
    const secret = createHmac('sha256', JWT_SECRET).update('limits of attempts').digest('hex');
    const perQuarter = (what: string, attempts: number) =>
      new AttemptLimit({ what, attempts, windowMs: QUARTER_OF_AN_HOUR }, database, clock, secret);
    this.signIn = perQuarter('sign-in', 10);
    this.secondFactor = perQuarter('second-factor', 8);
    this.register = perQuarter('register', 100);
    this.resend = perQuarter('resend-confirmation', 20);
    this.forgotPassword = perQuarter('forgot-password', 20);
    this.forgotPasswordOfMailbox = perQuarter('forgot-password-of-mailbox', 5);
    this.resetPassword = perQuarter('reset-password', 20);
  }
}
