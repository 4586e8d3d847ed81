import { Module } from '@nestjs/common';
import { CommandHandler, CqrsModule, type ICommandHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { Clock } from '#platform/clock.js';
import { inTransaction } from '#platform/database/database.js';
import { CommandWith } from '../messages.js';
import { makeLinkToken, type LinkPurpose } from './one-time-links.js';

/** Generates the token of a mailed link, and invalidates the account's older unused links of that purpose. */
export class MakeLinkToken extends CommandWith<string, { accountId: string; purpose: LinkPurpose }> {}

@CommandHandler(MakeLinkToken)
class MakeLinkTokenHandler implements ICommandHandler<MakeLinkToken> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  execute({ accountId, purpose }: MakeLinkToken): Promise<string> {
    return inTransaction(this.dataSource, (manager) =>
      makeLinkToken(manager, accountId, purpose, this.clock.now()),
    );
  }
}

/** For processes that only send letters: they need no other part of the accounts. */
@Module({ imports: [CqrsModule], providers: [MakeLinkTokenHandler] })
export class OneTimeLinksModule {}
