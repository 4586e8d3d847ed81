import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Database } from '#platform/database/database.js';
import { CHANNELS } from '#platform/database/notifications.js';
import { DATABASE } from '#platform/tokens.js';
import { AccountCache } from './account-cache.js';
import { noSuchAccount } from './readers.queries.js';

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
    // One statement, so that every process hears of the change exactly when it is committed.
    const { rowCount } = await this.database.query(
      `with changed as (
         update account set session = session + 1, version = version + 1 where id = $1 returning id
       ) select pg_notify($2, id::text) from changed`,
      [accountId, CHANNELS.accounts],
    );
    if (rowCount === 0) throw noSuchAccount();
    this.cache.forget(accountId);
  }
}
