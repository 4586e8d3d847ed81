import * as m from '#words/messages.js';
import { Controller, Inject, Ip } from '@nestjs/common';
import * as calls from '#contracts/accounts/account-calls.js';
import type { PasswordCheck } from '#contracts/accounts/account-calls.js';
import type { MessageAnswer, SignedInUser } from '#contracts/accounts/account-views.js';
import type { LoginAnswer } from '#contracts/accounts/second-factor.js';
import { rateLimitName } from '#platform/database/entities/account-names.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import { addressKey } from '../http/address-key.js';
import { Recorded } from '../http/security-log.js';
import { type Asked, Serves } from '../http/serves.js';
import { AttemptLimits, mailboxOf } from './rate-limiting/attempt-limits.js';
import { PasswordCommands } from './passwords/password.commands.js';
import { FirstAdmin } from './first-admin.js';
import { RegistrationCommands } from './registration/registration.commands.js';
import { RegistrationQueries } from './registration/registration.queries.js';
import { Origin, type SessionOrigin } from './session-origin.js';
import { SignInCommands } from './sign-in.commands.js';
import { weaknessOf } from './passwords/weak-passwords.js';

/** Account calls open to guests (specification, section 7, "Account"). */
@Controller()
export class AccountController {
  constructor(
    private readonly limits: AttemptLimits,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    private readonly registrationQueries: RegistrationQueries,
    private readonly registrationCommands: RegistrationCommands,
    private readonly firstAdmin: FirstAdmin,
    private readonly passwordCommands: PasswordCommands,
    private readonly signInCommands: SignInCommands,
  ) {}

  @Serves(calls.register)
  @Recorded('registered')
  async register({ body }: Asked<typeof calls.register>, @Ip() ip: string): Promise<MessageAnswer> {
    await this.limits.register.take(addressKey(ip));
    await this.limits.registerOfMailbox.take(mailboxOf(body.email));
    await this.registrationCommands.registerReader(body);
    return {
      message: m.register_done(),
    };
  }

  @Serves(calls.makeFirstAdmin)
  @Recorded('first admin made')
  async makeFirstAdmin(
    { body }: Asked<typeof calls.makeFirstAdmin>,
    @Origin() origin: SessionOrigin,
  ): Promise<SignedInUser> {
    await this.limits.register.take(origin.source.address);
    return this.firstAdmin.make(body, origin);
  }

  @Serves(calls.checkRegistration)
  async checkRegistration(
    { body }: Asked<typeof calls.checkRegistration>,
    @Ip() ip: string,
  ): Promise<MessageAnswer> {
    await this.limits.checkRegistration.take(addressKey(ip));
    await this.registrationQueries.find(body.username, body.email);
    return { message: m.register_both_free() };
  }

  @Serves(calls.confirmEmail)
  @Recorded('address confirmed')
  async confirmEmail({ body }: Asked<typeof calls.confirmEmail>): Promise<MessageAnswer> {
    await this.registrationCommands.confirmEmail(body.userId, body.token);
    return { message: m.register_email_confirmed() };
  }

  @Serves(calls.resendConfirmation)
  async resendConfirmation(
    { body }: Asked<typeof calls.resendConfirmation>,
    @Ip() ip: string,
  ): Promise<MessageAnswer> {
    await this.limits.resend.take(addressKey(ip));
    await this.limits.resendOfName.take(rateLimitName(body.username));
    await this.registrationCommands.resendConfirmation(body.username);
    // The same response for every name: the call must not reveal who has an account.
    return { message: m.register_resent_if_unconfirmed() };
  }

  @Serves(calls.forgotPassword)
  @Recorded('password link asked for')
  async forgotPassword(
    { body: { email } }: Asked<typeof calls.forgotPassword>,
    @Ip() ip: string,
  ): Promise<MessageAnswer> {
    await this.limits.forgotPassword.take(addressKey(ip));
    await this.limits.forgotPasswordOfMailbox.take(mailboxOf(email));
    await this.passwordCommands.askForNewPassword(email);
    // The same response for every address: the call must not reveal who has an account.
    return { message: m.password_link_sent_if_known() };
  }

  @Serves(calls.resetPassword)
  @Recorded('password reset')
  async resetPassword(
    { body }: Asked<typeof calls.resetPassword>,
    @Origin() origin: SessionOrigin,
  ): Promise<MessageAnswer> {
    await this.limits.resetPassword.take(origin.source.address);
    await this.passwordCommands.resetPassword(body, origin);
    return { message: m.password_changed_sign_in() };
  }

  @Serves(calls.checkPassword)
  async checkPassword(
    { body: { password, ...owner } }: Asked<typeof calls.checkPassword>,
    @Ip() ip: string,
  ): Promise<PasswordCheck> {
    await this.limits.checkPassword.take(addressKey(ip));
    return {
      weakness: (await weaknessOf(password, owner)) ?? null,
      refused: this.settings.NODE_ENV === 'production',
    };
  }

  @Serves(calls.logIn)
  @Recorded((answer: LoginAnswer) => ('token' in answer ? 'signed in' : 'second factor asked for'))
  login({ body }: Asked<typeof calls.logIn>, @Origin() origin: SessionOrigin): Promise<LoginAnswer> {
    return this.signInCommands.signIn(body.username, body.password, origin);
  }
}
