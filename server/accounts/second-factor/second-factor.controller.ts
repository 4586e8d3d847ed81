import * as m from '#words/messages.js';
import { Controller, Inject, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { MessageAnswer } from '#contracts/accounts/account-views.js';
import * as calls from '#contracts/accounts/second-factor.js';
import type {
  CodeApp,
  Confirmed,
  PasskeyRequest,
  RecoveryCodes,
  SecondFactors,
} from '#contracts/accounts/second-factor.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import { Recorded } from '../../http/security-log.js';
import { Serves, type Asked } from '../../http/serves.js';
import { CodeAppCommands } from './code-app.commands.js';
import { ConfirmCommands } from './confirm.commands.js';
import { PasskeyCommands } from './passkey.commands.js';
import { passkeyPlace } from './passkeys.js';
import { SecondFactorQueries } from './second-factor.queries.js';

/** The caller's second factors, and the proof that is asked for before something dangerous. */
@Controller()
export class SecondFactorController {
  constructor(
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    private readonly secondFactorQueries: SecondFactorQueries,
    private readonly confirmCommands: ConfirmCommands,
    private readonly codeAppCommands: CodeAppCommands,
    private readonly passkeyCommands: PasskeyCommands,
  ) {}

  @Serves(calls.confirmIdentity)
  @Recorded('identity confirmed')
  confirm(
    { caller, body }: Asked<typeof calls.confirmIdentity>,
    @Req() { headers }: Request,
  ): Promise<Confirmed> {
    return this.confirmCommands.confirmIdentity(caller, body, () => passkeyPlace(headers, this.settings));
  }

  @Serves(calls.beginPasskeyConfirmation)
  confirmByPasskey(
    { caller }: Asked<typeof calls.beginPasskeyConfirmation>,
    @Req() { headers }: Request,
  ): Promise<PasskeyRequest> {
    return this.confirmCommands.beginPasskeyConfirmation(
      caller.accountId,
      passkeyPlace(headers, this.settings),
    );
  }

  @Serves(calls.readSecondFactors)
  secondFactors({ caller }: Asked<typeof calls.readSecondFactors>): Promise<SecondFactors> {
    return this.secondFactorQueries.find(caller);
  }

  @Serves(calls.beginCodeApp)
  beginCodeApp({ caller }: Asked<typeof calls.beginCodeApp>): Promise<CodeApp> {
    return this.codeAppCommands.beginCodeApp(caller);
  }

  @Serves(calls.confirmCodeApp)
  @Recorded('code app added')
  confirmCodeApp({ caller, body }: Asked<typeof calls.confirmCodeApp>): Promise<RecoveryCodes> {
    return this.codeAppCommands.confirmCodeApp(caller, body.code);
  }

  @Serves(calls.removeCodeApp)
  @Recorded('code app removed')
  async removeCodeApp({ caller }: Asked<typeof calls.removeCodeApp>): Promise<MessageAnswer> {
    await this.codeAppCommands.removeCodeApp(caller.accountId);
    return { message: m.security_app_removed() };
  }

  @Serves(calls.renewRecoveryCodes)
  @Recorded('recovery codes renewed')
  renewRecoveryCodes({ caller }: Asked<typeof calls.renewRecoveryCodes>): Promise<RecoveryCodes> {
    return this.codeAppCommands.renewRecoveryCodes(caller.accountId);
  }

  @Serves(calls.beginPasskey)
  beginPasskey(
    { caller }: Asked<typeof calls.beginPasskey>,
    @Req() { headers }: Request,
  ): Promise<PasskeyRequest> {
    return this.passkeyCommands.beginPasskey(caller.accountId, passkeyPlace(headers, this.settings));
  }

  @Serves(calls.addPasskey)
  @Recorded('passkey added')
  addPasskey(
    { caller, body }: Asked<typeof calls.addPasskey>,
    @Req() { headers }: Request,
  ): Promise<RecoveryCodes> {
    return this.passkeyCommands.addPasskey(caller, passkeyPlace(headers, this.settings), body);
  }

  @Serves(calls.renamePasskey)
  async renamePasskey({ caller, params, body }: Asked<typeof calls.renamePasskey>): Promise<MessageAnswer> {
    await this.passkeyCommands.renamePasskey(caller.accountId, params.id, body.name);
    return { message: m.security_passkey_renamed() };
  }

  @Serves(calls.removePasskey)
  @Recorded('passkey removed')
  async removePasskey({ caller, params }: Asked<typeof calls.removePasskey>): Promise<MessageAnswer> {
    await this.passkeyCommands.removePasskey(caller.accountId, params.id);
    return { message: m.security_passkey_removed() };
  }
}
