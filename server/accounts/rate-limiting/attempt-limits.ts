import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { derivedKey } from '#platform/signing-keys.js';
import { DATABASE, SETTINGS } from '#platform/tokens.js';
import { AttemptLimit } from './attempt-limit.js';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CountWrongListLink } from '../../catalogue/lists/wrong-link.command.js';
import { CountDeviceCode } from '../../self-service/devices/count-device-code.command.js';

const QUARTER_OF_AN_HOUR = 15 * 60 * 1000;

/** A mailbox, whatever is added to its name: `anna+books@…` is `anna@…`. */
export function mailboxOf(email: string): string {
  return email.toLowerCase().replace(/\+[^@]*(?=@[^@]*$)/, '');
}

/** The rate limits of public calls. Behind a proxy, `TRUST_PROXY` must be set, or all callers share one address. */
@Injectable()
export class AttemptLimits {
  /** Wrong confirmations in a session, and first codes of an app, by account: nobody gets there without a session. */
  readonly confirmation: AttemptLimit;
  /** Logins begun by a passkey alone, by known browser or by address: each keeps a challenge for five minutes, for anybody who asks. */
  readonly passkeySignIn: AttemptLimit;
  /** Sign-ons begun at a provider and logouts told by one, by address: each asks the provider. */
  readonly signOn: AttemptLimit;
  /** New accounts, by address: generous, since a whole school may share one. */
  readonly register: AttemptLimit;
  /** Questions whether a name and an address are free, by address: a form asks once a step, a stranger who collects them often. */
  readonly checkRegistration: AttemptLimit;
  /** Letters to a mailbox that strangers may name, of new accounts. */
  readonly registerOfMailbox: AttemptLimit;
  /** Requests for another confirmation email, by address. */
  readonly resend: AttemptLimit;
  /** The same by username, which one mailbox has: also by one that nobody has. */
  readonly resendOfName: AttemptLimit;
  /** Requests for a password link, by the caller's address. */
  readonly forgotPassword: AttemptLimit;
  /** The same by email address: nobody can flood a mailbox from many addresses. */
  readonly forgotPasswordOfMailbox: AttemptLimit;
  /** Questions whether a password is weak, by address: a form asks while somebody types. */
  readonly checkPassword: AttemptLimit;
  /** New passwords, by address: each costs a hash. */
  readonly resetPassword: AttemptLimit;
  /** Links to readers' lists that lead nowhere, by address: a link that ended is opened by a whole class. */
  readonly listLink: AttemptLimit;
  /** Codes of kiosks, by address and of all together: each is one of a hundred million, and open for ten minutes. */
  readonly deviceCode: AttemptLimit;
  readonly deviceCodes: AttemptLimit;
  /** Wrong PINs of a card, and at a device. */
  readonly pinOfCard: AttemptLimit;
  readonly pinAtDevice: AttemptLimit;

  constructor(
    @Inject(DATABASE) database: Database,
    clock: Clock,
    @Inject(SETTINGS) { JWT_SECRET }: ResolvedSettings,
  ) {
    // A separate key: the one that signs sessions hashes nothing else.
    const secret = derivedKey(JWT_SECRET, 'limits of attempts');
    const perQuarter = (what: string, attempts: number) =>
      new AttemptLimit({ what, attempts, windowMs: QUARTER_OF_AN_HOUR }, database, clock, secret);
    this.confirmation = perQuarter('confirmation', 8);
    this.passkeySignIn = perQuarter('passkey-sign-in', 300);
    this.signOn = perQuarter('sign-on', 1_000);
    this.register = perQuarter('register', 100);
    this.checkRegistration = perQuarter('check-registration', 100);
    this.registerOfMailbox = perQuarter('register-of-mailbox', 5);
    this.resend = perQuarter('resend-confirmation', 20);
    this.resendOfName = perQuarter('resend-confirmation-of-name', 3);
    this.forgotPassword = perQuarter('forgot-password', 20);
    this.forgotPasswordOfMailbox = perQuarter('forgot-password-of-mailbox', 5);
    this.checkPassword = perQuarter('check-password', 300);
    this.resetPassword = perQuarter('reset-password', 20);
    this.listLink = perQuarter('list-link', 100);
    this.deviceCode = perQuarter('device-code', 20);
    this.deviceCodes = perQuarter('device-codes', 200);
    this.pinOfCard = perQuarter('pin-of-card', 5);
    this.pinAtDevice = perQuarter('pin-at-device', 30);
  }
}

@CommandHandler(CountWrongListLink)
export class CountWrongListLinkHandler implements ICommandHandler<CountWrongListLink> {
  constructor(private readonly limits: AttemptLimits) {}

  /** @throws TooManyAttempts */
  async execute({ address }: CountWrongListLink): Promise<void> {
    await this.limits.listLink.take(address);
  }
}

@CommandHandler(CountDeviceCode)
export class CountDeviceCodeHandler implements ICommandHandler<CountDeviceCode> {
  constructor(private readonly limits: AttemptLimits) {}

  /** @throws TooManyAttempts */
  async execute({ address }: CountDeviceCode): Promise<void> {
    await this.limits.deviceCode.take(address);
    await this.limits.deviceCodes.take('all');
  }
}
