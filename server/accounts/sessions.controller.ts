import { Controller } from '@nestjs/common';
import * as m from '#words/messages.js';
import * as calls from '#contracts/accounts/account-calls.js';
import type { SessionView } from '#contracts/accounts/account-calls.js';
import type { MessageAnswer } from '#contracts/accounts/account-views.js';
import { DomainError } from '#contracts/domain-error.js';
import { Recorded } from '../http/security-log.js';
import { type Asked, Serves } from '../http/serves.js';
import { PasswordCommands } from './passwords/password.commands.js';
import { Origin, type SessionOrigin } from './session-origin.js';
import { SessionsCommands } from './sessions/sessions.commands.js';
import { SessionsQueries } from './sessions/sessions.queries.js';

/** What the caller's own account is secured by: their password and their sessions. */
@Controller()
export class SessionsController {
  constructor(
    private readonly sessionsQueries: SessionsQueries,
    private readonly sessionsCommands: SessionsCommands,
    private readonly passwordCommands: PasswordCommands,
  ) {}

  @Serves(calls.logOut)
  @Recorded('signed out')
  async logOut({ caller }: Asked<typeof calls.logOut>) {
    const address = await this.sessionsCommands.logOut(caller.accountId, caller.sid);
    return { message: m.account_signed_out(), address };
  }

  @Serves(calls.chooseLanguage)
  async chooseLanguage({ caller, body }: Asked<typeof calls.chooseLanguage>): Promise<MessageAnswer> {
    await this.sessionsCommands.chooseLanguage(caller.accountId, body.language);
    return { message: m.account_language_chosen() };
  }

  @Serves(calls.changePassword)
  @Recorded('password changed')
  async changePassword(
    { caller, body }: Asked<typeof calls.changePassword>,
    @Origin() origin: SessionOrigin,
  ): Promise<MessageAnswer> {
    await this.passwordCommands.changePassword(caller, body, origin);
    return { message: m.password_changed() };
  }

  @Serves(calls.listSessions)
  list({ caller }: Asked<typeof calls.listSessions>): Promise<SessionView[]> {
    return this.sessionsQueries.find(caller);
  }

  @Serves(calls.endOtherSessions)
  @Recorded('other sessions ended')
  async endOthers({ caller }: Asked<typeof calls.endOtherSessions>): Promise<MessageAnswer> {
    await this.sessionsCommands.endSomeSessions(caller.accountId, { allBut: caller.sid });
    return { message: m.security_signed_out_elsewhere() };
  }

  @Serves(calls.endSession)
  @Recorded('session ended')
  async end({ caller, params }: Asked<typeof calls.endSession>): Promise<MessageAnswer> {
    const ended = await this.sessionsCommands.endSomeSessions(caller.accountId, { only: params.id });
    if (ended === 0) throw new DomainError('NotFound', m.security_session_unknown());
    return { message: m.security_session_ended() };
  }
}
