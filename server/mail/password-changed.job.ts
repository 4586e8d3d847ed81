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
import { passwordChangedLetter } from './password-changed.letter.js';

/** Notifies an account that its password was changed. */
@Injectable()
export class PasswordChangedJob implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly mailer: Mailer,
    @InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('mail', 'password-changed', (data, context) => this.send(data, context));
  }

  private async send(
    { accountId, changedAt, elsewhere = false }: JobData<'mail', 'password-changed'>,
    { jobId, correlationId }: JobContext,
  ): Promise<void> {
    const account = await this.accounts.findOneBy({ id: accountId });
    if (!account) {
      this.logger.info({ jobId, accountId, correlationId }, 'the account is gone, no letter sent');
      return;
    }
    await this.mailer.send(
      account.email,
      passwordChangedLetter({
        firstname: account.firstname,
        changedAt: new Date(changedAt),
        elsewhere,
        link: `${publicUrl(this.settings)}/#/forgot-password`,
        library: this.settings.APP_TITLE ?? 'Lectern',
      }),
    );
    this.logger.info({ jobId, accountId, correlationId }, 'the news of a changed password was sent');
  }
}
