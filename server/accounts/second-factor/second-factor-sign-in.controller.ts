import { Body, Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Request } from 'express';
import { signedInUserSchema, type SignedInUser } from '#contracts/accounts/account-views.js';
import {
  passkeyLoginBodySchema,
  passkeyOptionsBodySchema,
  passkeyRequestSchema,
  secondFactorBodySchema,
  type PasskeyLoginBody,
  type PasskeyOptionsBody,
  type PasskeyRequest,
  type SecondFactorBody,
} from '#contracts/accounts/second-factor.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import { Allow } from '../../http/access.js';
import { Answers } from '../../http/answers.js';
import { Recorded } from '../../http/security-log.js';
import { valid } from '../../http/validation.js';
import { AttemptLimits } from '../rate-limiting/attempt-limits.js';
import { GuessLimits } from '../rate-limiting/guess-limits.js';
import { Origin } from '../origin.js';
import type { SessionOrigin } from '../session-origin.js';
import { passkeyPlace } from './passkeys.js';
import {
  BeginPasskeySignIn,
  SignInWithPasskey,
  SignInWithSecondFactor,
} from './second-factor-sign-in.commands.js';

/** The second step of a login, and the login by a passkey alone. */
@Controller('Account/login')
@Allow('Everybody')
export class SecondFactorSignInController {
  constructor(
    private readonly commands: CommandBus,
    private readonly limits: AttemptLimits,
    private readonly guesses: GuessLimits,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
  ) {}

  @Post('second-factor')
  @Recorded('signed in')
  @HttpCode(200)
  @Answers(signedInUserSchema)
  secondFactor(
    @Body(valid(secondFactorBodySchema)) body: SecondFactorBody,
    @Req() { headers }: Request,
    @Origin() origin: SessionOrigin,
  ): Promise<SignedInUser> {
    const place = () => passkeyPlace(headers, this.settings);
    return this.commands.execute(new SignInWithSecondFactor(body, place, origin));
  }

  @Post('passkey-options')
  @HttpCode(200)
  @Answers(passkeyRequestSchema)
  async passkeyOptions(
    @Body(valid(passkeyOptionsBodySchema)) { ticket }: PasskeyOptionsBody,
    @Req() { headers }: Request,
    @Origin() { source }: SessionOrigin,
  ): Promise<PasskeyRequest> {
    if (ticket === undefined) {
      const isKnown = await this.guesses.known.isBrowserOfSomebody(source);
      await this.limits.passkeySignIn.take(isKnown ? `browser ${source.browser}` : source.address);
    }
    return this.commands.execute(new BeginPasskeySignIn(passkeyPlace(headers, this.settings), ticket));
  }

  @Post('passkey')
  @Recorded('signed in')
  @HttpCode(200)
  @Answers(signedInUserSchema)
  passkey(
    @Body(valid(passkeyLoginBodySchema)) body: PasskeyLoginBody,
    @Req() { headers }: Request,
    @Origin() origin: SessionOrigin,
  ): Promise<SignedInUser> {
    return this.commands.execute(new SignInWithPasskey(body, passkeyPlace(headers, this.settings), origin));
  }
}
