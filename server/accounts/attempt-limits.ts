import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock.js';
import { AttemptLimit } from './attempt-limit.js';

const QUARTER_OF_AN_HOUR = 15 * 60 * 1000;

/** The limits on calls that anybody may make. Behind a proxy, `TRUST_PROXY` has to be set, or all callers share one address. */
@Injectable()
export class AttemptLimits {
  /** Wrong sign-ins, by name and address: a stranger elsewhere cannot lock a reader out. */
  readonly signIn: AttemptLimit;
  /** New accounts, by address: generous, since a whole school may share one. */
  readonly register: AttemptLimit;
  /** Confirmation e-mails asked for again, by address. */
  readonly resend: AttemptLimit;
  /** Links for a new password asked for, by address of the caller. */
  readonly forgotPassword: AttemptLimit;
  /** The same by e-mail address: nobody's mailbox is filled from many places at once. */
  readonly forgotPasswordOfMailbox: AttemptLimit;
  /** New passwords set, by address: each costs the work of a hash. */
  readonly resetPassword: AttemptLimit;

  constructor(clock: Clock) {
    const perQuarter = (attempts: number) =>
      new AttemptLimit({ attempts, windowMs: QUARTER_OF_AN_HOUR }, clock);
    this.signIn = perQuarter(10);
    this.register = perQuarter(100);
    this.resend = perQuarter(20);
    this.forgotPassword = perQuarter(20);
    this.forgotPasswordOfMailbox = perQuarter(5);
    this.resetPassword = perQuarter(20);
  }
}

/** What wrong sign-ins are counted by. */
export function signInKey(ip: string, name: string): string {
  return `${ip} ${name.toLowerCase()}`;
}

/** Whether that key is of one of these names, from wherever. */
export function isSignInKeyOf(names: string[], key: string): boolean {
  const name = key.slice(key.indexOf(' ') + 1);
  return names.some((each) => each.toLowerCase() === name);
}
