import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  changePasswordBodySchema,
  sessionIdSchema,
  type ChangePasswordBody,
} from '#contracts/accounts/account-requests.js';
import {
  messageAnswerSchema,
  sessionViewsSchema,
  type MessageAnswer,
  type SessionView,
} from '#contracts/accounts/account-views.js';
import { DomainError } from '#contracts/domain-error.js';
import { Answers } from '../http/answers.js';
import { Allow, Caller, OpenToEnrol, type SignedIn } from '../http/access.js';
import { Recorded } from '../http/security-log.js';
import { valid } from '../http/validation.js';
import { ChangePassword } from './passwords/change-password.command.js';
import { Origin } from './origin.js';
import type { SessionOrigin } from './session-origin.js';
import { EndSomeSessions } from './sessions/sessions.commands.js';
import { ListSessions } from './sessions/sessions.queries.js';

/** What the caller's own account is secured by: their password and their sessions. */
@Controller('Account')
@Allow('SignedIn')
export class SessionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('logout')
  @OpenToEnrol()
  @Recorded('logged out')
  @HttpCode(200)
  @Answers(messageAnswerSchema)
  async logOut(@Caller() caller: SignedIn): Promise<MessageAnswer> {
    await this.commands.execute(new EndSomeSessions(caller.accountId, { only: caller.sid }));
    return { message: 'You are logged out.' };
  }

  @Post('change-password')
  @Recorded('password changed')
  @HttpCode(200)
  @Answers(messageAnswerSchema)
  async changePassword(
    @Caller() caller: SignedIn,
    @Body(valid(changePasswordBodySchema)) body: ChangePasswordBody,
    @Origin() origin: SessionOrigin,
  ): Promise<MessageAnswer> {
    await this.commands.execute(new ChangePassword(caller, body, origin));
    return { message: 'Your password is changed. All other sessions have ended.' };
  }

  @Get('sessions')
  @Answers(sessionViewsSchema)
  list(@Caller() caller: SignedIn): Promise<SessionView[]> {
    return this.queries.execute(new ListSessions(caller));
  }

  @Post('sessions/end-others')
  @Recorded('other sessions ended')
  @HttpCode(200)
  @Answers(messageAnswerSchema)
  async endOthers(@Caller() caller: SignedIn): Promise<MessageAnswer> {
    await this.commands.execute(new EndSomeSessions(caller.accountId, { allBut: caller.sid }));
    return { message: 'All other sessions have ended.' };
  }

  @Delete('sessions/:id')
  @Recorded('session ended')
  @Answers(messageAnswerSchema)
  async end(
    @Caller() caller: SignedIn,
    @Param(valid(sessionIdSchema)) { id }: { id: string },
  ): Promise<MessageAnswer> {
    const ended = await this.commands.execute(new EndSomeSessions(caller.accountId, { only: id }));
    if (ended === 0)
      throw new DomainError('NotFound', 'You have no such session. It may have ended already.');
    return { message: 'The session has ended.' };
  }
}
