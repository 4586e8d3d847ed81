import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { Jobs, type JobContext } from '#platform/jobs/jobs.js';
import type { Logger } from '#platform/logging.js';
import { publicUrl } from '#platform/public-url.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { LOGGER, SETTINGS } from '#platform/tokens.js';
import { Mailer } from './mailer.js';
import { guessedAtLetter } from './guessed-at.letter.js';

/** Tells an account's owner that somebody guesses his password or his codes. */
@Injectable()
export class GuessedAtJob implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly mailer: Mailer,
    @InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('mail', 'guessed-at', ({ accountId, at, secret }, context) =>
      this.send(accountId, { at: new Date(at), secret }, context),
    );
  }

  private async send(
    accountId: string,
    guessed: { at: Date; secret: 'password' | 'code' },
    { jobId, correlationId }: JobContext,
  ): Promise<void> {
    const account = await this.accounts.findOneBy({ id: accountId });
    if (!account) {
      this.logger.info({ jobId, accountId, correlationId }, 'there is no such account, no letter sent');
      return;
    }
    await this.mailer.send(
      account.email,
      guessedAtLetter({
        firstname: account.firstname,
        ...guessed,
        link: `${publicUrl(this.settings)}/#/forgot-password`,
        library: this.settings.APP_TITLE ?? 'Lectern',
      }),
    );
    this.logger.info({ jobId, accountId, correlationId }, 'the news of guesses was sent');
  }
}
