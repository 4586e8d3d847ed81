import * as m from '#words/messages.js';
import { Controller } from '@nestjs/common';
import type { MessageAnswer } from '#contracts/accounts/account-views.js';
import * as calls from '#contracts/accounts/permission-sets.js';
import type { PermissionSet } from '#contracts/accounts/permission-sets.js';
import { Recorded } from '../../http/security-log.js';
import { type Asked, Serves } from '../../http/serves.js';
import { PermissionSets } from './permission-sets.commands.js';

@Controller()
export class PermissionSetsController {
  constructor(private readonly sets: PermissionSets) {}

  @Serves(calls.listSets)
  list(): Promise<PermissionSet[]> {
    return this.sets.all();
  }

  @Serves(calls.addSet)
  @Recorded('permission set added')
  add({ caller, body }: Asked<typeof calls.addSet>): Promise<PermissionSet> {
    return this.sets.add(body, caller.accountId);
  }

  @Serves(calls.changeSet)
  @Recorded('permission set changed')
  change({ caller, params, body }: Asked<typeof calls.changeSet>): Promise<PermissionSet> {
    return this.sets.edit(params.id, body, caller.accountId);
  }

  @Serves(calls.removeSet)
  @Recorded('permission set removed')
  async remove({ caller, params }: Asked<typeof calls.removeSet>): Promise<MessageAnswer> {
    await this.sets.remove(params.id, caller.accountId);
    return { message: m.sets_removed() };
  }
}
