import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock.js';
import { AttemptLimit } from './attempt-limit.js';

const QUARTER_OF_AN_HOUR = 15 * 60 * 1000;

/** The limits on calls that anybody may make. Behind a proxy the app has to trust it, or all callers share one address. */
@Injectable()
export class AttemptLimits {
  /** Wrong sign-ins, by name and address: a stranger elsewhere cannot lock a reader out. */
  readonly signIn: AttemptLimit;
  /** New accounts, by address: generous, since a whole school may share one. */
  readonly register: AttemptLimit;
  /** Confirmation e-mails asked for again, by address. */
  readonly resend: AttemptLimit;

  constructor(clock: Clock) {
    this.signIn = new AttemptLimit({ attempts: 10, windowMs: QUARTER_OF_AN_HOUR }, clock);
    this.register = new AttemptLimit({ attempts: 100, windowMs: QUARTER_OF_AN_HOUR }, clock);
    this.resend = new AttemptLimit({ attempts: 20, windowMs: QUARTER_OF_AN_HOUR }, clock);
  }
}
