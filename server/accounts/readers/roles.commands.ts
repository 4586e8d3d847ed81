import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import type { Reader, Role } from '#contracts/accounts/account-views.js';
import { Clock } from '#platform/clock.js';
import { inTransaction } from '#platform/database/database.js';
import { SessionCache } from '../sessions/session-cache.js';
import { changeRoles } from './change-roles.js';
import { readerView } from '../reader-view.js';

/**
 * Sets an account's roles; everybody stays a reader. They apply from its next call, also in open sessions, and the
 * change is recorded with its author. Returns the account afterwards.
 */
export class SetRoles extends Command<Reader> {
  /** @param by the admin who does it */
  constructor(
    readonly accountId: string,
    readonly roles: Role[],
    readonly by: string,
  ) {
    super();
  }
}

@CommandHandler(SetRoles)
export class SetRolesHandler implements ICommandHandler<SetRoles> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly cache: SessionCache,
  ) {}

  /**
   * @throws DomainError `NotFound`; `NotAllowed` if the actor has just lost the role themselves; `LastAdmin` if nobody
   * would be left who may assign roles
   */
  async execute({ accountId, roles, by }: SetRoles): Promise<Reader> {
    const account = await inTransaction(this.dataSource, (manager) =>
      changeRoles(manager, { accountId, wanted: () => roles, by, at: this.clock.now() }),
    );
    this.cache.forgetAccount(accountId);
    return readerView(account);
  }
}
