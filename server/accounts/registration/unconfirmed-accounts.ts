import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { DataSource, LessThanOrEqual, Raw } from 'typeorm';
import { Clock } from '#platform/clock.js';
import { inTransaction } from '#platform/database/database.js';
import { Jobs } from '#platform/jobs/jobs.js';
import { LINK_HOURS } from '../one-time-links.js';
import { forgetUnconfirmed } from './create-account.js';

const HOUR = 3_600_000;

/** Neither a letter on its way nor a link that still confirms the address. */
const CANNOT_BE_CONFIRMED = `
  not exists (select from account_token t
    where t.account_id = %id and t.purpose = 'confirm-email' and t.expires > :now)
  and not exists (select from letters.letter l
    where l.account_id = %id and l.kind = 'confirm-email' and l.state in ('waiting', 'sending'))`;

/** Accounts whose address nobody has confirmed go after a day. */
@Injectable()
class UnconfirmedAccounts implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.repeat('upkeep', 'forget-unconfirmed', HOUR, () => this.forget());
  }

  /** @returns how many */
  forget(): Promise<number> {
    const now = this.clock.now();
    const aDayAgo = new Date(now.getTime() - LINK_HOURS['confirm-email'] * HOUR);
    return inTransaction(this.dataSource, (manager) =>
      forgetUnconfirmed(manager, {
        created: LessThanOrEqual(aDayAgo),
        id: Raw((id) => CANNOT_BE_CONFIRMED.replaceAll('%id', id), { now }),
      }),
    );
  }
}

/** For processes that do jobs: they need no other part of the accounts. */
@Module({ providers: [UnconfirmedAccounts] })
export class UnconfirmedAccountsModule {}
