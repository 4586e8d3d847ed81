import { Body, Controller, HttpCode, Inject, Ip, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  checkPasswordBodySchema,
  confirmEmailBodySchema,
  forgotPasswordBodySchema,
  loginBodySchema,
  resendConfirmationBodySchema,
  resetPasswordBodySchema,
  type CheckPasswordBody,
  type ConfirmEmailBody,
  type ForgotPasswordBody,
  type LoginBody,
  type RegisterBody,
  type ResendConfirmationBody,
  type ResetPasswordBody,
} from '#contracts/accounts/account-requests.js';
import {
  messageAnswerSchema,
  passwordCheckSchema,
  type MessageAnswer,
  type PasswordCheck,
} from '#contracts/accounts/account-views.js';
import { loginAnswerSchema, type LoginAnswer } from '#contracts/accounts/second-factor.js';
import { rateLimitName } from '#platform/database/entities/account-names.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import { addressKey } from '../http/address-key.js';
import { Answers } from '../http/answers.js';
import { Recorded } from '../http/security-log.js';
import { valid } from '../http/validation.js';
import { Allow } from '../http/access.js';
import { AttemptLimits, mailboxOf } from './rate-limiting/attempt-limits.js';
import { AskForNewPassword, ResetPassword } from './passwords/password.commands.js';
import { registrationSchema } from './registration/registration-request.js';
import { ConfirmEmail, RegisterReader, ResendConfirmation } from './registration/registration.commands.js';
import { Origin } from './origin.js';
import type { SessionOrigin } from './session-origin.js';
import { SignIn } from './sign-in.commands.js';
import { weaknessOf } from './passwords/weak-passwords.js';

/** Account calls open to guests (specification, section 7, "Account"). */
@Controller('Account')
@Allow('Everybody')
export class AccountController {
  constructor(
    private readonly commands: CommandBus,
    private readonly limits: AttemptLimits,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
  ) {}

  @Post('register')
  @Recorded('registered')
  @Answers(messageAnswerSchema)
  async register(
    @Body(valid(registrationSchema)) body: RegisterBody,
    @Ip() ip: string,
  ): Promise<MessageAnswer> {
    await this.limits.register.take(addressKey(ip));
    await this.limits.registerOfMailbox.take(mailboxOf(body.email));
    await this.commands.execute(new RegisterReader(body));
    return {
      message: 'Registration successful. We have sent you an e-mail with a link that confirms your address.',
    };
  }

  @Post('confirm-email')
  @Recorded('address confirmed')
  @HttpCode(200)
  @Answers(messageAnswerSchema)
  async confirmEmail(@Body(valid(confirmEmailBodySchema)) body: ConfirmEmailBody): Promise<MessageAnswer> {
    await this.commands.execute(new ConfirmEmail(body.userId, body.token));
    return { message: 'Your e-mail address is confirmed. You can log in now.' };
  }

  @Post('resend-confirmation-email')
  @HttpCode(200)
  @Answers(messageAnswerSchema)
  async resendConfirmation(
    @Body(valid(resendConfirmationBodySchema)) body: ResendConfirmationBody,
    @Ip() ip: string,
  ): Promise<MessageAnswer> {
    await this.limits.resend.take(addressKey(ip));
    await this.limits.resendOfName.take(rateLimitName(body.username));
    await this.commands.execute(new ResendConfirmation(body.username));
    // The same response for every name: the call must not reveal who has an account.
    return { message: 'If that account is waiting for its confirmation, a new e-mail is on its way.' };
  }

  @Post('forgot-password')
  @Recorded('password link asked for')
  @HttpCode(200)
  @Answers(messageAnswerSchema)
  async forgotPassword(
    @Body(valid(forgotPasswordBodySchema)) { email }: ForgotPasswordBody,
    @Ip() ip: string,
  ): Promise<MessageAnswer> {
    await this.limits.forgotPassword.take(addressKey(ip));
    await this.limits.forgotPasswordOfMailbox.take(mailboxOf(email));
    await this.commands.execute(new AskForNewPassword(email));
    // The same response for every address: the call must not reveal who has an account.
    return { message: 'If there is an account with this address, an e-mail with a link is on its way.' };
  }

  @Post('reset-password')
  @Recorded('password reset')
  @HttpCode(200)
  @Answers(messageAnswerSchema)
  async resetPassword(
    @Body(valid(resetPasswordBodySchema)) body: ResetPasswordBody,
    @Origin() origin: SessionOrigin,
  ): Promise<MessageAnswer> {
    await this.limits.resetPassword.take(origin.source.address);
    await this.commands.execute(new ResetPassword(body, origin));
    return { message: 'Your password is changed. Please log in with the new one.' };
  }

  @Post('check-password')
  @HttpCode(200)
  @Answers(passwordCheckSchema)
  async checkPassword(
    @Body(valid(checkPasswordBodySchema)) { password, ...owner }: CheckPasswordBody,
    @Ip() ip: string,
  ): Promise<PasswordCheck> {
    await this.limits.checkPassword.take(addressKey(ip));
    return {
      weakness: (await weaknessOf(password, owner)) ?? null,
      refused: this.settings.NODE_ENV === 'production',
    };
  }

  @Post('login')
  @Recorded((answer: LoginAnswer) => ('token' in answer ? 'signed in' : 'second factor asked for'))
  @HttpCode(200)
  @Answers(loginAnswerSchema)
  login(
    @Body(valid(loginBodySchema)) body: LoginBody,
    @Origin() origin: SessionOrigin,
  ): Promise<LoginAnswer> {
    return this.commands.execute(new SignIn(body.username, body.password, origin));
  }
}
