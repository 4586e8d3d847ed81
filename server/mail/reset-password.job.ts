import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '#platform/clock.js';
import { inTransaction, type Database } from '#platform/database/database.js';
import { Jobs, type JobContext } from '#platform/jobs/jobs.js';
import type { Logger } from '#platform/logging.js';
import { publicUrl } from '#platform/public-url.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, LOGGER, SETTINGS } from '#platform/tokens.js';
import { makeLinkToken } from '../accounts/one-time-links.js';
import { Mailer } from './mailer.js';
import { resetPasswordLetter } from './reset-password.letter.js';

/**
 * Sends the link that sets a new password. Its token is made here, when it is sent: no queue, outbox or log ever
 * holds it. Every try makes a new one, and the ones before it open nothing any more.
 */
@Injectable()
export class ResetPasswordJob implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('mail', 'reset-password', ({ accountId }, context) => this.send(accountId, context));
  }

  private async send(accountId: string, { jobId, correlationId }: JobContext): Promise<void> {
    const { rows } = await this.database.query<{ email: string; firstname: string }>(
      'select email, firstname from account where id = $1 and email_confirmed',
      [accountId],
    );
    const [account] = rows;
    if (!account) {
      this.logger.info({ jobId, correlationId }, 'nobody to send a new password to, no letter sent');
      return;
    }
    const token = await inTransaction(this.database, (transaction) =>
      makeLinkToken(transaction, accountId, 'reset-password', this.clock.now()),
    );
    const query = new URLSearchParams({ email: account.email, token }).toString();
    await this.mailer.send(
      account.email,
      resetPasswordLetter({
        firstname: account.firstname,
        link: `${publicUrl(this.settings)}/#/reset-password?${query}`,
        library: this.settings.APP_TITLE ?? 'Lectern',
      }),
    );
    this.logger.info({ jobId, accountId, correlationId }, 'the link that sets a new password was sent');
  }
}
