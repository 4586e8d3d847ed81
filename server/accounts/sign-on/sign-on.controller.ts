import { Controller, Inject, Ip, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { MessageAnswer } from '#contracts/accounts/account-views.js';
import * as calls from '#contracts/accounts/sign-on.js';
import type { SignOnAnswer, SignOnView } from '#contracts/accounts/sign-on.js';
import type { SignOnOutcome } from '#contracts/accounts/sign-on-providers.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import * as m from '#words/messages.js';
import { addressKey } from '../../http/address-key.js';
import { askedOrigin } from '../../http/asked-origin.js';
import { Recorded } from '../../http/security-log.js';
import { Serves, type Asked } from '../../http/serves.js';
import { AttemptLimits } from '../rate-limiting/attempt-limits.js';
import { Origin, type SessionOrigin } from '../session-origin.js';
import { OpenIdProvider } from './open-id.js';
import { SignOnFailed } from './provider-fetch.js';
import { SignOnProviders } from './providers.js';
import { SignOnCommands } from './sign-on.commands.js';
import { SignOnLogoutCommands } from './sign-on-logout.commands.js';

const whatHappened = (answer: SignOnAnswer) =>
  'token' in answer
    ? 'signed in'
    : 'person' in answer
      ? 'account begun'
      : 'confirmed' in answer
        ? 'identity confirmed'
        : 'second factor asked for';

/** Signing in elsewhere, by OpenID Connect, and where that can be done. */
@Controller()
export class SignOnController {
  constructor(
    private readonly providers: SignOnProviders,
    private readonly signOn: SignOnCommands,
    private readonly logout: SignOnLogoutCommands,
    private readonly limits: AttemptLimits,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
  ) {}

  @Serves(calls.listSignOns)
  async offered() {
    const providers = await this.providers.offered();
    return {
      providers: providers.map(({ key, name }) => ({ key, name })),
      staffOnly: this.settings.STAFF_SSO === 'required',
    };
  }

  @Serves(calls.beginSignOn)
  async begin(
    { params: { key }, body }: Asked<typeof calls.beginSignOn>,
    @Origin() origin: SessionOrigin,
    @Req() request: Request,
  ) {
    await this.limits.signOn.take(origin.source.address);
    return { address: await this.signOn.begin(key, body, origin, askedOrigin(request, this.settings)) };
  }

  @Serves(calls.confirmBySignOn)
  async confirm(
    { params: { key }, caller: { accountId, sid } }: Asked<typeof calls.confirmBySignOn>,
    @Origin() origin: SessionOrigin,
    @Req() request: Request,
  ) {
    await this.limits.signOn.take(origin.source.address);
    const home = askedOrigin(request, this.settings);
    return { address: await this.signOn.begin(key, {}, origin, home, { accountId, sid }) };
  }

  @Serves(calls.returnFromSignOn)
  back({ params: { key }, query }: Asked<typeof calls.returnFromSignOn>, @Res() response: Response): void {
    // Behind the #, so that the code is sent nowhere else; and the page's own call has the cookie that no other site's may have.
    response.redirect(
      303,
      `/#/sign-on/${key}?${new URLSearchParams(query as Record<string, string>).toString()}`,
    );
  }

  @Serves(calls.completeSignOn)
  @Recorded(whatHappened)
  complete(
    { params: { key }, body }: Asked<typeof calls.completeSignOn>,
    @Origin() origin: SessionOrigin,
  ): Promise<SignOnAnswer> {
    return this.signOn.complete(key, body, origin);
  }

  @Serves(calls.registerBySignOn)
  @Recorded(whatHappened)
  async register(
    { params: { key }, body }: Asked<typeof calls.registerBySignOn>,
    @Origin() origin: SessionOrigin,
  ): Promise<SignOnAnswer> {
    await this.limits.register.take(origin.source.address);
    return this.signOn.register(key, body, origin);
  }

  @Serves(calls.signOnEnded)
  @Recorded('sessions ended by their provider')
  async ended(
    { params: { key }, body }: Asked<typeof calls.signOnEnded>,
    @Ip() ip: string,
  ): Promise<MessageAnswer> {
    await this.limits.signOn.take(addressKey(ip));
    await this.logout.end(key, body.logout_token);
    return { message: m.account_signed_out() };
  }

  @Serves(calls.readProviders)
  read(): Promise<SignOnView> {
    return this.providers.view();
  }

  @Serves(calls.changeProviders)
  @Recorded('providers of sign-on changed')
  change({ caller, body }: Asked<typeof calls.changeProviders>): Promise<SignOnView> {
    return this.providers.change(body.providers, caller.accountId, body.version);
  }

  @Serves(calls.tryProvider)
  async try(
    { params: { key } }: Asked<typeof calls.tryProvider>,
    @Req() request: Request,
  ): Promise<{ outcome: SignOnOutcome }> {
    const provider = await this.providers.open(key, { isTrial: true });
    const { back } = calls.addressesFor(askedOrigin(request, this.settings), key);
    try {
      await (await OpenIdProvider.find(provider, this.providers.isNamed)).try(back);
      return { outcome: 'good' };
    } catch (error) {
      if (error instanceof SignOnFailed) return { outcome: error.outcome };
      throw error;
    }
  }
}
