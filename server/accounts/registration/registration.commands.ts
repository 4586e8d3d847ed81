import type { RegisterBody } from '#contracts/accounts/account-calls.js';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '#platform/clock.js';
import { inTransaction } from '#platform/database/database.js';
import { nameKey } from '#platform/database/entities/account-names.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { currentLanguage } from '#platform/language.js';
import { requestAccountLetter } from '#letters/notification-request.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import { correlationId } from '../../http/correlation.js';
import { createAccount } from './create-account.js';
import { rejectingTaken } from '../taken-names.js';
import { consumeLinkToken } from '../one-time-links.js';
import { hashPassword } from '../passwords/passwords.js';
import { refuseWeak } from '../passwords/weak-passwords.js';

@Injectable()
export class RegistrationCommands {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
  ) {}

  /**
   * Creates a reader's account; they then confirm their email address.
   * @returns the account's id
   * @throws DomainError `UsernameTaken` or `EmailTaken`; RequestInvalid for a weak password in production
   */
  async registerReader(registration: RegisterBody): Promise<string> {
    const { password, confirmPassword: _confirmed, ...person } = registration;
    await refuseWeak(this.settings, 'password', password, person);
    const passwordHash = await hashPassword(password);
    return inTransaction(this.dataSource, async (manager) => {
      const { id: accountId } = await createAccount(
        manager,
        { ...person, passwordHash, roles: ['Reader'], emailConfirmed: false, language: currentLanguage() },
        this.clock.now(),
      );
      await requestAccountLetter(manager, 'confirm-email', { accountId }, correlationId());
      return accountId;
    });
  }

  /**
   * Confirms an account's email address by the link that was mailed to it.
   * @throws DomainError `LinkInvalid`; `EmailTaken` if another account confirmed the same address before
   */
  async confirmEmail(accountId: string, token: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const link = await consumeLinkToken(manager, accountId, 'confirm-email', token, this.clock.now());
      if (link === 'used before') return;
      const unconfirmed = { id: accountId, emailConfirmed: false };
      await rejectingTaken(manager.update(AccountEntity, unconfirmed, { emailConfirmed: true }));
    });
  }

  /** Mails the link again if the account is still unconfirmed; otherwise does nothing. */
  async resendConfirmation(username: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const account = await manager.findOneBy(AccountEntity, {
        nameKey: nameKey(username),
        emailConfirmed: false,
      });
      if (!account) return;
      await requestAccountLetter(manager, 'confirm-email', { accountId: account.id }, correlationId());
    });
  }
}
