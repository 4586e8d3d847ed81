import { randomUUID } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import type { ResetPasswordBody } from '#contracts/accounts/account-calls.js';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import { inTransaction } from '#platform/database/database.js';
import { byEmail } from '#platform/database/entities/account-names.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { requestAccountLetter } from '#letters/notification-request.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import { correlationId } from '../../http/correlation.js';
import { SessionCache } from '../sessions/session-cache.js';
import { GuessLimits } from '../rate-limiting/guess-limits.js';
import { ownerOfLink, consumeLinkToken } from '../one-time-links.js';
import { hashPassword } from './passwords.js';
import type { SessionOrigin } from '../session-origin.js';
import { setPassword } from './set-password.js';
import { refuseWeak } from './weak-passwords.js';

/** Mails a link to set a new password, if the address belongs to an account and is confirmed. */
export class AskForNewPassword extends Command<void> {
  constructor(readonly email: string) {
    super();
  }
}

@CommandHandler(AskForNewPassword)
export class AskForNewPasswordHandler implements ICommandHandler<AskForNewPassword> {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Does the same work for every address, so that its duration does not reveal who has an account: for an unknown or
   * unconfirmed address, it enqueues the job too, with an id that nobody has.
   */
  async execute({ email }: AskForNewPassword): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const where = { ...byEmail(email), emailConfirmed: true };
      const account = await manager.findOne(AccountEntity, { select: { id: true }, where });
      const accountId = account?.id ?? randomUUID();
      await requestAccountLetter(manager, 'reset-password', { accountId }, correlationId());
    });
  }
}

/** Sets a new password by a mailed link. */
export class ResetPassword extends Command<void> {
  constructor(
    readonly reset: ResetPasswordBody,
    readonly origin: SessionOrigin,
  ) {
    super();
  }
}

@CommandHandler(ResetPassword)
export class ResetPasswordHandler implements ICommandHandler<ResetPassword> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly cache: SessionCache,
    private readonly guesses: GuessLimits,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
  ) {}

  /**
   * @throws DomainError `LinkInvalid` for a link that is wrong, expired, used, or another account's; RequestInvalid for a
   * weak password in production
   */
  async execute({ reset, origin }: ResetPassword): Promise<void> {
    await refuseWeak(this.settings, 'newPassword', reset.newPassword, { email: reset.email });
    const passwordHash = await hashPassword(reset.newPassword);
    const now = this.clock.now();
    const accountId = await inTransaction(this.dataSource, async (manager) => {
      // An unknown address is treated like a wrong link.
      const found = await ownerOfLink(manager, reset.token, reset.email);
      const link = await consumeLinkToken(manager, found ?? randomUUID(), 'reset-password', reset.token, now);
      if (!found || link === 'used before') {
        throw new DomainError('LinkInvalid', 'This link was used before. Please ask for a new one.');
      }
      await setPassword(manager, {
        accountId: found,
        passwordHash,
        at: now,
        correlationId: correlationId(),
      });
      return found;
    });
    this.cache.forgetAccount(accountId);
    // Whoever reads the owner's letters is the owner: no guesses of others keep them from signing in now.
    await this.guesses.known.remember(accountId, origin.source);
  }
}
