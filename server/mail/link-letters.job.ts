import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { AccountEntity, type AccountTokenEntity } from '#platform/database/entities/account.entity.js';
import { Jobs, type JobContext } from '#platform/jobs/jobs.js';
import type { Logger } from '#platform/logging.js';
import { publicUrl } from '#platform/public-url.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { LOGGER, SETTINGS } from '#platform/tokens.js';
import { MakeLinkToken } from '../accounts/one-time-links.commands.js';
import { confirmEmailLetter } from './confirm-email.letter.js';
import type { RenderedLetter } from './letter.js';
import { Mailer } from './mailer.js';
import { resetPasswordLetter } from './reset-password.letter.js';

interface LinkLetter {
  /** Sent only to accounts whose address is confirmed, or only to those whose is not. */
  emailConfirmed: boolean;
  /** Query parameters of the page behind the link. */
  query: (to: AccountEntity, token: string) => Record<string, string>;
  letter: (to: { firstname: string; link: string; library: string }) => RenderedLetter;
  sent: string;
  notSent: string;
}

/** The letters with a one-time link. The key names the job, the link's purpose and its page. */
const LINK_LETTERS: Record<AccountTokenEntity['purpose'], LinkLetter> = {
  'confirm-email': {
    emailConfirmed: false,
    query: ({ id }, token) => ({ token, userId: id }),
    letter: confirmEmailLetter,
    sent: 'the link that confirms an e-mail address was sent',
    notSent: 'nothing to confirm, no letter sent',
  },
  'reset-password': {
    emailConfirmed: true,
    query: ({ email }, token) => ({ email, token }),
    letter: resetPasswordLetter,
    sent: 'the link that sets a new password was sent',
    notSent: 'nobody to send a new password to, no letter sent',
  },
};

/**
 * Sends the letters with a one-time link. The token is generated only when the letter is sent: no queue, outbox or log
 * ever contains it. Every attempt generates a new one and invalidates the earlier ones.
 */
@Injectable()
export class LinkLettersJob implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly mailer: Mailer,
    private readonly commands: CommandBus,
    private readonly dataSource: DataSource,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    for (const purpose of Object.keys(LINK_LETTERS) as AccountTokenEntity['purpose'][]) {
      this.jobs.handle('mail', purpose, ({ accountId }, context) => this.send(purpose, accountId, context));
    }
  }

  private async send(
    purpose: AccountTokenEntity['purpose'],
    accountId: string,
    { jobId, correlationId }: JobContext,
  ): Promise<void> {
    const { emailConfirmed, query, letter, sent, notSent } = LINK_LETTERS[purpose];
    const to = await this.dataSource.manager.findOneBy(AccountEntity, { id: accountId, emailConfirmed });
    if (!to) {
      this.logger.info({ jobId, accountId, correlationId }, notSent);
      return;
    }
    const token = await this.commands.execute(new MakeLinkToken(accountId, purpose));
    const parameters = new URLSearchParams(query(to, token)).toString();
    await this.mailer.send(
      to.email,
      letter({
        firstname: to.firstname,
        link: `${publicUrl(this.settings)}/#/${purpose}?${parameters}`,
        library: this.settings.APP_TITLE ?? 'Lectern',
      }),
    );
    this.logger.info({ jobId, accountId, correlationId }, sent);
  }
}
