import { Body, Controller, HttpCode, Ip, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  confirmEmailBodySchema,
  forgotPasswordBodySchema,
  loginBodySchema,
  resendConfirmationBodySchema,
  resetPasswordBodySchema,
  type ConfirmEmailBody,
  type ForgotPasswordBody,
  type LoginBody,
  type RegisterBody,
  type ResendConfirmationBody,
  type ResetPasswordBody,
} from '#contracts/accounts/account-requests.js';
import {
  messageAnswerSchema,
  signedInUserSchema,
  type MessageAnswer,
  type SignedInUser,
} from '#contracts/accounts/account-views.js';
import { DomainError } from '#contracts/domain-error.js';
import { Answers } from '../http/answers.js';
import { Recorded } from '../http/security-log.js';
import { valid } from '../http/validation.js';
import { Allow } from '../http/access.js';
import { AttemptLimits } from './attempt-limits.js';
import { AskForNewPassword, ResetPassword } from './password.commands.js';
import { registrationSchema } from './registration-request.js';
import { ConfirmEmail, RegisterReader, ResendConfirmation } from './registration.commands.js';
import { Origin, type SessionOrigin } from './session-origin.js';
import { SignIn } from './sign-in.commands.js';

/** Account calls open to guests (specification, section 7, "Account"). */
@Controller('Account')
@Allow('Everybody')
export class AccountController {
  constructor(
    private readonly commands: CommandBus,
    private readonly limits: AttemptLimits,
  ) {}

  @Post('register')
  @Recorded('registered')
  @Answers(messageAnswerSchema)
  async register(
    @Body(valid(registrationSchema)) body: RegisterBody,
    @Ip() ip: string,
  ): Promise<MessageAnswer> {
    await this.limits.register.take(ip);
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
    return { message: 'Your e-mail address is confirmed. You can sign in now.' };
  }

  @Post('resend-confirmation-email')
  @HttpCode(200)
  @Answers(messageAnswerSchema)
  async resendConfirmation(
    @Body(valid(resendConfirmationBodySchema)) body: ResendConfirmationBody,
    @Ip() ip: string,
  ): Promise<MessageAnswer> {
    await this.limits.resend.take(ip);
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
    await this.limits.forgotPassword.take(ip);
    await this.limits.forgotPasswordOfMailbox.take(email.toLowerCase());
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
    @Ip() ip: string,
  ): Promise<MessageAnswer> {
    await this.limits.resetPassword.take(ip);
    await this.commands.execute(new ResetPassword(body));
    return { message: 'Your password is changed. Please sign in with the new one.' };
  }

  @Post('login')
  @Recorded('signed in')
  @HttpCode(200)
  @Answers(signedInUserSchema)
  async login(
    @Body(valid(loginBodySchema)) body: LoginBody,
    @Ip() ip: string,
    @Origin() origin: SessionOrigin,
  ): Promise<SignedInUser> {
    const attempt = `${ip} ${body.username.toLowerCase()}`;
    await this.limits.signIn.take(attempt, body.username);
    try {
      const user = await this.commands.execute(new SignIn(body.username, body.password, origin));
      await this.limits.signIn.forget(attempt);
      return user;
    } catch (error) {
      const knewThePassword = error instanceof DomainError && error.code === 'EmailNotConfirmed';
      if (knewThePassword) await this.limits.signIn.forget(attempt);
      throw error;
    }
  }
}
