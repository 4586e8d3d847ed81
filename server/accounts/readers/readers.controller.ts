import { Body, Controller, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  accountIdSchema,
  rolesBodySchema,
  type ReaderEdit,
  type RolesBody,
} from '#contracts/accounts/account-requests.js';
import {
  type RoleChangesQuery,
  messageAnswerSchema,
  readerListQuerySchema,
  readerPageSchema,
  readerSchema,
  roleChangesQuerySchema,
  roleChangesSchema,
  type MessageAnswer,
  type Reader,
  type ReaderListQuery,
  type RoleChange,
} from '#contracts/accounts/account-views.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Paged } from '#contracts/paging.js';
import { Answers } from '../../http/answers.js';
import { Recorded } from '../../http/security-log.js';
import { valid } from '../../http/validation.js';
import { Allow, Caller, ConfirmedWithin, type SignedIn } from '../../http/access.js';
import { checkedReaderEditSchema, EditReader } from './edit-reader.command.js';
import { GetReader, ListReaders, RoleChanges } from './readers.queries.js';
import { SetRoles } from './roles.commands.js';
import { EndSessions } from '../sessions/sessions.commands.js';

/** Readers and their roles (specification, section 7, "Users"). */
@Controller('User')
export class ReadersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Allow('Admin')
  @Answers(readerPageSchema)
  list(@Query(valid(readerListQuerySchema)) query: ReaderListQuery): Promise<Paged<Reader>> {
    return this.queries.execute(new ListReaders(query));
  }

  @Get('userId/:id')
  @Allow('SignedIn')
  @Answers(readerSchema)
  async get(
    @Caller() caller: SignedIn,
    @Param(valid(accountIdSchema)) { id }: { id: string },
  ): Promise<Reader> {
    refuseStrangers(caller, id);
    return this.queries.execute(new GetReader(id));
  }

  @Put()
  @Allow('SignedIn')
  @Answers(readerSchema)
  async edit(
    @Caller() caller: SignedIn,
    @Query(valid(accountIdSchema)) { id }: { id: string },
    @Body(valid(checkedReaderEditSchema)) edit: ReaderEdit,
  ): Promise<Reader> {
    refuseStrangers(caller, id);
    return this.commands.execute(new EditReader(id, edit, caller.roles.includes('Admin')));
  }

  @Put('roles')
  @Recorded('roles changed')
  @Allow('Admin')
  @ConfirmedWithin()
  @Answers(readerSchema)
  setRoles(
    @Caller() caller: SignedIn,
    @Query(valid(accountIdSchema)) { id }: { id: string },
    @Body(valid(rolesBodySchema)) { roles }: RolesBody,
  ): Promise<Reader> {
    return this.commands.execute(new SetRoles(id, roles, caller.accountId));
  }

  @Post('end-sessions')
  @Recorded('sessions ended')
  @HttpCode(200)
  @Allow('SignedIn')
  @Answers(messageAnswerSchema)
  async endSessions(
    @Caller() caller: SignedIn,
    @Query(valid(accountIdSchema)) { id }: { id: string },
  ): Promise<MessageAnswer> {
    refuseStrangers(caller, id);
    await this.commands.execute(new EndSessions(id));
    return { message: 'Logged out on every device.' };
  }

  @Get('role-changes')
  @Allow('Admin', 'Auditor')
  @Answers(roleChangesSchema)
  roleChanges(@Query(valid(roleChangesQuerySchema)) query: RoleChangesQuery): Promise<RoleChange[]> {
    return this.queries.execute(new RoleChanges(query));
  }
}

/** Only the reader and admins may see a reader. */
function refuseStrangers(caller: SignedIn, accountId: string): void {
  if (caller.accountId === accountId || caller.roles.includes('Admin')) return;
  throw new DomainError('NotAllowed', 'Your account may not do this.');
}
