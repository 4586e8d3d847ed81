import { Controller, Inject, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
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
import { BeginCodeApp, ConfirmCodeApp, RemoveCodeApp, RenewRecoveryCodes } from './code-app.commands.js';
import { BeginPasskeyConfirmation, ConfirmIdentity } from './confirm.commands.js';
import { AddPasskey, BeginPasskey, RemovePasskey, RenamePasskey } from './passkey.commands.js';
import { passkeyPlace } from './passkeys.js';
import { SecondFactorQueries } from './second-factor.queries.js';

/** The caller's second factors, and the proof that is asked for before something dangerous. */
@Controller()
export class SecondFactorController {
  constructor(
    private readonly commands: CommandBus,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    private readonly secondFactorQueries: SecondFactorQueries,
  ) {}

  @Serves(calls.confirmIdentity)
  @Recorded('identity confirmed')
  confirm(
    { caller, body }: Asked<typeof calls.confirmIdentity>,
    @Req() { headers }: Request,
  ): Promise<Confirmed> {
    return this.commands.execute(
      new ConfirmIdentity({ caller, proof: body, place: () => passkeyPlace(headers, this.settings) }),
    );
  }

  @Serves(calls.beginPasskeyConfirmation)
  confirmByPasskey(
    { caller }: Asked<typeof calls.beginPasskeyConfirmation>,
    @Req() { headers }: Request,
  ): Promise<PasskeyRequest> {
    return this.commands.execute(
      new BeginPasskeyConfirmation({
        accountId: caller.accountId,
        place: passkeyPlace(headers, this.settings),
      }),
    );
  }

  @Serves(calls.readSecondFactors)
  secondFactors({ caller }: Asked<typeof calls.readSecondFactors>): Promise<SecondFactors> {
    return this.secondFactorQueries.find(caller);
  }

  @Serves(calls.beginCodeApp)
  beginCodeApp({ caller }: Asked<typeof calls.beginCodeApp>): Promise<CodeApp> {
    return this.commands.execute(new BeginCodeApp({ caller }));
  }

  @Serves(calls.confirmCodeApp)
  @Recorded('code app added')
  confirmCodeApp({ caller, body }: Asked<typeof calls.confirmCodeApp>): Promise<RecoveryCodes> {
    return this.commands.execute(new ConfirmCodeApp({ caller, code: body.code }));
  }

  @Serves(calls.removeCodeApp)
  @Recorded('code app removed')
  async removeCodeApp({ caller }: Asked<typeof calls.removeCodeApp>): Promise<MessageAnswer> {
    await this.commands.execute(new RemoveCodeApp({ accountId: caller.accountId }));
    return { message: 'The authenticator app has been removed.' };
  }

  @Serves(calls.renewRecoveryCodes)
  @Recorded('recovery codes renewed')
  renewRecoveryCodes({ caller }: Asked<typeof calls.renewRecoveryCodes>): Promise<RecoveryCodes> {
    return this.commands.execute(new RenewRecoveryCodes({ accountId: caller.accountId }));
  }

  @Serves(calls.beginPasskey)
  beginPasskey(
    { caller }: Asked<typeof calls.beginPasskey>,
    @Req() { headers }: Request,
  ): Promise<PasskeyRequest> {
    return this.commands.execute(
      new BeginPasskey({ accountId: caller.accountId, place: passkeyPlace(headers, this.settings) }),
    );
  }

  @Serves(calls.addPasskey)
  @Recorded('passkey added')
  addPasskey(
    { caller, body }: Asked<typeof calls.addPasskey>,
    @Req() { headers }: Request,
  ): Promise<RecoveryCodes> {
    return this.commands.execute(
      new AddPasskey({ caller, place: passkeyPlace(headers, this.settings), body }),
    );
  }

  @Serves(calls.renamePasskey)
  async renamePasskey({ caller, params, body }: Asked<typeof calls.renamePasskey>): Promise<MessageAnswer> {
    await this.commands.execute(
      new RenamePasskey({ accountId: caller.accountId, id: params.id, name: body.name }),
    );
    return { message: 'The passkey has been renamed.' };
  }

  @Serves(calls.removePasskey)
  @Recorded('passkey removed')
  async removePasskey({ caller, params }: Asked<typeof calls.removePasskey>): Promise<MessageAnswer> {
    await this.commands.execute(new RemovePasskey({ accountId: caller.accountId, id: params.id }));
    return { message: 'The passkey has been removed.' };
  }
}
