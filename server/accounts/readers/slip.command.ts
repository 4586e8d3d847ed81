import { randomUUID } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, QueryBus, type ICommandHandler } from '@nestjs/cqrs';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import { localDay } from '#contracts/local-day.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { queryRow } from '#platform/database/query-rows.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { requestAccountLetter } from '#letters/notification-request.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { DATABASE } from '#platform/tokens.js';
import { VisitsOf } from '../../borrowing/reader-standing.queries.js';
import { correlationId } from '../../http/correlation.js';
import { keyReused } from '../../idempotency/refused-commands.js';
import { accountNotFound } from '../reader-view.js';

/** Mail a reader the slip of today: what they borrowed and what they brought back. */
export class MailSlip extends Command<void> {
  /** @param key the same for a repeat: there is one letter for it */
  constructor(
    readonly accountId: string,
    readonly librarianId: string,
    readonly key: string | undefined,
  ) {
    super();
  }
}

@CommandHandler(MailSlip)
export class MailSlipHandler implements ICommandHandler<MailSlip> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
    private readonly timeZone: LibraryTimeZone,
  ) {}

  /** @throws DomainError NotFound, EmailNotConfirmed, NothingToday, IdempotencyKeyReused */
  async execute({ accountId, librarianId, key = randomUUID() }: MailSlip): Promise<void> {
    const { commandId } = commandIdentity(key, librarianId, 'MailSlip', { accountId });
    const cause = `slip-${commandId}`;
    const asked = await queryRow(
      this.database,
      z.object({ account_id: z.string() }),
      'select account_id from letters.letter where cause = $1',
      [cause],
    );
    if (asked && asked.account_id !== accountId) throw keyReused();
    // What was there to be said then may have been undone since.
    if (asked) return;
    const account = await this.accounts.findOneBy({ id: accountId });
    if (!account) throw accountNotFound();
    if (!account.emailConfirmed) {
      throw new DomainError(
        'EmailNotConfirmed',
        'This reader has not confirmed their e-mail address. Please print the slip instead.',
      );
    }
    const day = localDay(this.clock.now().getTime(), this.timeZone.name);
    const visits = await this.queries.execute(new VisitsOf(account.pseudonym));
    if (!visits.some((visit) => visit.day === day)) {
      throw new DomainError(
        'NothingToday',
        'This reader has neither borrowed nor brought back anything today. No letter was sent.',
      );
    }
    await requestAccountLetter(this.database, 'slip', { accountId, day }, correlationId(), cause);
  }
}
