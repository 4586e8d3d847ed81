import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { inTransaction } from '#platform/database/database.js';
import { SessionCache } from './session-cache.js';
import { endSessions, endSomeSessions } from './end-sessions.js';
import { accountNotFound } from '../reader-view.js';

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
    private readonly cache: SessionCache,
  ) {}

  /** @throws DomainError `NotFound` when there is no such account */
  async execute({ accountId }: EndSessions): Promise<void> {
    const ended = await inTransaction(this.dataSource, (manager) => endSessions(manager, accountId));
    if (!ended) throw accountNotFound();
    this.cache.forgetAccount(accountId);
  }
}

/** Ends one session of an account, or all but one. The answer is how many ended. */
export class EndSomeSessions extends Command<number> {
  constructor(
    readonly accountId: string,
    readonly which: { only: string } | { allBut: string },
  ) {
    super();
  }
}

@CommandHandler(EndSomeSessions)
export class EndSomeSessionsHandler implements ICommandHandler<EndSomeSessions> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly cache: SessionCache,
  ) {}

  async execute({ accountId, which }: EndSomeSessions): Promise<number> {
    const ended = await inTransaction(this.dataSource, (manager) =>
      endSomeSessions(manager, accountId, which),
    );
    this.cache.forgetAccount(accountId);
    return ended;
  }
}
