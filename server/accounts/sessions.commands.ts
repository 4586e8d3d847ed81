import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { inTransaction } from '#platform/database/database.js';
import { AccountCache } from './account-cache.js';
import { endSessions } from './end-sessions.js';
import { noSuchAccount } from './reader-view.js';

/** Ends every session of an account; it has to sign in again everywhere. */
export class EndSessions extends Command<void> {
  constructor(readonly accountId: string) {
    super();
  }
}

@CommandHandler(EndSessions)
export class EndSessionsHandler implements ICommandHandler<EndSessions> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly cache: AccountCache,
  ) {}

  /** @throws DomainError `NotFound` when there is no such account */
  async execute({ accountId }: EndSessions): Promise<void> {
    const ended = await inTransaction(this.dataSource, (manager) => endSessions(manager, accountId));
    if (!ended) throw noSuchAccount();
    this.cache.forget(accountId);
  }
}
