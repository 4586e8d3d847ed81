import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { roleSchema, type Role } from '#contracts/accounts/account-views.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Database } from '#platform/database/database.js';
import { CHANNELS } from '#platform/database/notifications.js';
import { DATABASE } from '#platform/tokens.js';
import { AccountCache } from './account-cache.js';

/** Gives an account these roles and no others. They hold from its next call, also in sessions already begun. */
export class SetRoles extends Command<void> {
  constructor(
    readonly accountId: string,
    readonly roles: Role[],
  ) {
    super();
  }
}

@CommandHandler(SetRoles)
export class SetRolesHandler implements ICommandHandler<SetRoles> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly cache: AccountCache,
  ) {}

  /** @throws DomainError `NotFound` when there is no such account */
  async execute({ accountId, roles }: SetRoles): Promise<void> {
    const distinct = roleSchema.options.filter((role) => roles.includes(role));
    await changeAccount(this.database, accountId, 'roles = $3', [distinct]);
    this.cache.forget(accountId);
  }
}

/** Ends every session of an account; it has to sign in again everywhere. */
export class EndSessions extends Command<void> {
  constructor(readonly accountId: string) {
    super();
  }
}

@CommandHandler(EndSessions)
export class EndSessionsHandler implements ICommandHandler<EndSessions> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly cache: AccountCache,
  ) {}

  /** @throws DomainError `NotFound` when there is no such account */
  async execute({ accountId }: EndSessions): Promise<void> {
    await changeAccount(this.database, accountId, 'session = session + 1', []);
    this.cache.forget(accountId);
  }
}

/** One statement, so that every process hears of the change exactly when it is committed. */
async function changeAccount(
  database: Database,
  accountId: string,
  assignment: string,
  values: unknown[],
): Promise<void> {
  const { rowCount } = await database.query(
    `with changed as (
       update account set ${assignment}, version = version + 1 where id = $1 returning id
     ) select pg_notify($2, id::text) from changed`,
    [accountId, CHANNELS.accounts, ...values],
  );
  if (rowCount === 0) throw new DomainError('NotFound', 'There is no such account.');
}
