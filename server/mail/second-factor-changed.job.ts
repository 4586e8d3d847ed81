import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import type { JobData } from '#platform/jobs/job-map.js';
import { Jobs, type JobContext } from '#platform/jobs/jobs.js';
import type { Logger } from '#platform/logging.js';
import { publicUrl } from '#platform/public-url.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { LOGGER, SETTINGS } from '#platform/tokens.js';
import { Mailer } from './mailer.js';
import { secondFactorChangedLetter } from './second-factor-changed.letter.js';

/** Tells an account's owner that something about his second factor changed. */
@Injectable()
export class SecondFactorChangedJob implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly mailer: Mailer,
    @InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('mail', 'second-factor-changed', (data, context) => this.send(data, context));
  }

  private async send(
    { accountId, change, at }: JobData<'mail', 'second-factor-changed'>,
    { jobId, correlationId }: JobContext,
  ): Promise<void> {
    const account = await this.accounts.findOneBy({ id: accountId });
    if (!account) {
      this.logger.info({ jobId, accountId, correlationId }, 'the account is gone, no letter sent');
      return;
    }
    await this.mailer.send(
      account.email,
      secondFactorChangedLetter({
        firstname: account.firstname,
        change,
        at: new Date(at),
        site: publicUrl(this.settings),
        library: this.settings.APP_TITLE ?? 'Lectern',
      }),
    );
    this.logger.info(
      { jobId, accountId, correlationId, change },
      'the news of a changed second factor was sent',
    );
  }
}
