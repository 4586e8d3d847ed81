import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Put, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Request } from 'express';
import { messageAnswerSchema, type MessageAnswer } from '#contracts/accounts/account-views.js';
import {
  codeAppSchema,
  codeBodySchema,
  confirmBodySchema,
  confirmedSchema,
  newPasskeyBodySchema,
  passkeyIdSchema,
  passkeyNameBodySchema,
  passkeyRequestSchema,
  recoveryCodesSchema,
  secondFactorsSchema,
  type CodeApp,
  type CodeBody,
  type ConfirmBody,
  type Confirmed,
  type NewPasskeyBody,
  type PasskeyNameBody,
  type PasskeyRequest,
  type RecoveryCodes,
  type SecondFactors,
} from '#contracts/accounts/second-factor.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import { Allow, Caller, ConfirmedWithin, OpenToEnrol, type SignedIn } from '../../http/access.js';
import { Answers } from '../../http/answers.js';
import { Recorded } from '../../http/security-log.js';
import { valid } from '../../http/validation.js';
import { BeginCodeApp, ConfirmCodeApp, RemoveCodeApp, RenewRecoveryCodes } from './code-app.commands.js';
import { BeginPasskeyConfirmation, ConfirmIdentity } from './confirm.commands.js';
import { AddPasskey, BeginPasskey, RemovePasskey, RenamePasskey } from './passkey.commands.js';
import { passkeyPlace } from './passkeys.js';
import { GetSecondFactors } from './second-factor.queries.js';

/** The caller's second factors, and the proof that is asked for before something dangerous. */
@Controller('Account')
@Allow('SignedIn')
@OpenToEnrol()
export class SecondFactorController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
  ) {}

  @Post('confirm')
  @Recorded('identity confirmed')
  @HttpCode(200)
  @Answers(confirmedSchema)
  confirm(
    @Caller() caller: SignedIn,
    @Body(valid(confirmBodySchema)) body: ConfirmBody,
    @Req() { headers }: Request,
  ): Promise<Confirmed> {
    return this.commands.execute(
      new ConfirmIdentity(caller, body, () => passkeyPlace(headers, this.settings)),
    );
  }

  @Post('confirm/passkey-options')
  @HttpCode(200)
  @Answers(passkeyRequestSchema)
  confirmByPasskey(@Caller() { accountId }: SignedIn, @Req() { headers }: Request): Promise<PasskeyRequest> {
    return this.commands.execute(
      new BeginPasskeyConfirmation(accountId, passkeyPlace(headers, this.settings)),
    );
  }

  @Get('second-factor')
  @Answers(secondFactorsSchema)
  secondFactors(@Caller() caller: SignedIn): Promise<SecondFactors> {
    return this.queries.execute(new GetSecondFactors(caller));
  }

  @Post('second-factor/code-app')
  @ConfirmedWithin()
  @Answers(codeAppSchema)
  beginCodeApp(@Caller() caller: SignedIn): Promise<CodeApp> {
    return this.commands.execute(new BeginCodeApp(caller));
  }

  @Post('second-factor/code-app/confirm')
  @Recorded('code app added')
  @HttpCode(200)
  @ConfirmedWithin()
  @Answers(recoveryCodesSchema)
  confirmCodeApp(
    @Caller() caller: SignedIn,
    @Body(valid(codeBodySchema)) { code }: CodeBody,
  ): Promise<RecoveryCodes> {
    return this.commands.execute(new ConfirmCodeApp(caller, code));
  }

  @Delete('second-factor/code-app')
  @Recorded('code app removed')
  @ConfirmedWithin()
  @Answers(messageAnswerSchema)
  async removeCodeApp(@Caller() { accountId }: SignedIn): Promise<MessageAnswer> {
    await this.commands.execute(new RemoveCodeApp(accountId));
    return { message: 'The code app is removed.' };
  }

  @Post('second-factor/recovery-codes')
  @Recorded('recovery codes renewed')
  @ConfirmedWithin()
  @Answers(recoveryCodesSchema)
  renewRecoveryCodes(@Caller() { accountId }: SignedIn): Promise<RecoveryCodes> {
    return this.commands.execute(new RenewRecoveryCodes(accountId));
  }

  @Post('second-factor/passkeys/options')
  @HttpCode(200)
  @ConfirmedWithin()
  @Answers(passkeyRequestSchema)
  beginPasskey(@Caller() { accountId }: SignedIn, @Req() { headers }: Request): Promise<PasskeyRequest> {
    return this.commands.execute(new BeginPasskey(accountId, passkeyPlace(headers, this.settings)));
  }

  @Post('second-factor/passkeys')
  @Recorded('passkey added')
  @ConfirmedWithin()
  @Answers(recoveryCodesSchema)
  addPasskey(
    @Caller() caller: SignedIn,
    @Body(valid(newPasskeyBodySchema)) body: NewPasskeyBody,
    @Req() { headers }: Request,
  ): Promise<RecoveryCodes> {
    return this.commands.execute(new AddPasskey(caller, passkeyPlace(headers, this.settings), body));
  }

  @Put('second-factor/passkeys/:id')
  @ConfirmedWithin()
  @Answers(messageAnswerSchema)
  async renamePasskey(
    @Caller() { accountId }: SignedIn,
    @Param(valid(passkeyIdSchema)) { id }: { id: string },
    @Body(valid(passkeyNameBodySchema)) { name }: PasskeyNameBody,
  ): Promise<MessageAnswer> {
    await this.commands.execute(new RenamePasskey(accountId, id, name));
    return { message: 'The passkey has its new name.' };
  }

  @Delete('second-factor/passkeys/:id')
  @Recorded('passkey removed')
  @ConfirmedWithin()
  @Answers(messageAnswerSchema)
  async removePasskey(
    @Caller() { accountId }: SignedIn,
    @Param(valid(passkeyIdSchema)) { id }: { id: string },
  ): Promise<MessageAnswer> {
    await this.commands.execute(new RemovePasskey(accountId, id));
    return { message: 'The passkey is removed.' };
  }
}
