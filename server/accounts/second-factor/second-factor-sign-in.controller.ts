import { Controller, Inject, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { SignedInUser } from '#contracts/accounts/account-views.js';
import * as calls from '#contracts/accounts/second-factor.js';
import type { PasskeyRequest } from '#contracts/accounts/second-factor.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import { Recorded } from '../../http/security-log.js';
import { type Asked, Serves } from '../../http/serves.js';
import { AttemptLimits } from '../rate-limiting/attempt-limits.js';
import { GuessLimits } from '../rate-limiting/guess-limits.js';
import { Origin, type SessionOrigin } from '../session-origin.js';
import { passkeyPlace } from './passkeys.js';
import { SecondFactorSignInCommands } from './second-factor-sign-in.commands.js';

/** The second step of a login, and the login by a passkey alone. */
@Controller()
export class SecondFactorSignInController {
  constructor(
    private readonly limits: AttemptLimits,
    private readonly guesses: GuessLimits,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    private readonly secondFactorSignInCommands: SecondFactorSignInCommands,
  ) {}

  @Serves(calls.giveSecondFactor)
  @Recorded('signed in')
  secondFactor(
    { body }: Asked<typeof calls.giveSecondFactor>,
    @Req() { headers }: Request,
    @Origin() origin: SessionOrigin,
  ): Promise<SignedInUser> {
    const place = () => passkeyPlace(headers, this.settings);
    return this.secondFactorSignInCommands.signInWithSecondFactor(body, place, origin);
  }

  @Serves(calls.beginPasskeyLogin)
  async passkeyOptions(
    { body: { ticket } }: Asked<typeof calls.beginPasskeyLogin>,
    @Req() { headers }: Request,
    @Origin() { source }: SessionOrigin,
  ): Promise<PasskeyRequest> {
    if (ticket === undefined) {
      const isKnown = await this.guesses.known.isBrowserOfSomebody(source);
      await this.limits.passkeySignIn.take(isKnown ? `browser ${source.browser}` : source.address);
    }
    return this.secondFactorSignInCommands.beginPasskeySignIn(passkeyPlace(headers, this.settings), ticket);
  }

  @Serves(calls.logInByPasskey)
  @Recorded('signed in')
  passkey(
    { body }: Asked<typeof calls.logInByPasskey>,
    @Req() { headers }: Request,
    @Origin() origin: SessionOrigin,
  ): Promise<SignedInUser> {
    return this.secondFactorSignInCommands.signInWithPasskey(
      body,
      passkeyPlace(headers, this.settings),
      origin,
    );
  }
}
