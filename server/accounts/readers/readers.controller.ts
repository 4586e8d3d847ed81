import * as m from '#words/messages.js';
import { Controller } from '@nestjs/common';
import type { MessageAnswer } from '#contracts/accounts/account-views.js';
import type { Reader } from '#contracts/accounts/reader.js';
import * as calls from '#contracts/accounts/readers.js';
import type { RoleChange } from '#contracts/accounts/readers.js';
import type { Paged } from '#contracts/paging.js';
import { mayForOthers, notAllowed, type SignedIn } from '../../http/access.js';
import { Recorded } from '../../http/security-log.js';
import { type Asked, Serves } from '../../http/serves.js';
import type { Answered, Call } from '#contracts/call.js';
import { DeskRegistrationCommands } from './desk-registration.commands.js';
import { ReadersCommands } from './readers.commands.js';
import { ReadersQueries } from './readers.queries.js';
import { SessionsCommands } from '../sessions/sessions.commands.js';

/** Readers and their roles (specification, section 7, "Users"). */
@Controller()
export class ReadersController {
  constructor(
    private readonly readersQueries: ReadersQueries,
    private readonly deskRegistrationCommands: DeskRegistrationCommands,
    private readonly sessionsCommands: SessionsCommands,
    private readonly readersCommands: ReadersCommands,
  ) {}

  @Serves(calls.listReaders)
  list({ query }: Asked<typeof calls.listReaders>): Promise<Paged<Reader>> {
    return this.readersQueries.listReaders(query);
  }

  @Serves(calls.readReader)
  async get({ caller, params: { id } }: Asked<typeof calls.readReader>): Promise<Reader> {
    refuseStrangers(calls.readReader, caller, id);
    return this.readersQueries.getReader(id);
  }

  @Serves(calls.editReader)
  async edit({ caller, query: { id }, body }: Asked<typeof calls.editReader>): Promise<Reader> {
    refuseStrangers(calls.editReader, caller, id);
    return this.readersCommands.editReader(id, body, mayForOthers(calls.editReader, caller));
  }

  @Serves(calls.registerAtDesk)
  @Recorded('reader registered')
  register({ body }: Asked<typeof calls.registerAtDesk>): Promise<Answered<typeof calls.registerAtDesk>> {
    return this.deskRegistrationCommands.registerAtDesk(body);
  }

  @Serves(calls.renewMembership)
  @Recorded('membership changed')
  renewMembership({ query: { id }, body }: Asked<typeof calls.renewMembership>): Promise<Reader> {
    return this.deskRegistrationCommands.renewMembership(id, body.until);
  }

  @Serves(calls.setRoles)
  @Recorded('roles changed')
  setRoles({ caller, query, body }: Asked<typeof calls.setRoles>): Promise<Reader> {
    return this.readersCommands.setRoles(query.id, body.roles, caller.accountId);
  }

  @Serves(calls.endSessions)
  @Recorded('sessions ended')
  async endSessions({ caller, query: { id } }: Asked<typeof calls.endSessions>): Promise<MessageAnswer> {
    refuseStrangers(calls.endSessions, caller, id);
    await this.sessionsCommands.endSessions(id);
    return { message: m.readers_signed_out() };
  }

  @Serves(calls.readRoleChanges)
  roleChanges({ query }: Asked<typeof calls.readRoleChanges>): Promise<RoleChange[]> {
    return this.readersQueries.roleChanges(query);
  }

  @Serves(calls.readProfile)
  profile({ caller }: Asked<typeof calls.readProfile>): Promise<Reader> {
    return this.readersQueries.getProfile(caller.accountId);
  }
}

/** Of a call about an account: only its owner and those of staff who may make it for others. */
function refuseStrangers(call: Call, caller: SignedIn, accountId: string): void {
  if (caller.accountId !== accountId && !mayForOthers(call, caller)) throw notAllowed();
}
