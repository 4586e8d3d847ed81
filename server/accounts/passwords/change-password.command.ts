import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import type { ChangePasswordBody } from '#contracts/accounts/account-requests.js';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import { inTransaction } from '#platform/database/database.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import type { SignedIn } from '../../http/access.js';
import { correlationId } from '../../http/correlation.js';
import { RequestInvalid } from '../../http/validation.js';
import { GuessLimits } from '../rate-limiting/guess-limits.js';
import { hashPassword, passwordMatches } from './passwords.js';
import { SessionCache } from '../sessions/session-cache.js';
import type { SessionOrigin } from '../session-origin.js';
import { setPassword } from './set-password.js';
import { refuseWeak } from './weak-passwords.js';

/** Changes the caller's password, which they prove that they know. Their other sessions end, and a letter tells them. */
export class ChangePassword extends Command<void> {
  constructor(
    readonly caller: SignedIn,
    readonly change: ChangePasswordBody,
    readonly origin: SessionOrigin,
  ) {
    super();
  }
}

@CommandHandler(ChangePassword)
export class ChangePasswordHandler implements ICommandHandler<ChangePassword> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly guesses: GuessLimits,
    private readonly cache: SessionCache,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
  ) {}

  /**
   * @throws RequestInvalid if the present password is wrong, the new one is the same, or in production a weak one;
   * TooManyAttempts: whoever found a device open must not guess here
   */
  async execute({ caller, change, origin }: ChangePassword): Promise<void> {
    const { accountId, sid } = caller;
    const { currentPassword, newPassword } = change;
    const account = await this.dataSource.manager.findOneOrFail(AccountEntity, {
      where: { id: accountId },
      select: { id: true, username: true, email: true, firstname: true, lastname: true, passwordHash: true },
    });
    const guess = { accountId, name: account.username, source: origin.source };
    await this.guesses
      .attempt(guess, () => refuseWrong(account.passwordHash, currentPassword))
      .catch((error: unknown) => {
        if (!(error instanceof DomainError && error.code === 'WrongCredentials')) throw error;
        // No 401: the session goes on.
        throw new RequestInvalid({ currentPassword: [error.detail] });
      });
    if (await passwordMatches(account.passwordHash, newPassword)) {
      throw new RequestInvalid({ newPassword: ['This is your present password. Please choose another.'] });
    }
    await refuseWeak(this.settings, 'newPassword', newPassword, account);
    const passwordHash = await hashPassword(newPassword);
    await inTransaction(this.dataSource, (manager) =>
      setPassword(manager, {
        accountId,
        passwordHash,
        at: this.clock.now(),
        correlationId: correlationId(),
        keep: sid,
      }),
    );
    this.cache.forgetAccount(accountId);
    await this.guesses.known.remember(accountId, origin.source);
  }
}

async function refuseWrong(stored: string, password: string): Promise<void> {
  if (await passwordMatches(stored, password)) return;
  throw new DomainError('WrongCredentials', 'This is not your present password.');
}
